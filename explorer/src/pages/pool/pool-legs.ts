import type { PoolTvl } from "@quarry/sdk";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";

/** The two tokens of a pool by their role in its trades. */
export interface Legs {
  /** The token that trades buy and sell. */
  token: PoolToken;
  /** The token that pays for it. */
  quote: PoolToken;
  /** Time of the pool's latest trade in unix seconds; null if there was none. */
  newest: number | null;
}

/**
 * The index of the traded token: the one that is not cash, or the lesser of two cash tokens. Null if the
 * liquidity does not show it, for example if neither token is cash.
 */
export function tradedTokenByCash(tvl: PoolTvl | null): 0 | 1 | null {
  const cash = tvl?.liquidity_usd ?? null;
  if (tvl === null || cash === null || tvl.token_0_balance_usd === tvl.token_1_balance_usd) return null;
  return cash === tvl.token_0_balance_usd ? 1 : 0;
}

/** The index of the traded token by the pool's trades; the first token if both have trades. */
export function tradedTokenByTrades({ tokens: [first] }: Pool, traded: readonly string[]): 0 | 1 {
  return traded.length === 0 || traded.includes(first.address) ? 0 : 1;
}
