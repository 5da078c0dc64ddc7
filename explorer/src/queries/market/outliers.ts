import { keepPreviousData } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** Maximum number of outliers marked in a chart; those with the highest value are marked. */
export const MAX_OUTLIERS = 200;

export interface Outlier {
  record_index: number;
  timestamp: string;
  price_token_usd_tick_1: number;
  amount_usd: number | null;
}

export interface Outliers {
  /** In chronological order. */
  shown: Outlier[];
  /** Number of outliers, including hidden ones. */
  count: number;
}

/**
 * Reads the trades of a token in a time range that have a price but no robust price. Times are in unix
 * seconds.
 */
export function outliersQuery(options: {
  chain: string;
  token: string;
  pool: string;
  from: number;
  until: number;
}) {
  const { chain, token, pool, from, until } = options;
  const fetch = async (signal: AbortSignal): Promise<Outliers> => {
    const rows = sqlText`FROM ${table(chain, "dex_trades")} WHERE token_address = ${token}
AND timestamp >= ${from} AND timestamp <= ${until}${pool === "all" ? { sql: "" } : sqlText` AND pool_address = ${pool}`}
AND price_token_usd_robust_tick_1 IS NULL AND price_token_usd_tick_1 IS NOT NULL`;
    const shown = sqlText`SELECT record_index, timestamp, price_token_usd_tick_1, amount_usd ${rows}
ORDER BY amount_usd DESC LIMIT ${MAX_OUTLIERS}`;
    const [answer, counted] = await Promise.all([
      quarry.sql<Outlier>(shown.sql, { signal }),
      quarry.sql<{ count: number }>(sqlText`SELECT COUNT(*) AS count ${rows}`.sql, { signal }),
    ]);
    const inOrder = answer.rows.toSorted((a, b) => a.record_index - b.record_index);
    return { shown: inOrder, count: counted.rows[0]?.count ?? 0 };
  };
  return { ...liveQuery(["outliers", options], fetch), placeholderData: keepPreviousData };
}
