import type { Chain } from "../chains/chain.ts";
import { identifier, integer, type Sql, sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import { type TableName, tableOf } from "../schema/tables.ts";
import type { Commit, Engine, QueryLimits } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";

/** What one question may take. */
export const QUESTION_LIMITS: QueryLimits = { memoryBytes: 3 * 1024 ** 3, timeoutMs: 10 * 60_000 };

/** A chain in a store, as it is examined. */
export interface StoredChain {
  engine: Engine;
  chain: string;
  wrappedNative: Hex;
  /** Singletons that the chain lists. */
  singletons: readonly Hex[];
  commit: Commit;
}

/** Consecutive blocks, both ends included. */
export interface BlockSpan {
  first: number;
  last: number;
}

/** What one question of a law is about: some consecutive blocks, and the times that they were made in. */
export interface Scope extends BlockSpan {
  chain: Chain;
  commit: Commit;
  /** Unix seconds of the earliest and the latest of the blocks: lets the engine pass over other months. */
  times: { earliest: number; latest: number };
}

/** Rows that break a law, as its query answers them. */
export interface Damage extends BlockSpan {
  rows: number;
  /** One of them, in words. */
  example: string;
}

/** Something that holds in every sound store. */
export interface Law {
  /** Lower-case words, the same in every version. */
  name: string;
  doc: string;
  /** What a reader gets while it is broken. */
  harm: string;
  /**
   * `blocks`: replacing the damaged blocks mends it. `others`: the fault is mostly not where it shows, and
   * goes with the repair of other findings; only what stays then is replaced.
   */
  cure: "blocks" | "others";
  /** Rows of `Damage`, ascending by `first`. */
  query(scope: Scope): Sql;
}

/** The condition for a table's rows of the scope's blocks. */
export function inScope(table: TableName, { first, last, times }: Scope): Sql {
  const { blockColumn, partitionBy } = tableOf(table);
  const block = identifier(blockColumn);
  const blocks = sql`${block} >= ${integer(first)} AND ${block} <= ${integer(last)}`;
  if (partitionBy === undefined) return blocks;
  const time = identifier(partitionBy);
  return sql`${blocks} AND ${time} >= ${integer(times.earliest)} AND ${time} <= ${integer(times.latest)}`;
}

/** A table of the scope's chain. */
export function from(table: TableName, { chain }: Scope): Sql {
  return engineTable(chain.name, table);
}

/** Groups what is wrong by its block: `faults` gives `n` (the block) and `what` (the fault, in words). */
export function damageByBlock(faults: Sql): Sql {
  return sql`SELECT n AS first, n AS last, count() AS rows, min(what) AS example
    FROM (${faults}) GROUP BY n ORDER BY n`;
}

/**
 * The bytes of a FixedString as they are. Not by toString(), which cuts zero bytes off the end: the zero address,
 * for one, would be empty text.
 */
export function bytesOf(value: Sql): Sql {
  return sql`substring(${value}, 1)`;
}
