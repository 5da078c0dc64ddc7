import { type Chain, cashOf } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import { POOL_FAMILIES, POOL_FAMILY_NAMES } from "../../schema/pool-families.ts";
import type { HeldBalance, NewestTrade, Reserves } from "../../serving/pools/pool-state.ts";
import type { PoolFacts } from "./pool-state.ts";

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

/** Balances of both tokens in base units; null where unknown. */
export type PoolBalances = readonly [bigint | null, bigint | null];

/** V2 pairs report their reserves in events. */
const REPORTS_RESERVES = "uniswap-v2";
/** V4 pools have no balances of their own: the singleton holds the tokens of all pools. */
const IN_SINGLETON = "uniswap-v4";

/** Families whose pools hold their tokens; the balances of other contracts say nothing about a pool's. */
const HOLDERS: ReadonlySet<string> = new Set(
  POOL_FAMILY_NAMES.filter((family) => POOL_FAMILIES[family].holdsTokens),
);

export function reportsReserves({ family }: Pick<PoolFacts, "family">): boolean {
  return family === REPORTS_RESERVES;
}

export function isInSingleton({ family }: Pick<PoolFacts, "family">): boolean {
  return family === IN_SINGLETON;
}

/**
 * Whether every change of a pool's balances is indexed, so that a missing row means that the pool never held
 * the token.
 *
 * @param isWhole whether every block of the chain is indexed
 */
export function isComplete({ createdBlock }: Pick<PoolFacts, "createdBlock">, isWhole: boolean): boolean {
  return isWhole || createdBlock !== null;
}

/** What the store has about the balances of a pool at a time; undefined where it has no row. */
export interface StoredState {
  /** The last reserves of a V2 pair. */
  reserves: Reserves | undefined;
  /** The amounts of a singleton's pool. */
  amounts: readonly [bigint, bigint] | undefined;
  /** The last balances from transfers; null if transfers do not reveal them. */
  held: readonly [HeldBalance, HeldBalance];
}

/** The balances of an existing pool. */
export function balancesOf(
  facts: Pick<PoolFacts, "family" | "createdBlock">,
  { reserves, amounts, held }: StoredState,
  isWhole: boolean,
): PoolBalances {
  if (isInSingleton(facts)) return amounts ?? [null, null];
  if (!HOLDERS.has(facts.family)) return [null, null];
  if (reserves !== undefined) return [reserves.reserve0, reserves.reserve1];
  const complete = isComplete(facts, isWhole);
  if (complete && reportsReserves(facts)) return [0n, 0n];
  const [held0, held1] = held.map((balance) => (balance === undefined && complete ? 0n : (balance ?? null)));
  return [held0 ?? null, held1 ?? null];
}

/** Prices by token, USD per token. */
export type Prices = Pick<ReadonlyMap<Hex, number>, "get">;

/** The value of a pool at a time. */
export function tvlOf(
  facts: Pick<PoolFacts, "pool" | "token0" | "token1" | "decimals0" | "decimals1">,
  balances: PoolBalances,
  prices: Prices,
  chain: Chain,
): Omit<PoolTvl, "newestTrade"> {
  const { pool, token0, token1, decimals0, decimals1 } = facts;
  const sides: [PoolSide, PoolSide] = [
    sideOf(token0, prices, balances[0], decimals0),
    sideOf(token1, prices, balances[1], decimals1),
  ];
  return { pool, sides, ...valuesOf(sides, chain) };
}

function sideOf(token: Hex, prices: Prices, base: bigint | null, decimals: number | null): PoolSide {
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
