import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";
import type { Pool } from "./pool.ts";
import type { PoolHoldings } from "./pool-balance.ts";

/** Reads what the pool's address holds, if the pool has more than two tokens. */
export function poolHoldingsQuery({ chain, address, tokens }: Pool) {
  return {
    ...liveQuery(["pool-holdings", chain, address], async (signal): Promise<PoolHoldings> => {
      const list = tokens.map((token) => token.address);
      const { sql } = sqlText`SELECT token_address, balance_token FROM ${table(chain, "token_balances")}
WHERE wallet_address = ${address} AND token_address IN (${listOf(list)}) LIMIT ${list.length}`;
      const [{ rows }, { prices }] = await Promise.all([
        quarry.sql<{ token_address: string; balance_token: number | null }>(sql, { signal }),
        quarry.latestPrices({ chain, token_address: list, price_type: ROBUST_PRICE }, { signal }),
      ]);
      return {
        balances: new Map(rows.map(({ token_address, balance_token }) => [token_address, balance_token])),
        prices: new Map(prices.map(({ token_address, price_usd }) => [token_address, price_usd])),
      };
    }),
    enabled: tokens.length > 2,
  };
}
