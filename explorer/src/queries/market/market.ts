import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { DAY_SECONDS } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { columnsOf, listOf, sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";

export const LATEST_TRADES = 40;
/** Interval between the points of a sparkline, in seconds. */
export const SPARK_SECONDS = 1_800;

export interface MarketFigures {
  volume_usd: number | null;
  trades: number;
  traders: number;
}

const TRADE_COLUMNS = [
  "record_index",
  "timestamp",
  "side",
  "token_address",
  "token_symbol",
  "amount_usd",
  "price_token_usd_tick_1",
  "price_token_usd_robust_tick_1",
  "trader_address",
  "transaction_hash",
] as const;

export type Trade = Pick<SqlRow<"dex-trades">, (typeof TRADE_COLUMNS)[number]>;

/**
 * Reads the volume, trades and traders of the whole chain, from 24 hours before a time up to the newest
 * block.
 */
export function marketQuery(chain: string, until: number) {
  return pacedQuery(["market", chain, until], async (signal) => {
    const { sql } = sqlText`SELECT SUM(amount_usd) AS volume_usd, COUNT(*) AS trades,
      COUNT(DISTINCT trader_address) AS traders
      FROM ${table(chain, "dex_trades")} WHERE timestamp > ${until - DAY_SECONDS}`;
    const { rows } = await quarry.sql<MarketFigures>(sql, { signal });
    return rows[0] ?? { volume_usd: null, trades: 0, traders: 0 };
  });
}

/** Periods over which a token's page shows its price change. */
export const LOOKBACKS = ["1h", "24h", "7d"] as const;
export type Lookback = (typeof LOOKBACKS)[number];

export interface SparkPoint {
  token_address: string;
  bucket: string;
  price_usd: number;
}

/**
 * Reads the last robust price of each half hour, from 24 hours before a time up to the newest block, by
 * token.
 */
export function sparksQuery(chain: string, tokens: readonly string[], until: number) {
  return pacedQuery(["sparks", chain, tokens, until], async (signal) => {
    const { sql } = sqlText`SELECT token_address, HISTOGRAM(timestamp, INTERVAL 30 MINUTE) AS bucket,
      LAST(price_token_usd_robust_tick_1, record_index) AS price_usd
      FROM ${table(chain, "dex_trades")}
      WHERE token_address IN (${listOf(tokens)}) AND timestamp > ${until - DAY_SECONDS}
      AND price_token_usd_robust_tick_1 IS NOT NULL
      GROUP BY token_address, bucket ORDER BY bucket LIMIT ${tokens.length * (DAY_SECONDS / SPARK_SECONDS + 1)}`;
    const { rows } = await quarry.sql<SparkPoint>(sql, { signal });
    const points = new Map<string, SparkPoint[]>(tokens.map((token) => [token, []]));
    for (const point of rows) points.get(point.token_address)?.push(point);
    return points;
  });
}

/**
 * Period that is read first, in seconds. Most chains have enough trades for the list within minutes, so older
 * rows of a large index need not be read.
 */
const RECENT_SECONDS = 600;

/** Reads the chain's latest trades, newest first, within the last 24 hours. */
export function latestTradesQuery(chain: string) {
  return liveQuery(["latest trades", chain], async (signal, client) => {
    const until = await indexedTime(client, chain);
    const recent = await tradesSince(chain, until - RECENT_SECONDS, signal);
    return recent.length === LATEST_TRADES ? recent : tradesSince(chain, until - DAY_SECONDS, signal);
  });
}

async function tradesSince(chain: string, since: number, signal: AbortSignal): Promise<Trade[]> {
  const { sql } = sqlText`SELECT ${columnsOf(TRADE_COLUMNS)}
    FROM ${table(chain, "dex_trades")} WHERE timestamp > ${since}
    ORDER BY record_index DESC LIMIT ${LATEST_TRADES}`;
  return (await quarry.sql<Trade>(sql, { signal })).rows;
}

/** How long results for a past time stay cached, in ms, in case the user returns to the page. */
const CACHED_MS = 60_000;

/**
 * Creates a query whose key contains a time. The result for the previous time is shown while the next one
 * loads.
 */
function pacedQuery<T>(queryKey: readonly unknown[], fetch: (signal: AbortSignal) => Promise<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => fetch(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CACHED_MS,
    placeholderData: keepPreviousData,
  });
}
