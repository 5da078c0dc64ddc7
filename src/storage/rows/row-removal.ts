import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { engineCode } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";
import { engineTable, engineTableName, tableBody } from "../tables/ddl.ts";
import { requireRoom } from "../tables/free-space.ts";

/** A background merge can replace a part between being listed and being dropped; then all starts again. */
const MAX_ATTEMPTS = 20;

const NO_SUCH_PART = 232;

/** Keeps the engine from merging parts of a table that exists only for the exchange. */
const NEVER_MERGE = sql`max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`;

/** Blocks whose rows go. */
export interface BlockSpan {
  first: number;
  /** Absent: all above `first`, too. */
  last?: number;
}

interface Part {
  tableName: TableName;
  partition: string;
  part: string;
  /** 1 when it holds nothing but rows that go. */
  whole: number;
}

interface Cut {
  chain: string;
  table: TableName;
  blocks: BlockSpan;
}

/** Empties every table of a chain. */
export async function removeAll(engine: Engine, chain: string): Promise<void> {
  for (const table of TABLE_NAMES) await engine.execute(sql`TRUNCATE TABLE ${engineTable(chain, table)}`);
}

/**
 * Removes the rows of some blocks; they are gone when this resolves, and all other rows are readable all the
 * while.
 *
 * Not by DELETE: a mutation visits every part of a table, 150 ms each, so that taking back one block would
 * take longer the longer the history. Instead only parts that hold such rows are touched: dropped whole, or
 * rebuilt without them in a copy of their partition (hard links), which then replaces it in one step. The
 * step is one for readers, not for a crash: killed amid it, the engine keeps the old rows beside the new. So
 * the copy stays until the step is done, and whoever finds it later does the step again.
 */
export async function removeBlocks(engine: Engine, chain: string, blocks: BlockSpan): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const parts = await partsWith(engine, chain, blocks);
    if (parts.length === 0) return;
    const results = await Promise.allSettled(
      TABLE_NAMES.map((table) => cutTable(engine, { chain, table, blocks }, parts)),
    );
    for (const result of results) {
      if (result.status === "rejected" && !isOvertaken(result.reason)) throw result.reason;
    }
  }
  throw new RemovalOvertaken(chain);
}

/**
 * The parts that hold rows of the blocks. A part that was merged away between being read and being looked up has
 * no row in system.parts: it is listed all the same, so that its partition is seen to.
 */
function partsWith(engine: Engine, chain: string, blocks: BlockSpan): Promise<Part[]> {
  const counts = TABLE_NAMES.map((table) => {
    const from = sql`FROM ${engineTable(chain, table)} WHERE ${goesOf({ chain, table, blocks })}`;
    return sql`SELECT ${text(table)} AS tableName, ${text(engineTableName(chain, table))} AS name, _partition_id AS partition, _part AS part, count() AS going ${from} GROUP BY partition, part`;
  });
  return engine.query<Part>(sql`SELECT tableName, partition, part, going = rows AS whole
    FROM (${join(counts, " UNION ALL ")}) AS counted
    LEFT JOIN (SELECT table, name, rows FROM system.parts
      WHERE database = currentDatabase() AND active) AS parts
    ON parts.table = counted.name AND parts.name = counted.part`);
}

async function cutTable(engine: Engine, cut: Cut, parts: readonly Part[]): Promise<void> {
  const own = parts.filter(({ tableName }) => tableName === cut.table);
  for (const partition of new Set(own.map((part) => part.partition))) {
    const touched = own.filter((part) => part.partition === partition);
    if (touched.every(({ whole }) => whole === 1)) {
      await dropParts(
        engine,
        tableOfCut(cut),
        touched.map(({ part }) => part),
      );
    } else await rebuildPartition(engine, cut, partition);
  }
}

async function dropParts(engine: Engine, table: Sql, parts: readonly string[]): Promise<void> {
  for (const part of parts) await engine.execute(sql`ALTER TABLE ${table} DROP PART ${text(part)}`);
}

