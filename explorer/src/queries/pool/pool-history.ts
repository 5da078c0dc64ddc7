import type { PoolTvlPoint } from "@quarry/sdk";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { HISTORY_POINTS, type HistoryPeriod } from "./history-period.ts";
import type { Pool } from "./pool.ts";

/** Reads the pool's TVL over a period, oldest first. It is read again after each rollback. */
export function poolHistoryQuery({ chain, address }: Pool, period: HistoryPeriod, rollbacks: number) {
  return settledQuery(
    ["pool-history", chain, address, period, rollbacks],
    async (signal): Promise<PoolTvlPoint[]> => {
      const pool = { chain, pool_address: address, price_type: ROBUST_PRICE } as const;
      const query = { ...pool, ...period, max_size: HISTORY_POINTS, order: "asc" } as const;
      return (await quarry.poolTvlHistory(query, { signal })).data;
    },
  );
}
