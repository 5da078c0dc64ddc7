import { DAY_SECONDS } from "../../format/time.ts";
import type { TradeSide } from "../market/trade-lists.ts";
import { TRADES_PER_PAGE, type TradeCursor } from "../market/trade-lists.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, listOf, type SqlText, sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";

const COLUMNS = [
  "timestamp",
  "record_index",
  "side",
  "price_token_usd_tick_1",
  "price_token_usd_robust_tick_1",
  "token_address",
  "token_symbol",
  "amount_token",
  "quote_address",
  "amount_quote",
  "amounts_unknown_reason",
  "amount_usd",
  "trader_address",
  "transaction_hash",
] as const;

export type PoolTrade = Pick<SqlRow<"dex-trades">, (typeof COLUMNS)[number]>;

export interface PoolTradesOptions {
  chain: string;
  pool: string;
  /** The tokens that the trades buy and sell. */
  tokens: readonly string[];
  side: TradeSide;
  /** Minimum value in US dollars; excludes trades of unknown value unless it is 0. */
  minUsd: number;
  /** Time of the pool's newest trade, in unix seconds. */
  newest: number;
}

/**
 * Period that the first attempt reads, in seconds. If it fills a page, the rest of a large index need not be
 * read.
 */
const RECENT_SECONDS = 7 * DAY_SECONDS;

/** Reads the latest trades of a pool. */
export function poolTradesQuery(options: PoolTradesOptions) {
  const { newest, ...rest } = options;
  const end = { record_index: Number.MAX_SAFE_INTEGER, timestamp: newest };
  return liveQuery(["pool-trades", rest], (signal) => readTrades(options, end, signal));
}

/** Reads the trades before a cursor. They are read again after each rollback. */
export function olderPoolTradesQuery(
  { newest: _, ...options }: PoolTradesOptions,
  before: TradeCursor,
  rollbacks: number,
) {
  return settledQuery(["pool-trades", options, before.record_index, rollbacks], (signal) =>
    readTrades(options, before, signal),
  );
}

type TradeFilter = Omit<PoolTradesOptions, "newest">;

async function readTrades(
  filter: TradeFilter,
  before: TradeCursor,
  signal: AbortSignal,
): Promise<PoolTrade[]> {
  const readSince = async (since: number) => {
    const range = sqlText` AND timestamp >= ${Math.max(0, since)} AND record_index < ${before.record_index}`;
    return (await quarry.sql<PoolTrade>(poolTradesSql(filter, range).sql, { signal })).rows;
  };
  const recent = await readSince(before.timestamp - RECENT_SECONDS);
  return recent.length === TRADES_PER_PAGE ? recent : readSince(0);
}

/** Returns the SQL that reads the latest trades that pass the filter. */
export function poolTradesSql(filter: TradeFilter, range: SqlText = NO_CONDITION): SqlText {
  const { chain, pool, tokens, side, minUsd } = filter;
  const ofSide = side === "all" ? NO_CONDITION : sqlText` AND side = ${side}`;
  const ofValue = minUsd === 0 ? NO_CONDITION : sqlText` AND amount_usd >= ${minUsd}`;
  return sqlText`SELECT ${columnsOf(COLUMNS)}
FROM ${table(chain, "dex_trades")}
WHERE token_address IN (${listOf(tokens)}) AND pool_address = ${pool}${ofSide}${ofValue}${range}
ORDER BY record_index DESC LIMIT ${TRADES_PER_PAGE}`;
}

const NO_CONDITION: SqlText = { sql: "" };
