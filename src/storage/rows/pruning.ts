import { integer, sql } from "../../engine-sql/sql-text.ts";
import { prunableTables, type RawTable, type StoredScope } from "../../schema/scope.ts";
import type { Engine } from "../store.ts";
import { engineTable } from "../tables/ddl.ts";
import { excerptCondition } from "./excerpts.ts";
import { measurePartition, prunePartition, type Removal, type RemovedRows } from "./row-removal.ts";

/** The numbers of rows and bytes that pruning frees, or would free, in each table. */
export type PrunedTables = Partial<Record<RawTable, RemovedRows>>;

export interface PruneOptions {
  signal?: AbortSignal;
  /** Called after each month of a table. */
  onProgress?: (progress: PruneProgress) => void;
}

export interface PruneProgress {
  table: RawTable;
  /** The month, as `YYYYMM`. */
  month: string;
  /**
   * Number of the table's months that are done, and number of all its months with rows of blocks before
   * `rawFrom`.
   */
  done: number;
  months: number;
}

/**
 * Removes the raw rows of blocks before `rawFrom`, month by month, except for rows that answers depend on.
 * After an interruption, the next run continues.
 */
export function pruneRows(
  engine: Engine,
  chain: string,
  scope: StoredScope,
  options: PruneOptions = {},
): Promise<PrunedTables> {
  return eachMonth(engine, { chain, scope, ...options }, (removal, month) =>
    prunePartition(engine, removal, month),
  );
}

/** Returns the numbers of rows and bytes that `pruneRows` would free. */
export function measurePruning(
  engine: Pick<Engine, "query">,
  chain: string,
  scope: StoredScope,
  options: PruneOptions = {},
): Promise<PrunedTables> {
  return eachMonth(engine, { chain, scope, ...options }, (removal, month) =>
    measurePartition(engine, removal, month),
  );
}

interface MonthsOptions extends PruneOptions {
  chain: string;
  scope: StoredScope;
}

async function eachMonth(
  engine: Pick<Engine, "query">,
  { chain, scope, signal, onProgress }: MonthsOptions,
  remove: (removal: Removal, month: string) => Promise<RemovedRows>,
): Promise<PrunedTables> {
  const pruned: PrunedTables = {};
  const blocks = { first: 0, last: scope.rawFrom - 1 };
  for (const table of prunableTables(scope)) {
    const total = { rows: 0, bytes: 0 };
    const months = await monthsOf(engine, chain, table, blocks.last);
    for (const [i, month] of months.entries()) {
      signal?.throwIfAborted();
      const except = excerptCondition(chain, table, month);
      const { rows, bytes } = await remove({ chain, table, blocks, except }, month);
      total.rows += rows;
      total.bytes += bytes;
      onProgress?.({ table, month, done: i + 1, months: months.length });
    }
    pruned[table] = total;
  }
  return pruned;
}

/** Returns the partitions of a table that have rows up to a block. Each partition is a month. */
async function monthsOf(
  engine: Pick<Engine, "query">,
  chain: string,
  table: RawTable,
  last: number,
): Promise<string[]> {
  const rows = await engine.query<{ month: string }>(sql`SELECT DISTINCT _partition_id AS month
    FROM ${engineTable(chain, table)} WHERE block_number <= ${integer(last)} ORDER BY month`);
  return rows.map(({ month }) => month);
}
