import type { PoolTvl } from "@quarry/sdk";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";
import type { Pool } from "./pool.ts";
import type { PoolBalance } from "./pool-balance.ts";

/** Reads the balances of the pool's other tokens, if it has more than two. */
export function otherBalancesQuery({ chain, address, tokens: [, , ...others] }: Pool, tvl: PoolTvl | null) {
  // A pool with unknown balances does not hold its tokens. What its address holds does not belong to the
  // pool.
  const isHolder = tvl?.token_0_balance != null || tvl?.token_1_balance != null;
  return {
    ...liveQuery(["pool-others", chain, address, isHolder], async (signal): Promise<PoolBalance[]> => {
      const list = others.map((token) => token.address);
      const [balances, prices] = await Promise.all([
        isHolder ? readBalances({ chain, address }, list, signal) : new Map<string, number | null>(),
        quarry.latestPrices({ chain, token_address: list, price_type: ROBUST_PRICE }, { signal }),
      ]);
      const priceOf = new Map(prices.prices.map((price) => [price.token_address, price.price_usd]));
      return others.map((token) => {
        const [balance, price] = [balances.get(token.address) ?? null, priceOf.get(token.address) ?? null];
        const value = balance === null || price === null ? null : balance * price;
        return { token, balance, price, value };
      });
    }),
    enabled: others.length > 0,
  };
}

async function readBalances(
  { chain, address }: Pick<Pool, "chain" | "address">,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, number | null>> {
  const { sql } = sqlText`SELECT token_address, balance_token FROM ${table(chain, "token_balances")}
WHERE wallet_address = ${address} AND token_address IN (${listOf(tokens)}) LIMIT ${tokens.length}`;
  const { rows } = await quarry.sql<{ token_address: string; balance_token: number | null }>(sql, { signal });
  return new Map(rows.map(({ token_address, balance_token }) => [token_address, balance_token]));
}
