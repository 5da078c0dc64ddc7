import { isoTime, parseTime } from "../../format/time.ts";
import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";
import { type Flow, fillPeriods, flowPeriod } from "./flow-periods.ts";

export interface WalletFlowOptions {
  chain: string;
  wallet: string;
  /** Times of the wallet's first and last trade, in unix seconds. */
  first: number;
  last: number;
}

const MAX_ROWS = 1_000;

interface FlowRow {
  time: string;
  bought: number | null;
  sold: number | null;
  unvalued: number;
}

/**
 * Reads purchases and sales of all tokens over time. The key contains the last trade, so each new trade
 * causes a new request, as does each rollback.
 */
export function walletFlowQuery(options: WalletFlowOptions, rollbacks: number) {
  return settledQuery(["wallet-flow", options, rollbacks], async (signal): Promise<Flow[]> => {
    const { chain, wallet, first, last } = options;
    const interval = { sql: flowPeriod(first, last).sql };
    const { sql } = sqlText`SELECT HISTOGRAM(timestamp, INTERVAL ${interval}) AS time,
SUM(CASE WHEN side = 'buy' THEN amount_usd END) AS bought, SUM(CASE WHEN side = 'sell' THEN amount_usd END) AS sold,
SUM(CASE WHEN amount_usd IS NULL THEN 1 ELSE 0 END) AS unvalued
FROM ${table(chain, "dex_trades")}
WHERE trader_address = ${wallet} AND timestamp >= ${isoTime(first)} AND timestamp <= ${isoTime(last)}
GROUP BY time ORDER BY time LIMIT ${MAX_ROWS}`;
    const { rows } = await quarry.sql<FlowRow>(sql, { signal });
    return fillPeriods(rows.map(flowOf), flowPeriod(first, last).seconds);
  });
}

function flowOf({ time, bought, sold, unvalued }: FlowRow): Flow {
  return { time: parseTime(time), bought: bought ?? 0, sold: sold ?? 0, unvalued };
}
