import type { QueryClient } from "@tanstack/react-query";
import { DAY_SECONDS, HOUR_SECONDS } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import type { TradeSide } from "../market/trade-lists.ts";
import { TRADES_PER_PAGE, type TradeCursor } from "../market/trade-lists.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, type SqlText, sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";

const COLUMNS = [
  "record_index",
  "timestamp",
  "side",
  "amount_token",
  "amounts_unknown_reason",
  "amount_usd",
  "price_token_usd_tick_1",
  "price_token_usd_robust_tick_1",
  "pool_address",
  "protocol_name",
  "trader_address",
  "transaction_hash",
] as const;

export type TokenTrade = Pick<SqlRow<"dex-trades">, (typeof COLUMNS)[number]>;

/** Filters of a token's trades. */
export interface TokenTradesOptions {
  chain: string;
  token: string;
  side: TradeSide;
  minUsd: number;
  /** `all`, or the address of a pool. */
  pool: string;
  /** `all`, or the address of a wallet. */
  trader: string;
}

/** Reads a token's latest trades, newest first. */
export function tokenTradesQuery(options: TokenTradesOptions) {
  return liveQuery(["token trades", options], async (signal, client) =>
    readTrades(options, await endOf(options.chain, client), signal),
  );
}

/** Reads the trades before a cursor. They are read again after each rollback. */
export function olderTokenTradesQuery(options: TokenTradesOptions, before: TradeCursor, rollbacks: number) {
  return settledQuery(["token trades", options, before.record_index, rollbacks], (signal) =>
    readTrades(options, before, signal),
  );
}

async function endOf(chain: string, client: QueryClient): Promise<TradeCursor> {
  return { record_index: Number.MAX_SAFE_INTEGER, timestamp: await indexedTime(client, chain) };
}

/**
 * Periods that are read one after another until a page is full, in seconds. A busy token fills a page within
 * a few hours, so the engine need not sort years of trades. A quiet token needs more.
 */
const SPANS_SECONDS = [6 * HOUR_SECONDS, 30 * DAY_SECONDS];

async function readTrades(
  options: TokenTradesOptions,
  before: TradeCursor,
  signal: AbortSignal,
): Promise<TokenTrade[]> {
  for (const span of SPANS_SECONDS) {
    const rows = await readSince(options, { before, since: before.timestamp - span }, signal);
    if (rows.length === TRADES_PER_PAGE) return rows;
  }
  return readSince(options, { before, since: 0 }, signal);
}

async function readSince(
  options: TokenTradesOptions,
  { before, since }: { before: TradeCursor; since: number },
  signal: AbortSignal,
): Promise<TokenTrade[]> {
  const { sql } = tradesSql(
    options,
    sqlText` AND timestamp >= ${Math.max(0, since)}
AND timestamp <= ${before.timestamp} AND record_index < ${before.record_index}`,
  );
  return (await quarry.sql<TokenTrade>(sql, { signal })).rows;
}

/** Returns the SQL that reads the latest trades that pass the filter. */
export function tradesSql(options: TokenTradesOptions, range: SqlText = { sql: "" }): SqlText {
  return sqlText`SELECT ${columnsOf(COLUMNS)}
FROM ${table(options.chain, "dex_trades")}
WHERE token_address = ${options.token}${conditionsOf(options)}${range}
ORDER BY record_index DESC LIMIT ${TRADES_PER_PAGE}`;
}

function conditionsOf({ side, minUsd, pool, trader }: TokenTradesOptions): SqlText {
  const conditions = [
    side === "all" ? "" : sqlText` AND side = ${side}`.sql,
    minUsd > 0 ? sqlText` AND amount_usd >= ${minUsd}`.sql : "",
    pool === "all" ? "" : sqlText` AND pool_address = ${pool}`.sql,
    trader === "all" ? "" : sqlText` AND trader_address = ${trader}`.sql,
  ];
  return { sql: conditions.join("") };
}
