import type { PoolTvl } from "@quarry/sdk";
import type { Pool, PoolToken } from "../../queries/pool/pool.ts";

/** The two tokens of a pool by what they are there for. */
export interface Legs {
  /** The one that is bought and sold. */
  token: PoolToken;
  /** The one that it is paid in. */
  quote: PoolToken;
  /** Time of the pool's newest trade, unix seconds; null where there was none. */
  newest: number | null;
}

/**
 * Which of a pool's tokens is bought and sold: the one that is not cash, or of two that are cash the one that is not
 * the better. Null where the value does not tell, as of two tokens that are both no cash.
 */
export function tradedTokenByCash(tvl: PoolTvl | null): 0 | 1 | null {
  const cash = tvl?.liquidity_usd ?? null;
  if (tvl === null || cash === null || tvl.token_0_balance_usd === tvl.token_1_balance_usd) return null;
  return cash === tvl.token_0_balance_usd ? 1 : 0;
}

/** The same by the trades that there are in the pool; of two tokens that both have trades it is the first. */
export function tradedTokenByTrades({ tokens: [first] }: Pool, traded: readonly string[]): 0 | 1 {
  return traded.length === 0 || traded.includes(first.address) ? 0 : 1;
}
