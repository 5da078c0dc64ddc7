import { type Chain, scopeOf } from "../chains/chain.ts";
import { identifier, integer, type Sql, sql } from "../engine-sql/sql-text.ts";
import { completeFrom, countedFrom } from "../schema/scope.ts";
import { type TableName, tableOf } from "../schema/tables.ts";
import type { Commit, Engine, QueryLimits } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";

export const QUERY_LIMITS: QueryLimits = { memoryBytes: 3 * 1024 ** 3, timeoutMs: 10 * 60_000 };

export interface StoredChain {
  engine: Engine;
  chain: Chain;
  commit: Commit;
}

/** Consecutive blocks, both ends included. */
export interface BlockSpan {
  first: number;
  last: number;
}

/** The consecutive blocks that one query checks, and the range of their times. */
export interface Scope extends BlockSpan {
  chain: Chain;
  commit: Commit;
  /** Times of the earliest and the latest block, in Unix seconds. They let the engine skip other months. */
  times: { earliest: number; latest: number };
}

/** One row of the result of an invariant's query: a span of blocks with rows that break the invariant. */
export interface Damage extends BlockSpan {
  rows: number;
  /** One of the rows, in words. */
  example: string;
}

/**
 * Tables whose rows an invariant needs: all of them (`complete`), or as many as `blocks` states (`counted`).
 */
export interface NeededRows {
  complete?: readonly TableName[];
  counted?: readonly TableName[];
}

/** Returns the first block from which the rows that an invariant needs are stored; null if they never are. */
export function checkedFrom({ complete = [], counted = [] }: NeededRows, chain: Chain): number | null {
  const scope = scopeOf(chain);
  const froms = [
    ...complete.map((table) => completeFrom(scope, table)),
    ...counted.map((table) => countedFrom(scope, table)),
  ];
  return froms.reduce((a, b) => (a === null || b === null ? null : Math.max(a, b)), 0);
}

/** A condition that holds in every undamaged store. */
export interface Invariant {
  /** Lower-case words that stay the same in every version. */
  name: string;
  doc: string;
  /** The effect on readers while the invariant is broken. */
  impact: string;
  /**
   * `blocks`: replace the damaged blocks. `others`: repair the other findings first, because the cause is
   * usually in other blocks than the symptoms. Then replace only what is still damaged.
   */
  remedy: "blocks" | "others";
  /**
   * Tables that must hold all their rows, or as many as `blocks` states. Otherwise, the invariant cannot be
   * checked.
   */
  needs?: NeededRows;
  /** Returns a query for rows of `Damage`, ascending by `first`. */
  query(scope: Scope): Sql;
}

/** Returns the condition that selects a table's rows of the scope's blocks. */
export function inScope(table: TableName, { first, last, times }: Scope): Sql {
  const { blockColumn, partitionBy } = tableOf(table);
  const block = identifier(blockColumn);
  const blocks = sql`${block} >= ${integer(first)} AND ${block} <= ${integer(last)}`;
  if (partitionBy === undefined) return blocks;
  const time = identifier(partitionBy);
  return sql`${blocks} AND ${time} >= ${integer(times.earliest)} AND ${time} <= ${integer(times.latest)}`;
}

/** Returns a table of the scope's chain. */
export function from(table: TableName, { chain }: Scope): Sql {
  return engineTable(chain.name, table);
}

/**
 * Returns a query for one row of `Damage` per damaged block. `faults` selects `n` (the block) and `what` (the
 * fault in words).
 */
export function damageByBlock(faults: Sql): Sql {
  return sql`SELECT n AS first, n AS last, count() AS rows, min(what) AS example
    FROM (${faults}) GROUP BY n ORDER BY n`;
}

/**
 * Returns all bytes of a FixedString. toString() would drop trailing zero bytes, so the zero address would be
 * an empty string.
 */
export function bytesOf(value: Sql): Sql {
  return sql`substring(${value}, 1)`;
}
