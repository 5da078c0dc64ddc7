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

interface TvlQuestion {
  pools: readonly Hex[];
  priceType: PriceType;
  /** Unix seconds. */
  at: number;
}

/** One side of a pool. Tokens and USD; null where it is not known. */
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
  /** USD value of the side that is cash; null when none is. */
  liquidityUsd: number | null;
}

/** V2 pairs tell what they hold; what others hold are their balances, but for those that are in a singleton. */
const TELLS_RESERVES = "uniswap-v2";
const IN_SINGLETON = "uniswap-v4";

/** What pools held at a time, and what that was worth then. Pools that are not known are left out. */
export async function readPoolTvls(snapshot: Snapshot, question: TvlQuestion): Promise<Map<Hex, PoolTvl>> {
  const moment = await readMoment(snapshot, question.at);
  const pools = await readPools(snapshot, question.pools);
  const tokens = [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))];
  const [balances, trades, prices] = await Promise.all([
    moment === null ? new Map<Hex, PoolBalances>() : readPoolBalances(snapshot, pools, moment),
    moment === null ? new Map<Hex, NewestTrade>() : readNewestTrades(snapshot, pools, moment),
    readPriceTypeInForce(snapshot, { tokens, priceType: question.priceType, at: question.at }),
  ]);
  return new Map(
    pools.map((facts) => {
      const [balance0, balance1] = balances.get(facts.pool) ?? [null, null];
      const sides: [PoolSide, PoolSide] = [
        sideOf(facts.token0, prices, { balance: balance0, decimals: facts.decimals0 }),
        sideOf(facts.token1, prices, { balance: balance1, decimals: facts.decimals1 }),
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
  const pairs = existing.filter(({ family }) => family === TELLS_RESERVES).map(({ pool }) => pool);
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
  // Then nothing is missing: what there is no row of was never held.
  const isWhole = isWholeFrom(snapshot.commit.firstBlock);
  return new Map(
    existing.map((facts): [Hex, PoolBalances] => {
      const { pool, token0, token1, family, createdBlock } = facts;
      if (family === IN_SINGLETON) return [pool, amounts.get(pool) ?? [null, null]];
      const pair = reserves.get(pool);
      if (pair !== undefined) return [pool, [pair.reserve0, pair.reserve1]];
      const isBorn = isWhole || createdBlock !== null;
      if (isBorn && family === TELLS_RESERVES) return [pool, [0n, 0n]];
      const held = (token: Hex) => {
        const balance = balances.get(holdingOf(pool, token));
        return balance === undefined && isBorn ? 0n : (balance ?? null);
      };
      return [pool, [held(token0), held(token1)]];
    }),
  );
}

/** Of older pools, earlier changes of liquidity are missing. */
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
  { balance: base, decimals }: { balance: bigint | null; decimals: number | null },
): PoolSide {
  const balance = base === null || decimals === null ? null : toUnits(base, decimals);
  const price = prices.get(token) ?? null;
  return { token, balance, price, balanceUsd: product(balance, price) };
}

/** Doubles end somewhere: what is beyond is not known. */
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