async function rebuildPartition(engine: Engine, cut: Cut, partition: string): Promise<void> {
  const table = tableOfCut(cut);
  const copy = identifier(`${engineTableName(cut.chain, cut.table)}_copy`);
  await engine.execute(sql`DROP TABLE IF EXISTS ${copy} SYNC`);
  await requireRoom(engine);
  await engine.execute(sql`CREATE TABLE ${copy} ${tableBody(cut.table, NEVER_MERGE)}`);
  await engine.execute(sql`ALTER TABLE ${copy} ATTACH ${partitionNamed(partition)} FROM ${table}`);
  await removeRows(engine, cut, copy);
  const kept = await requireEqual(engine, cut, { copy, partition });
  if (kept === 0) {
    // Rows that somebody's DELETE has hidden count as rows of their part, so that it did not look whole.
    await engine.execute(sql`ALTER TABLE ${table} DROP ${partitionNamed(partition)}`);
    await engine.execute(sql`DROP TABLE ${copy} SYNC`);
    return;
  }
  await engine.execute(sql`RENAME TABLE ${copy} TO ${exchangeTable(cut.chain, cut.table)}`);
  await exchange(engine, cut.chain, cut.table);
}

/** A copy under this name is complete: its partition of the table is to hold its rows and no others. */
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
      sql`ALTER TABLE ${engineTable(chain, table)} REPLACE ${partitionNamed(partition)} FROM ${copy}`,
    );
  }
  await engine.execute(sql`DROP TABLE ${copy} SYNC`);
}

/** Does again the exchanges that a crash interrupted. To be done before anything else is written. */
export async function finishExchanges(engine: Engine, chain: string): Promise<void> {
  const names = TABLE_NAMES.map((table) => text(`${engineTableName(chain, table)}_exchange`));
  const left = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names)})`,
  );
  for (const table of TABLE_NAMES) {
    const name = `${engineTableName(chain, table)}_exchange`;
    if (left.some((found) => found.name === name)) await exchange(engine, chain, table);
  }
}

function partitionNamed(partition: string): Sql {
  return sql`PARTITION ID ${text(partition)}`;
}

/** In the copy no reader can see the moment at which rows are there twice. */
async function removeRows(engine: Engine, cut: Cut, copy: Sql): Promise<void> {
  const parts = await engine.query<{ part: string }>(
    sql`SELECT DISTINCT _part AS part FROM ${copy} WHERE ${goesOf(cut)}`,
  );
  const names = parts.map(({ part }) => part);
  if (names.length === 0) return;
  await engine.execute(
    sql`INSERT INTO ${copy} SELECT * FROM ${copy} WHERE ${among(names)} AND NOT (${goesOf(cut)})`,
  );
  await dropParts(engine, copy, names);
}

/** The last look before the exchange: it must lose exactly the rows that go. Tells how many stay. */
async function requireEqual(
  engine: Engine,
  cut: Cut,
  { copy, partition }: { copy: Sql; partition: string },
): Promise<number> {
  const [counts] = await engine.query<{ kept: number; copied: number }>(
    sql`SELECT (SELECT count() FROM ${tableOfCut(cut)} WHERE _partition_id = ${text(partition)} AND NOT (${goesOf(cut)})) AS kept, (SELECT count() FROM ${copy}) AS copied`,
  );
  if (counts === undefined || counts.kept !== counts.copied) throw new RemovalOvertaken(cut.chain);
  return counts.kept;
}

function tableOfCut(cut: Cut): Sql {
  return engineTable(cut.chain, cut.table);
}

function goesOf({ table, blocks: { first, last } }: Cut): Sql {
  const column = identifier(tableOf(table).blockColumn);
  const above = sql`${column} >= ${integer(first)}`;
  return last === undefined ? above : sql`${above} AND ${column} <= ${integer(last)}`;
}

function among(parts: readonly string[]): Sql {
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
