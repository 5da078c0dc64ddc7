import { DAY_SECONDS } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** Number of days (UTC) that are checked for wash trades, including the day of the newest block. */
export const WASH_DAYS = 7;

/** Returns the start of the first of the `WASH_DAYS` days. Times are in unix seconds. */
export function washStart(newestBlock: number): number {
  return newestBlock - (newestBlock % DAY_SECONDS) - (WASH_DAYS - 1) * DAY_SECONDS;
}

/** Reads the number of recent days on which trades of a pool count as wash trades. */
export function poolWashQuery(chain: string, pool: string, rollbacks: number) {
  return settledQuery(["pool-wash", chain, pool, rollbacks], async (signal, client): Promise<number> => {
    const until = await indexedTime(client, chain);
    const { sql } =
      sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 DAY) AS day FROM ${table(chain, "dex_trades")}
WHERE pool_address = ${pool} AND timestamp >= ${washStart(until)} AND wash_reason IS NOT NULL
GROUP BY day LIMIT ${WASH_DAYS}`;
    return (await quarry.sql<{ day: string }>(sql, { signal })).rows.length;
  });
}
