import { DAY_SECONDS } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** Number of days before the newest block that are checked for wash trades. */
export const WASH_DAYS = 7;

/** Reads on how many of the last days trades of a pool count as wash trades. */
export function poolWashQuery(chain: string, pool: string) {
  return settledQuery(["pool-wash", chain, pool], async (signal, client): Promise<number> => {
    const until = await indexedTime(client, chain);
    const { sql } =
      sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 DAY) AS day FROM ${table(chain, "dex_trades")}
WHERE pool_address = ${pool} AND timestamp > ${until - WASH_DAYS * DAY_SECONDS} AND wash_reason IS NOT NULL
GROUP BY day LIMIT ${WASH_DAYS + 1}`;
    return (await quarry.sql<{ day: string }>(sql, { signal })).rows.length;
  });
}
