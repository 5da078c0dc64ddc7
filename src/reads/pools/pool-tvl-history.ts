import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { isWholeFrom } from "../../schema/block.ts";
import type { PriceType } from "../../schema/trade-price.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type Period, readPoolSeries } from "./pool-changes.ts";
import { type PoolFacts, readMoment, readPools } from "./pool-state.ts";
import {
  balancesOf,
  hasId,
  isComplete,
  isShared,
  type PoolBalances,
  type PoolTvl,
  reportsReserves,
  tvlOf,
} from "./pool-value.ts";
import { readSingletonAmountsOver } from "./singleton-history.ts";
import { pointsWithin, timesOf } from "./time-points.ts";
import { stableTridentPools } from "./vaults/trident-pools.ts";
import { readVaultAmountsOver, wholeVaultPools } from "./vaults/vault-pools.ts";
import { wholeSingletons } from "./whole-singletons.ts";

export interface TvlHistoryQuery {
  pool: Hex;
  priceType: PriceType;
  intervalSeconds: number;
  /** Bounds of the points, inclusive, unix seconds. */
  from: number;
  until: number;
  maxSize: number;
  order: "asc" | "desc";
}

export interface TvlHistory {
  tokens: [Hex, Hex];
  points: TvlPoint[];
}

export interface TvlPoint extends PoolTvl {
  /** Unix seconds. */
  at: number;
}

/**
 * Like `readPoolTvls`, but for one pool at many points in time: multiples of an interval, from the pool's
 * creation or the first indexed block up to the newest block. Null if the pool is unknown.
 */
export async function readPoolTvlHistory(
  snapshot: Snapshot,
  query: TvlHistoryQuery,
): Promise<TvlHistory | null> {
  const [facts] = await readPools(snapshot, [query.pool]);
  if (facts === undefined) return null;
  const from = Math.max(query.from, facts.createdAt ?? (await readFirstTime(snapshot)));
  const until = Math.min(query.until, snapshot.commit.timestamp);
  const points = pointsWithin({ ...query, from, until });
  const start = points && (await readMoment(snapshot, points.first));
  const tokens: [Hex, Hex] = [facts.token0, facts.token1];
  if (points === null || start === null) return { tokens, points: [] };
  const history = await readPoints(snapshot, facts, query.priceType, { points, start });
  return { tokens, points: query.order === "asc" ? history : history.reverse() };
}

/** Reads the time of the first indexed block. */
async function readFirstTime({ query, table, commit }: Snapshot): Promise<number> {
  const [first] = await query<{ at: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS at FROM ${table("blocks")}
      WHERE block_number >= ${integer(commit.firstBlock)} ORDER BY block_number LIMIT 1`,
  );
  return first?.at ?? 0;
}

/** Returns the points, oldest first. */
async function readPoints(
  snapshot: Snapshot,
  facts: PoolFacts,
  priceType: PriceType,
  period: Period,
): Promise<TvlPoint[]> {
  const isWhole = isWholeFrom(snapshot.commit.firstBlock);
  const isStableTrident = (await stableTridentPools(snapshot, [facts])).length > 0;
  const isPair = reportsReserves(facts);
  const balances = !isShared(facts) && !hasId(facts) && !(isPair && isComplete(facts, isWhole));
  const [series, amounts] = await Promise.all([
    readPoolSeries(snapshot, facts, { ...period, priceType, reserves: isPair || isStableTrident, balances }),
    readAmounts(snapshot, facts, period),
  ]);
  const { reserves, held, prices, newestTrades } = series;
  return timesOf(period.points).map((at, i) => {
    const inForce = new Map<Hex, number>();
    for (const [token, values] of prices) {
      const price = values[i];
      if (price !== undefined) inForce.set(token, price);
    }
    const state = { reserves: reserves[i], amounts: amounts[i], held: held.map((balances) => balances[i]) };
    const owned = balancesOf(facts, state, isWhole, snapshot.chain);
    return { at, ...tvlOf(facts, owned, inForce, snapshot.chain), newestTrade: newestTrades[i] ?? null };
  });
}

/** Reads the amounts of a pool in a shared contract. Returns an empty list if earlier changes are missing. */
async function readAmounts(
  snapshot: Snapshot,
  facts: PoolFacts,
  { points, start }: Period,
): Promise<(PoolBalances | undefined)[]> {
  const [singleton] = await wholeSingletons(snapshot, [facts]);
  if (singleton !== undefined) return readSingletonAmountsOver(snapshot, singleton, points, start);
  const [inVault] = wholeVaultPools([facts], snapshot.chain);
  return inVault === undefined ? [] : readVaultAmountsOver(snapshot, inVault, points);
}
