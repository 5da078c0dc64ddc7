import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import type { Engine } from "../store.ts";
import { engineTable, engineTableName } from "../tables/ddl.ts";
import { openingTable } from "../tables/opening-table.ts";
import { dropParts, isOvertaken, RebuildOvertaken, rebuildPartition } from "./partition-copy.ts";

/**
 * Maximum number of attempts. A background merge can replace a part after it was listed and before it is
 * dropped; then the removal starts over.
 */
const MAX_ATTEMPTS = 20;

/** Blocks whose rows are removed. */
export interface RemovedBlocks {
  first: number;
  /** Absent: all blocks from `first` on. */
  last?: number;
}

interface Part {
  part: string;
  /** 1 if all rows of the part are removed. */
  whole: number;
}

interface PartOfTable extends Part {
  tableName: TableName;
  partition: string;
}

export interface Removal {
  chain: string;
  table: TableName;
  blocks: RemovedBlocks;
  /** Condition for the rows of these blocks that remain. */
  except?: Sql;
}

/** Empties the tables of a chain, except its commits and its price summary. */
export async function removeAll(engine: Engine, chain: string): Promise<void> {
  const tables = [...TABLE_NAMES.map((table) => engineTable(chain, table)), openingTable(chain)];
  for (const table of tables) await engine.execute(sql`TRUNCATE TABLE ${table}`);
}

/**
 * Removes the rows of some blocks. All other rows stay readable throughout.
 *
 * DELETE would be too slow: a mutation visits every part of a table, at 150 ms each, so the time to roll back
 * one block would grow with the history. Only parts with rows of these blocks are touched: they are dropped
 * as a whole, or their partition is rebuilt without the rows.
 */
export async function removeBlocks(engine: Engine, chain: string, blocks: RemovedBlocks): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const parts = await partsWith(engine, chain, blocks);
    if (parts.length === 0) return;
    const results = await Promise.allSettled(
      TABLE_NAMES.map((table) => removeFromTable(engine, { chain, table, blocks }, parts)),
    );
    for (const result of results) {
      if (result.status === "rejected" && !isOvertaken(result.reason)) throw result.reason;
    }
  }
  throw new RebuildOvertaken(chain);
}

/**
 * Lists the parts with rows of the blocks. A part that was merged after its rows were counted has no row in
 * system.parts; it is listed anyway, so that its partition is processed.
 */
function partsWith(engine: Engine, chain: string, blocks: RemovedBlocks): Promise<PartOfTable[]> {
  const counts = TABLE_NAMES.map((table) => {
    const from = sql`FROM ${engineTable(chain, table)} WHERE ${isRemoved({ chain, table, blocks })}`;
    return sql`SELECT ${text(table)} AS tableName, ${text(engineTableName(chain, table))} AS name, _partition_id AS partition, _part AS part, count() AS going ${from} GROUP BY partition, part`;
  });
  return engine.query<PartOfTable>(sql`SELECT tableName, partition, part, going = rows AS whole
    FROM (${join(counts, " UNION ALL ")}) AS counted
    LEFT JOIN (SELECT table, name, rows FROM system.parts
      WHERE database = currentDatabase() AND active) AS parts
    ON parts.table = counted.name AND parts.name = counted.part`);
}

async function removeFromTable(
  engine: Engine,
  removal: Removal,
  parts: readonly PartOfTable[],
): Promise<void> {
  const own = parts.filter(({ tableName }) => tableName === removal.table);
  for (const partition of new Set(own.map((part) => part.partition))) {
    const touched = own.filter((part) => part.partition === partition);
    await removeFromPartition(engine, removal, partition, touched);
  }
}

/**
 * Removes rows from one partition of a table. If one of the touched parts also holds other rows, rebuilds the
 * partition.
 */
async function removeFromPartition(
  engine: Engine,
  removal: Removal,
  partition: string,
  touched: readonly Part[],
): Promise<void> {
  if (touched.every(({ whole }) => whole === 1)) {
    await dropParts(
      engine,
      engineTable(removal.chain, removal.table),
      touched.map(({ part }) => part),
    );
  } else await rebuildPartition(engine, { ...removal, partition, isChanged: isRemoved(removal) });
}

/** The numbers of rows and bytes that a removal frees. */
export interface RemovedRows {
  rows: number;
  /** Size on disk, estimated from the share of each part's rows. */
  bytes: number;
}

type MeasuredPart = Part & RemovedRows;

/** Returns the numbers of rows and bytes that a removal would free in one partition. */
export async function measurePartition(
  engine: Pick<Engine, "query">,
  removal: Removal,
  partition: string,
): Promise<RemovedRows> {
  return totalOf(await partsIn(engine, removal, partition));
}

/** Removes rows from one partition of a table, like `removeBlocks`. Returns what it freed. */
export async function prunePartition(
  engine: Engine,
  removal: Removal,
  partition: string,
): Promise<RemovedRows> {
  const first = await partsIn(engine, removal, partition);
  let parts = first;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (parts.length === 0) return totalOf(first);
    await removeFromPartition(engine, removal, partition, parts).catch((error) => {
      if (!isOvertaken(error)) throw error;
    });
    parts = await partsIn(engine, removal, partition);
  }
  throw new RebuildOvertaken(removal.chain);
}

function totalOf(parts: readonly MeasuredPart[]): RemovedRows {
  return {
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Lists the parts of a partition that have rows to remove. */
function partsIn(
  engine: Pick<Engine, "query">,
  removal: Removal,
  partition: string,
): Promise<MeasuredPart[]> {
  const name = engineTableName(removal.chain, removal.table);
  return engine.query<MeasuredPart>(sql`SELECT part, going AS rows, going = parts.rows AS whole,
    toFloat64(ifNull(bytes_on_disk * going / nullIf(parts.rows, 0), 0)) AS bytes
    FROM (SELECT _part AS part, count() AS going FROM ${identifier(name)}
      WHERE _partition_id = ${text(partition)} AND ${isRemoved(removal)} GROUP BY part) AS counted
    LEFT JOIN (SELECT name, rows, bytes_on_disk FROM system.parts
      WHERE database = currentDatabase() AND table = ${text(name)} AND active) AS parts
    ON parts.name = counted.part`);
}

/** Prints the condition for the rows to remove. */
export function isRemoved({ table, blocks: { first, last }, except }: Removal): Sql {
  const column = identifier(tableOf(table).blockColumn);
  const above = sql`${column} >= ${integer(first)}`;
  const between = last === undefined ? above : sql`${above} AND ${column} <= ${integer(last)}`;
  return except === undefined ? between : sql`${between} AND NOT (${except})`;
}
