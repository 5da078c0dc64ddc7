import { integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { isMarked } from "../../schema/pool-families.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PoolRow } from "./pool-state.ts";
import { isInSingleton } from "./pool-value.ts";

/**
 * Selects pools of a singleton, except pools with missing liquidity changes: pools created before the first
 * indexed block, or before a block that was stored without the logs of their singleton.
 */
export async function wholeSingletons(snapshot: Snapshot, pools: readonly PoolRow[]): Promise<Hex[]> {
  const inside = pools.filter(isInSingleton);
  const marked = inside.filter(({ family }) => isMarked(family));
  const unlogged = await newestUnlogged(snapshot, marked);
  const isWhole = ({ family, factory, createdBlock }: PoolRow) =>
    createdBlock !== null && (!isMarked(family) || createdBlock > (unlogged.get(factory) ?? -1));
  return inside.filter(isWhole).map(({ pool }) => pool);
}

/** Prints a condition that is true for blocks whose logs of a singleton are in `singleton_logs`. */
export function namesSingleton(singleton: Hex): Sql {
  return sql`position(logged_singletons, ${text(singleton)}) > 0`;
}

/**
 * Reads, for each singleton, the newest block stored without its logs. Ignores blocks before the oldest of
 * these pools.
 */
async function newestUnlogged(
  { query, table, commit }: Snapshot,
  pools: readonly PoolRow[],
): Promise<Map<Hex, number>> {
  const created = pools.flatMap(({ createdBlock }) => (createdBlock === null ? [] : [createdBlock]));
  const found = new Map<Hex, number>();
  if (created.length === 0) return found;
  const isSince = sql`block_number >= ${integer(Math.min(...created))}`;
  for (const singleton of new Set(pools.map(({ factory }) => factory))) {
    const [newest] = await query<{ block: number }>(
      sql`SELECT block_number AS block FROM ${table("blocks")} WHERE ${isSince}
        AND block_number <= ${integer(commit.blockNumber)} AND NOT (${namesSingleton(singleton)})
        ORDER BY block_number DESC LIMIT 1`,
    );
    if (newest !== undefined) found.set(singleton, newest.block);
  }
  return found;
}
