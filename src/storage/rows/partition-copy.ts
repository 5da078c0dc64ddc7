import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { engineCode } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";
import { engineTable, engineTableName, exchangeTableName, tableBody } from "../tables/ddl.ts";
import { requireRoom } from "../tables/free-space.ts";

/**
 * Codes for a part that does not exist, that a replica is merging or dropping, or that not all replicas have
 * yet.
 */
const PART_CODES: readonly (number | undefined)[] = [48, 232, 384];

/** Prevents merges in a table that exists only for the exchange of a partition. */
const NEVER_MERGE = sql`max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`;

/**
 * Settings that sync each insert to disk. A rewritten part may hold rows of any block, but only the newest
 * blocks are checked after a power loss. The table that takes the part over links its files without syncing
 * them, whatever its settings.
 */
export const DURABLE = sql`fsync_after_insert = 1, fsync_part_directory = 1`;

const COPY_SETTINGS = sql`${NEVER_MERGE}, ${DURABLE}`;

/** A change to some rows of some partitions. */
export interface PartitionChange {
  chain: string;
  table: TableName;
  partitions: readonly string[];
  /** Condition for the rows that change. */
  isChanged: Sql;
  /**
   * Prints the query for these rows in their new form, given the table to read and a condition on the rows.
   * If absent, the rows are removed.
   */
  changed?: (from: Sql, where: Sql) => Sql;
  /** Last block of the copy: rows of later blocks are left out. Default: no rows are left out. */
  upTo?: number;
  /** Ends the copying between two statements. */
  signal?: AbortSignal | undefined;
}

/**
 * Removes rows of a partition, in one step for readers: a copy without these rows replaces the partition.
 * That step is atomic for readers but not for crashes: if the engine is killed during it, the old rows remain
 * next to the new ones. So the copy is kept until the step is complete, and the next start repeats the step
 * if it finds a copy.
 *
 * @throws RebuildOvertaken if the partition changed meanwhile; the caller must start over
 */
export async function rebuildPartition(
  engine: Engine,
  { partition, ...change }: Omit<PartitionChange, "partitions" | "changed"> & { partition: string },
): Promise<void> {
  const { chain, table } = change;
  const copy = copyTable(chain, table);
  const rows = await copyPartitions(engine, { ...change, partitions: [partition] }, copy);
  if (rows === 0) {
    // Rows hidden by a manual DELETE still count as rows of their part, so the part was not dropped as a
    // whole.
    await dropPartition(engine, engineTable(chain, table), partition);
    await engine.execute(sql`DROP TABLE ${copy} SYNC`);
    return;
  }
  await engine.execute(sql`RENAME TABLE ${copy} TO ${exchangeTable(chain, table)}`);
  await exchange(engine, chain, table);
}

/**
 * Copies partitions (by hard links), and rewrites the parts of the copy that contain rows to change. Readers
 * do not see the copy.
 *
 * @param copy table to create; one that an interruption left is dropped
 * @returns the number of rows of the copy
 * @throws RebuildOvertaken if the partitions changed meanwhile; the caller must start over
 */
export async function copyPartitions(engine: Engine, change: PartitionChange, copy: Sql): Promise<number> {
  const drop = sql`DROP TABLE IF EXISTS ${copy} SYNC`;
  await engine.execute(drop);
  await requireRoom(engine);
  await engine.execute(sql`CREATE TABLE ${copy} ${tableBody(engine, change.table, COPY_SETTINGS)}`);
  try {
    await addPartitions(engine, change, copy);
    return await countRows(engine, change, copy);
  } catch (error) {
    // An incomplete copy would only take up space. If it cannot be dropped now, the next copy drops it.
    await engine.execute(drop).catch(() => undefined);
    throw error;
  }
}

/** Adds partitions that the copy does not have, with the changes to their rows. */
export async function addPartitions(engine: Engine, change: PartitionChange, copy: Sql): Promise<void> {
  await attachPartitions(engine, change, copy);
  await rewriteParts(engine, change, copy);
}

/** Adds partitions to the copy as they are. */
export async function attachPartitions(
  engine: Engine,
  { chain, table, partitions, signal }: Omit<PartitionChange, "isChanged">,
  copy: Sql,
): Promise<void> {
  const from = engineTable(chain, table);
  for (const partition of partitions) {
    signal?.throwIfAborted();
    await engine.execute(sql`ALTER TABLE ${copy} ATTACH ${partitionClause(partition)} FROM ${from}`);
  }
}

/** Replaces the partitions of a table with those of a complete copy. Repeating it changes nothing. */
export async function replacePartitions(engine: Engine, table: Sql, copy: Sql): Promise<void> {
  for (const partition of await partitionsIn(engine, sql`FROM ${copy}`))
    await replacePartition(engine, table, { partition, copy });
}

export function replacePartition(
  engine: Engine,
  table: Sql,
  { partition, copy }: { partition: string; copy: Sql },
): Promise<void> {
  return engine.execute(sql`ALTER TABLE ${table} REPLACE ${partitionClause(partition)} FROM ${copy}`);
}

export function dropPartition(engine: Engine, table: Sql, partition: string): Promise<void> {
  return engine.execute(sql`ALTER TABLE ${table} DROP ${partitionClause(partition)}`);
}

/** Returns the partitions of the rows that a query finds, given its clauses from FROM on. */
export async function partitionsIn(engine: Engine, from: Sql): Promise<string[]> {
  const rows = await engine.query<{ id: string }>(sql`SELECT DISTINCT _partition_id AS id ${from}`);
  return rows.map(({ id }) => id);
}

