import { type Chain, cashOf, mayHoldNative } from "../../chains/chain.ts";
import { type Hex, isHex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import { isLogged, POOL_FAMILIES, POOL_FAMILY_NAMES, type PoolFamily } from "../../schema/pool-families.ts";
import type { HeldBalance, NewestTrade, Reserves } from "../../serving/pools/pool-state.ts";
import type { PoolFacts } from "./pool-state.ts";

/** A token in a pool: its balance in tokens, its price and its value in USD; null where unknown. */
export interface PoolSide {
  token: Hex;
  balance: number | null;
  price: number | null;
  balanceUsd: number | null;
}

export interface PoolTvl {
  pool: Hex;
  /** The newest trade at or before the time of the balances; null if there is none. */
  newestTrade: NewestTrade | null;
  /** The first two tokens. */
  sides: [PoolSide, PoolSide];
  /** USD value of all tokens; null if the value of any one is unknown. */
  tvlUsd: number | null;
  /**
   * USD value of one token of the pool: the first of the chain's stablecoins that is in the pool or, if there
   * is none, the wrapped native coin. Null if the pool has neither, or if the value is unknown.
   */
  liquidityUsd: number | null;
}

/** Balances of a pool's tokens in base units; null where unknown. */
export type PoolBalances = readonly (bigint | null)[];

/** The family of V2 pairs, which report their reserves in events. */
const REPORTS_RESERVES = "uniswap-v2";
/**
 * Families in which one contract accounts for the tokens of all pools and reports every change of a pool's
 * balances in its events.
 */
const IN_VAULT: ReadonlySet<string> = new Set<PoolFamily>([
  "balancer-v2",
  "balancer-v3",
  "ekubo",
  "pancake-infinity-bin",
]);

/**
 * Families whose pools hold their own tokens. For other families, the balances of the pool's own contract do
 * not show which tokens belong to the pool.
 */
const HOLDERS: ReadonlySet<string> = new Set(
  POOL_FAMILY_NAMES.filter((family) => POOL_FAMILIES[family].holdsTokens),
);

export function reportsReserves({ family }: Pick<PoolFacts, "family">): boolean {
  return family === REPORTS_RESERVES;
}

/** Returns whether a pool is in a singleton, whose logs determine the pool's balances. */
export function isInSingleton({ family }: Pick<PoolFacts, "family">): boolean {
  return isLogged(family);
}

export function isInVault({ family }: Pick<PoolFacts, "family">): boolean {
  return IN_VAULT.has(family);
}

/** Returns whether a pool has an id instead of an address. If so, no transfer names it. */
export function hasId({ pool }: Pick<PoolFacts, "pool">): boolean {
  return !isHex(pool, 20);
}

/** Returns whether a pool's balances are determined by the events of a shared contract, not by transfers. */
export function isShared(facts: Pick<PoolFacts, "family">): boolean {
  return isInSingleton(facts) || isInVault(facts);
}

/**
 * Returns whether every change of a pool's balances is indexed, so that a missing row means that the pool
 * never held the token.
 *
 * @param isWhole whether every block of the chain is indexed
 */
export function isComplete({ createdBlock }: Pick<PoolFacts, "createdBlock">, isWhole: boolean): boolean {
  return isWhole || createdBlock !== null;
}

/**
 * The stored balances of a pool at a given time. A field, or a balance in `held`, is undefined if there is no
 * row.
 */
export interface StoredState {
  /** The last reserves of a V2 pair or a stable Trident pool. */
  reserves: Reserves | undefined;
  /** The amounts of a pool whose tokens are in a shared contract. */
  amounts: PoolBalances | undefined;
  /** The last balances of the tokens from transfers; null if transfers do not determine them. */
  held: readonly HeldBalance[];
}

/** Returns the balances of an existing pool. */
export function balancesOf(
  facts: Pick<PoolFacts, "pool" | "family" | "factory" | "tokens" | "createdBlock">,
  { reserves, amounts, held }: StoredState,
  isWhole: boolean,
  chain: Chain,
): PoolBalances {
  const unknown = facts.tokens.map(() => null);
  if (isShared(facts)) return amounts ?? unknown;
  if (reserves !== undefined) return [reserves.reserve0, reserves.reserve1];
  if (!HOLDERS.has(facts.family)) return unknown;
  const complete = isComplete(facts, isWhole);
  if (complete && reportsReserves(facts)) return [0n, 0n];
  const hidden = mayHoldNative(chain, facts.pool, facts.factory) ? chain.wrappedNative : null;
  return facts.tokens.map((token, i) => {
    if (token === null || token === hidden) return null;
    return held[i] === undefined && complete ? 0n : (held[i] ?? null);
  });
}

/** Prices by token, USD per token. */
export type Prices = Pick<ReadonlyMap<Hex, number>, "get">;

/** Returns the value of a pool, computed from its balances and from prices as of the same time. */
export function tvlOf(
  facts: Pick<PoolFacts, "pool" | "token0" | "token1" | "tokens" | "decimals">,
  balances: PoolBalances,
  prices: Prices,
  chain: Chain,
): Omit<PoolTvl, "newestTrade"> {
  const { pool, token0, token1, tokens, decimals } = facts;
  const all = tokens.map((token, i) =>
    token === null ? null : sideOf(token, prices, balances[i] ?? null, decimals[i] ?? null),
  );
  const known = all.filter((side) => side !== null);
  const sideIn = (token: Hex, index: 0 | 1) => {
    // Both tokens of a pool of the native coin and its wrapped token are the same.
    const own = all[index]?.token === token ? all[index] : known.find((side) => side.token === token);
    return own ?? sideOf(token, prices, null, null);
  };
  const tvlUsd = all.includes(null) ? null : sumOf(known.map(({ balanceUsd }) => balanceUsd));
  return {
    pool,
    sides: [sideIn(token0, 0), sideIn(token1, 1)],
    tvlUsd,
    liquidityUsd: liquidityOf(known, chain),
  };
}

function sideOf(token: Hex, prices: Prices, base: bigint | null, decimals: number | null): PoolSide {
  const balance = base === null || decimals === null ? null : toUnits(base, decimals);
  const price = prices.get(token) ?? null;
  return { token, balance, price, balanceUsd: product(balance, price) };
}

/** Returns a product; null if a factor is unknown, or if the product is beyond the range of doubles. */
function product(amount: number | null, price: number | null): number | null {
  if (amount === null || price === null) return null;
  return Number.isFinite(amount * price) ? amount * price : null;
}

/** Returns a sum; null if any value is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

function liquidityOf(sides: readonly PoolSide[], chain: Chain): number | null {
  const cash = [...cashOf(chain).keys()].find((coin) => sides.some(({ token }) => token === coin));
  return sides.find(({ token }) => token === cash)?.balanceUsd ?? null;
}
