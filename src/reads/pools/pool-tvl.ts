import { type Chain, cashOf } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import { isWholeFrom } from "../../schema/block.ts";
import { holdingOf } from "../../storage/stored-balances.ts";
import { readPriceTypeInForce } from "../prices/prices-in-force.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PriceType } from "../trades/trade-price.ts";
import {
  type Moment,
  type NewestTrade,
  type PoolFacts,
  readBalances,
  readMoment,
  readNewestTrades,
  readPools,
  readReserves,
} from "./pool-state.ts";
import { readSingletonAmounts } from "./singleton-pools.ts";

/** One side of a pool. Tokens and USD; null where unknown. */
export interface PoolSide {
  token: Hex;
  balance: number | null;
  price: number | null;
  balanceUsd: number | null;
}

export interface PoolTvl {
  pool: Hex;
  /** The newest trade up to the time; null when there is none. */
  newestTrade: NewestTrade | null;
  sides: [PoolSide, PoolSide];
  tvlUsd: number | null;
  /** USD value of the side that is a stable coin or the wrapped native coin; null when neither is. */
  liquidityUsd: number | null;
}

/** V2 pairs report their reserves in events. */
const REPORTS_RESERVES = "uniswap-v2";
/** V4 pools have no balances of their own: the singleton holds the tokens of all pools. */
const IN_SINGLETON = "uniswap-v4";

/**
 * The tokens that pools held at a time, and their value at that time. Unknown pools are left out.
 *
 * @param at unix seconds
 */
export async function readPoolTvls(
  snapshot: Snapshot,
  requested: readonly Hex[],
  priceType: PriceType,
  at: number,
): Promise<Map<Hex, PoolTvl>> {
  const moment = await readMoment(snapshot, at);
  const pools = await readPools(snapshot, requested);
  const tokens = [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))];
  const [balances, trades, prices] = await Promise.all([
    moment === null ? new Map<Hex, PoolBalances>() : readPoolBalances(snapshot, pools, moment),
    moment === null ? new Map<Hex, NewestTrade>() : readNewestTrades(snapshot, pools, moment),
    readPriceTypeInForce(snapshot, tokens, priceType, at),
  ]);
  return new Map(
    pools.map((facts) => {
      const [balance0, balance1] = balances.get(facts.pool) ?? [null, null];
      const sides: [PoolSide, PoolSide] = [
        sideOf(facts.token0, prices, balance0, facts.decimals0),
        sideOf(facts.token1, prices, balance1, facts.decimals1),
      ];
      const newestTrade = trades.get(facts.pool) ?? null;
      return [facts.pool, { pool: facts.pool, newestTrade, sides, ...valuesOf(sides, snapshot.chain) }];
    }),
  );
}

type PoolBalances = [bigint | null, bigint | null];

async function readPoolBalances(
  snapshot: Snapshot,
  pools: readonly PoolFacts[],
  moment: Moment,
): Promise<Map<Hex, PoolBalances>> {
  const existing = pools.filter(({ createdBlock }) => (createdBlock ?? 0) <= moment.block);
  const pairs = existing.filter(({ family }) => family === REPORTS_RESERVES).map(({ pool }) => pool);
  const [reserves, amounts] = await Promise.all([
    readReserves(snapshot, pairs, moment),
    readAmounts(snapshot, existing, moment),
  ]);
  const others = existing.filter(({ pool, family }) => family !== IN_SINGLETON && !reserves.has(pool));
  const holdings = others.flatMap(({ pool, token0, token1 }) => [
    holdingOf(pool, token0),
    holdingOf(pool, token1),
  ]);
  const balances = await readBalances(snapshot, holdings, moment);
  // With every block of the chain indexed, a missing row means that the pool never held the token.
  const isWhole = isWholeFrom(snapshot.commit.firstBlock);
  return new Map(
    existing.map((facts): [Hex, PoolBalances] => {
      const { pool, token0, token1, family, createdBlock } = facts;
      if (family === IN_SINGLETON) return [pool, amounts.get(pool) ?? [null, null]];
      const pair = reserves.get(pool);
      if (pair !== undefined) return [pool, [pair.reserve0, pair.reserve1]];
      const isComplete = isWhole || createdBlock !== null;
      if (isComplete && family === REPORTS_RESERVES) return [pool, [0n, 0n]];
      const held = (token: Hex) => {
        const balance = balances.get(holdingOf(pool, token));
        return balance === undefined && isComplete ? 0n : (balance ?? null);
      };
      return [pool, [held(token0), held(token1)]];
    }),
  );
}

/**
 * Leaves out pools older than the first indexed block, because their earlier changes of liquidity are
 * missing.
 */
function readAmounts(snapshot: Snapshot, pools: readonly PoolFacts[], { block }: Moment) {
  const whole = pools.filter(({ family, createdBlock }) => family === IN_SINGLETON && createdBlock !== null);
  return readSingletonAmounts(
    snapshot,
    whole.map(({ pool }) => pool),
    block,
  );
}

function sideOf(
  token: Hex,
  prices: ReadonlyMap<Hex, number>,
  base: bigint | null,
  decimals: number | null,
): PoolSide {
  const balance = base === null || decimals === null ? null : toUnits(base, decimals);
  const price = prices.get(token) ?? null;
  return { token, balance, price, balanceUsd: product(balance, price) };
}

/** Null where unknown, or beyond the range of doubles. */
function product(amount: number | null, price: number | null): number | null {
  if (amount === null || price === null) return null;
  return Number.isFinite(amount * price) ? amount * price : null;
}

function valuesOf([side0, side1]: [PoolSide, PoolSide], chain: Chain) {
  const isKnown = side0.balanceUsd !== null && side1.balanceUsd !== null;
  const tvlUsd = isKnown ? (side0.balanceUsd ?? 0) + (side1.balanceUsd ?? 0) : null;
  const cash = [...cashOf(chain).keys()].find((token) => token === side0.token || token === side1.token);
  const cashSide = cash === undefined ? null : cash === side0.token ? side0 : side1;
  return { tvlUsd, liquidityUsd: cashSide?.balanceUsd ?? null };
}
