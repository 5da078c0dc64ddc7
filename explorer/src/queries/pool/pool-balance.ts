import type { PoolTvl } from "@quarry/sdk";
import type { Pool, PoolToken } from "./pool.ts";

/**
 * A pool's balance of a token, in tokens, with its price and value in US dollars; null if unknown. Covers
 * several tokens if only their total value is known.
 */
export interface PoolBalance {
  tokens: readonly [PoolToken, ...PoolToken[]];
  balance: number | null;
  price: number | null;
  value: number | null;
}

/** Tokens held by a pool's address. Anyone can send tokens to it, so some may not belong to the pool. */
export interface PoolHoldings {
  /** Amounts in tokens, by token; null if unknown. */
  balances: ReadonlyMap<string, number | null>;
  /** Prices in US dollars, by token; null if unknown. */
  prices: ReadonlyMap<string, number | null>;
}

export const NO_HOLDINGS: PoolHoldings = { balances: new Map(), prices: new Map() };

/** Returns the balances of the first two tokens, which the API reports with the pool's value. */
export function pairBalances({ tokens: [first, second] }: Pool, tvl: PoolTvl | null): PoolBalance[] {
  return [
    {
      tokens: [first],
      balance: tvl?.token_0_balance ?? null,
      price: tvl?.token_0_price_usd ?? null,
      value: tvl?.token_0_balance_usd ?? null,
    },
    {
      tokens: [second],
      balance: tvl?.token_1_balance ?? null,
      price: tvl?.token_1_price_usd ?? null,
      value: tvl?.token_1_balance_usd ?? null,
    },
  ];
}

/**
 * Returns the balances of the other tokens. The API reports only their total value. If the pool itself holds
 * its tokens, the balances are what its address holds. Otherwise, for example for Balancer V2, they follow
 * from the total value.
 */
export function otherBalances(pool: Pool, tvl: PoolTvl | null, holdings: PoolHoldings): PoolBalance[] {
  const [, , token, ...more] = pool.tokens;
  if (token === undefined) return [];
  const others = [token, ...more] as const;
  const total = othersValue(tvl);
  const held = others.map((each) => heldBalance(pool, each, holdings));
  if (holdsItsTokens(pool, tvl, holdings) && (total === null || isNear(sumOfValues(held), total)))
    return held;
  if (total === null) return held.map((each) => ({ ...each, balance: null, value: null }));
  if (more.length > 0) return [{ tokens: others, balance: null, price: null, value: total }];
  const price = holdings.prices.get(token.address) ?? null;
  return [{ tokens: [token], balance: price === null ? null : rounded(total / price), price, value: total }];
}

/** Returns the value of all tokens but the first two; null if unknown. */
function othersValue(tvl: PoolTvl | null): number | null {
  const { token_0_balance_usd: first, token_1_balance_usd: second, tvl_usd: sum } = tvl ?? {};
  return first == null || second == null || sum == null ? null : Math.max(0, sum - first - second);
}

function heldBalance({ created }: Pool, token: PoolToken, { balances, prices }: PoolHoldings): PoolBalance {
  const known = balances.get(token.address);
  // The transfers of an older pool are not all indexed.
  const balance = known === undefined ? (created === null ? null : 0) : known;
  const price = prices.get(token.address) ?? null;
  return {
    tokens: [token],
    balance,
    price,
    value: balance === null || price === null ? null : balance * price,
  };
}

/** Returns whether the pool's address holds the balances that the API reports for the first two tokens. */
function holdsItsTokens(pool: Pool, tvl: PoolTvl | null, { balances }: PoolHoldings): boolean {
  const known = pairBalances(pool, tvl).filter(({ balance }) => balance !== null && balance > 0);
  return (
    known.length > 0 &&
    known.every(({ tokens: [{ address }], balance }) => isNear(balances.get(address) ?? null, balance ?? 0))
  );
}

function sumOfValues(balances: readonly PoolBalance[]): number | null {
  return balances.reduce<number | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + value),
    0,
  );
}

/** Maximum relative difference between two readings of an amount: a block between them may change it. */
const MAX_DIFFERENCE = 0.01;

function isNear(amount: number | null, expected: number): boolean {
  return amount !== null && Math.abs(amount - expected) <= MAX_DIFFERENCE * expected;
}

/** Significant digits of a balance that is computed from values, which are rounded. */
const COMPUTED_DIGITS = 10;

function rounded(amount: number): number {
  return Number(amount.toPrecision(COMPUTED_DIGITS));
}
