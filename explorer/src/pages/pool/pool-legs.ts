import type { PoolTvl } from "@quarry/sdk";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";

/** The tokens of a pool by their role in its trades. */
export interface Legs {
  /** The token that trades buy and sell; if more than two can be traded, the chosen one. */
  token: PoolToken;
  /**
   * The token in which these trades are paid; null if more than two can be traded, because it may be any of
   * the others.
   */
  quote: PoolToken | null;
  /** Time of the pool's latest trade in unix seconds; null if there was none. */
  newest: number | null;
}

/**
 * Returns the index of the traded token: the token that is not the pool's cash side. Returns null if the
 * liquidity does not show which token that is, for example if neither is cash.
 */
export function tradedTokenByCash(tvl: PoolTvl | null): 0 | 1 | null {
  const cash = tvl?.liquidity_usd ?? null;
  if (tvl === null || cash === null || tvl.token_0_balance_usd === tvl.token_1_balance_usd) return null;
  return cash === tvl.token_0_balance_usd ? 1 : 0;
}

/**
 * Returns the index of the traded token according to the pool's trades; the first token if both have trades,
 * or neither.
 */
export function tradedTokenByTrades({ tokens: [first] }: Pool, traded: readonly string[]): 0 | 1 {
  return traded.length === 0 || traded.includes(first.address) ? 0 : 1;
}

/**
 * Returns whether more than two tokens can be traded, for example if a pool of two tokens also has underlying
 * tokens.
 */
export function hasManyTokens(pool: Pool): boolean {
  return tradableTokens(pool).length > 2;
}

/** Returns all tokens that can be traded in the pool. */
export function tradableTokens({ tokens, underlying }: Pool): PoolToken[] {
  const own = new Set(tokens.map(({ address }) => address));
  return [...tokens, ...underlying.filter(({ address }) => !own.has(address))];
}

/**
 * Returns the chosen token of a pool in which more than two can be traded; by default the most traded one.
 */
export function chosenToken(pool: Pool, chosen: string, traded: readonly string[]): PoolToken {
  const tokens = tradableTokens(pool);
  const wanted = [chosen, ...traded].map((token) => tokens.find(({ address }) => address === token));
  return wanted.find((token) => token !== undefined) ?? pool.tokens[0];
}

/** Returns the tokens in the order of the pool's name. If only two can be traded, the traded one comes first. */
export function namedTokens(pool: Pool, legs: Legs | null): readonly PoolToken[] {
  return legs === null || legs.quote === null ? pool.tokens : [legs.token, legs.quote];
}
