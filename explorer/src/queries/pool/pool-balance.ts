import type { PoolTvl } from "@quarry/sdk";
import type { Pool, PoolToken } from "./pool.ts";

/**
 * A token of a pool, with its balance in tokens, and its price and the value of the balance in US dollars;
 * null if unknown.
 */
export interface PoolBalance {
  token: PoolToken;
  balance: number | null;
  price: number | null;
  value: number | null;
}

/** Returns the balances of the first two tokens, which the API reports with the pool's value. */
export function pairBalances({ tokens: [first, second] }: Pool, tvl: PoolTvl | null): PoolBalance[] {
  return [
    {
      token: first,
      balance: tvl?.token_0_balance ?? null,
      price: tvl?.token_0_price_usd ?? null,
      value: tvl?.token_0_balance_usd ?? null,
    },
    {
      token: second,
      balance: tvl?.token_1_balance ?? null,
      price: tvl?.token_1_price_usd ?? null,
      value: tvl?.token_1_balance_usd ?? null,
    },
  ];
}