export async function dropParts(engine: Engine, table: Sql, parts: readonly string[]): Promise<void> {
  for (const part of parts) await engine.execute(sql`ALTER TABLE ${table} DROP PART ${text(part)}`);
}

/** Repeats exchanges that a crash interrupted. Must be called before any other write. */
export async function finishExchanges(engine: Engine, chain: string): Promise<void> {
  for (const table of await pendingExchanges(engine, chain)) await exchange(engine, chain, table);
}

/** Returns the tables in which a crash interrupted an exchange: some of their rows may exist twice. */
export async function pendingExchanges(engine: Pick<Engine, "query">, chain: string): Promise<TableName[]> {
  const names = TABLE_NAMES.map((table) => text(exchangeTableName(chain, table)));
  const found = await engine.query<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN (${join(names)})`,
  );
  const pending = new Set(found.map(({ name }) => name));
  return TABLE_NAMES.filter((table) => pending.has(exchangeTableName(chain, table)));
}

/**
 * Names the copy of a partition. A copy with this name is complete: its rows must replace the partition's
 * rows.
 */
function exchangeTable(chain: string, table: TableName): Sql {
  return identifier(exchangeTableName(chain, table));
}

/** Names a copy that is incomplete, or no longer needed. */
function copyTable(chain: string, table: TableName): Sql {
  return identifier(`${engineTableName(chain, table)}_copy`);
}

/**
 * Replaces partitions with those of the complete copy. Readers wait while that copy exists, but not while its
 * files are deleted.
 */
async function exchange(engine: Engine, chain: string, table: TableName): Promise<void> {
  const [complete, done] = [exchangeTable(chain, table), copyTable(chain, table)];
  await replacePartitions(engine, engineTable(chain, table), complete);
  await engine.execute(sql`RENAME TABLE ${complete} TO ${done}`);
  await engine.execute(sql`DROP TABLE ${done} SYNC`);
}

function partitionClause(partition: string): Sql {
  return sql`PARTITION ID ${text(partition)}`;
}

/**
 * Rewrites the parts of the copy that contain rows to change. Meanwhile, some rows of the copy exist twice.
 */
async function rewriteParts(engine: Engine, change: PartitionChange, copy: Sql): Promise<void> {
  const { partitions, isChanged, changed } = change;
  if (partitions.length === 0) return;
  const isLater = isLaterIn(change);
  const parts = await engine.query<{ part: string }>(
    sql`SELECT DISTINCT _part AS part FROM ${copy} WHERE ${isWithinPartitions(partitions)}
      AND (${isLater} OR ${isChanged})`,
  );
  const names = parts.map(({ part }) => part);
  if (names.length === 0) return;
  const stays = sql`_part IN (${join(names.map(text))}) AND NOT (${isLater})`;
  await engine.execute(sql`INSERT INTO ${copy} SELECT * FROM ${copy} WHERE ${stays} AND NOT (${isChanged})`);
  change.signal?.throwIfAborted();
  if (changed !== undefined) await engine.execute(sql`INSERT INTO ${copy} ${changed(copy, stays)}`);
  change.signal?.throwIfAborted();
  await dropParts(engine, copy, names);
}

function isLaterIn({ table, upTo }: PartitionChange): Sql {
  return upTo === undefined ? sql`0` : sql`${identifier(tableOf(table).blockColumn)} > ${integer(upTo)}`;
}

export function isWithinPartitions(partitions: readonly string[]): Sql {
  return partitions.length === 0 ? sql`0` : sql`_partition_id IN (${join(partitions.map(text))})`;
}

/**
 * Returns the number of rows of the copy.
 *
 * @throws RebuildOvertaken if the copy does not have as many rows as the changed partitions would have
 */
export async function countRows(engine: Engine, change: PartitionChange, copy: Sql): Promise<number> {
  const { chain, table, partitions, isChanged, changed } = change;
  const stay = changed === undefined ? sql`NOT (${isChanged})` : sql`1`;
  const [counts] = await engine.query<{ kept: number; copied: number }>(
    sql`SELECT (SELECT count() FROM ${engineTable(chain, table)} WHERE ${isWithinPartitions(partitions)} AND ${stay}
      AND NOT (${isLaterIn(change)})) AS kept, (SELECT count() FROM ${copy}) AS copied`,
  );
  if (counts === undefined || counts.kept !== counts.copied) throw new RebuildOvertaken(chain);
  return counts.kept;
}

/**
 * Maximum number of attempts. A merge may replace a part of the table while it is copied; then the copy
 * starts over.
 */
const MAX_ATTEMPTS = 20;

/**
 * Repeats work that failed because a merge replaced a part in the meantime.
 *
 * @throws RebuildOvertaken if this happens too often
 */
export async function repeatWhileOvertaken<T>(chain: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new RebuildOvertaken(chain);
}

/**
 * Returns whether a change failed because a merge replaced a part in the meantime. The caller must then start
 * over.
 */
export function isOvertaken(error: unknown): boolean {
  if (error instanceof RebuildOvertaken) return true;
  return error instanceof BaseError && PART_CODES.includes(engineCode(error.cause));
}

export class RebuildOvertaken extends BaseError {
  constructor(chain: string) {
    super("engine", `Could not change rows of ${chain}: the tables kept changing. Try again.`, {
      retryable: true,
    });
  }
}
