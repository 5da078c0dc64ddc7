import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { engineCode } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";
import { engineTable, engineTableName, tableBody } from "../tables/ddl.ts";
import { requireRoom } from "../tables/free-space.ts";

/**
 * Maximum number of attempts. A background merge can replace a part after it was listed and before it is
 * dropped; then the removal starts over.
 */
const MAX_ATTEMPTS = 20;

const NO_SUCH_PART = 232;

/** Prevents merges in a table that exists only for the exchange of a partition. */
const NEVER_MERGE = sql`max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`;

/** Blocks whose rows are removed. */
export interface RemovedBlocks {
  first: number;
  /** Absent: all blocks from `first` on. */
  last?: number;
}

interface Part {
  part: string;
  /** 1 if all its rows are removed. */
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
  /** Selects the rows of these blocks that remain. */
  except?: Sql;
}

/** Empties every table of a chain. */
export async function removeAll(engine: Engine, chain: string): Promise<void> {
  for (const table of TABLE_NAMES) await engine.execute(sql`TRUNCATE TABLE ${engineTable(chain, table)}`);
}

/**
 * Removes the rows of some blocks. All other rows stay readable throughout.
 *
 * DELETE would be too slow: a mutation visits every part of a table, at 150 ms each, so the time to roll back
 * one block would grow with the history. Only parts with rows of these blocks are touched: they are dropped
 * as a whole, or their partition is copied (by hard links), rebuilt without the rows, and replaced by the
 * copy in one step. That step is atomic for readers but not for crashes: if killed during it, the engine
 * keeps the old rows next to the new ones. So the copy is kept until the step is complete, and the next start
 * repeats the step if it finds a copy.
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
  throw new RemovalOvertaken(chain);
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

/** Removes rows from one partition of a table. Readers see either all of them or none. */
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
  } else await rebuildPartition(engine, removal, partition);
}

/** The rows and bytes that a removal frees in one partition. */
export interface RemovedRows {
  rows: number;
  /** Size on disk, estimated from the share of each part's rows. */
  bytes: number;
}

type MeasuredPart = Part & RemovedRows;

/** Measures the rows and bytes that a removal would free in one partition. */
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
  throw new RemovalOvertaken(removal.chain);
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

async function dropParts(engine: Engine, table: Sql, parts: readonly string[]): Promise<void> {
  for (const part of parts) await engine.execute(sql`ALTER TABLE ${table} DROP PART ${text(part)}`);
}

async function rebuildPartition(engine: Engine, removal: Removal, partition: string): Promise<void> {
  const table = engineTable(removal.chain, removal.table);
  const copy = identifier(`${engineTableName(removal.chain, removal.table)}_copy`);
  await engine.execute(sql`DROP TABLE IF EXISTS ${copy} SYNC`);
  await requireRoom(engine);
  await engine.execute(sql`CREATE TABLE ${copy} ${tableBody(removal.table, NEVER_MERGE)}`);
  await engine.execute(sql`ALTER TABLE ${copy} ATTACH ${partitionClause(partition)} FROM ${table}`);
  await removeRows(engine, removal, copy);
  const kept = await countKept(engine, removal, copy, partition);
  if (kept === 0) {
    // Rows hidden by a manual DELETE still count as rows of their part, so the part was not dropped as a
    // whole.
    await engine.execute(sql`ALTER TABLE ${table} DROP ${partitionClause(partition)}`);
    await engine.execute(sql`DROP TABLE ${copy} SYNC`);
    return;
  }
  await engine.execute(sql`RENAME TABLE ${copy} TO ${exchangeTable(removal.chain, removal.table)}`);
  await exchange(engine, removal.chain, removal.table);
}

/**
 * Names the copy of a partition. A copy with this name is complete: its rows must replace those of its
 * partition.
 */
function exchangeTable(chain: string, table: TableName): Sql {
  return identifier(`${engineTableName(chain, table)}_exchange`);
}

async function exchange(engine: Engine, chain: string, table: TableName): Promise<void> {
  const copy = exchangeTable(chain, table);
  const partitions = await engine.query<{ partition: string }>(
    sql`SELECT DISTINCT _partition_id AS partition FROM ${copy}`,
  );
  for (const { partition } of partitions) {
    await engine.execute(
      sql`ALTER TABLE ${engineTable(chain, table)} REPLACE ${partitionClause(partition)} FROM ${copy}`,
    );
  }
  await engine.execute(sql`DROP TABLE ${copy} SYNC`);
}

/** Repeats exchanges that a crash interrupted. Must be called before any other write. */
export async function finishExchanges(engine: Engine, chain: string): Promise<void> {
  const names = TABLE_NAMES.map((table) => text(`${engineTableName(chain, table)}_exchange`));
  const pending = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names)})`,
  );
  for (const table of TABLE_NAMES) {
    const name = `${engineTableName(chain, table)}_exchange`;
    if (pending.some((found) => found.name === name)) await exchange(engine, chain, table);
  }
}

function partitionClause(partition: string): Sql {
  return sql`PARTITION ID ${text(partition)}`;
}

/**
 * Removes the rows from the copy by rewriting its parts. Rows are briefly duplicated, but readers do not see
 * the copy.
 */
async function removeRows(engine: Engine, removal: Removal, copy: Sql): Promise<void> {
  const parts = await engine.query<{ part: string }>(
    sql`SELECT DISTINCT _part AS part FROM ${copy} WHERE ${isRemoved(removal)}`,
  );
  const names = parts.map(({ part }) => part);
  if (names.length === 0) return;
  await engine.execute(
    sql`INSERT INTO ${copy} SELECT * FROM ${copy} WHERE ${isAmong(names)} AND NOT (${isRemoved(removal)})`,
  );
  await dropParts(engine, copy, names);
}

/**
 * Counts the rows that are kept.
 *
 * @throws RemovalOvertaken if the exchange would remove any other row
 */
async function countKept(engine: Engine, removal: Removal, copy: Sql, partition: string): Promise<number> {
  const [counts] = await engine.query<{ kept: number; copied: number }>(
    sql`SELECT (SELECT count() FROM ${engineTable(removal.chain, removal.table)} WHERE _partition_id = ${text(partition)} AND NOT (${isRemoved(removal)})) AS kept, (SELECT count() FROM ${copy}) AS copied`,
  );
  if (counts === undefined || counts.kept !== counts.copied) throw new RemovalOvertaken(removal.chain);
  return counts.kept;
}

function isRemoved({ table, blocks: { first, last }, except }: Removal): Sql {
  const column = identifier(tableOf(table).blockColumn);
  const above = sql`${column} >= ${integer(first)}`;
  const between = last === undefined ? above : sql`${above} AND ${column} <= ${integer(last)}`;
  return except === undefined ? between : sql`${between} AND NOT (${except})`;
}

function isAmong(parts: readonly string[]): Sql {
  return sql`_part IN (${join(parts.map(text))})`;
}

function isOvertaken(error: unknown): boolean {
  if (error instanceof RemovalOvertaken) return true;
  return error instanceof BaseError && engineCode(error.cause) === NO_SUCH_PART;
}

class RemovalOvertaken extends BaseError {
  constructor(chain: string) {
    super("engine", `Could not remove rows of ${chain}: the tables kept changing. Try again.`, {
      retryable: true,
    });
  }
}
