import { DAY_SECONDS } from "../../format/time.ts";
import type { TradeSide } from "../market/trade-lists.ts";
import { type Place, TRADES_PER_PAGE } from "../market/trade-lists.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, type SqlText, sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";

const COLUMNS = [
  "timestamp",
  "record_index",
  "side",
  "price_token_usd_tick_1",
  "price_token_usd_robust_tick_1",
  "amount_token",
  "amount_quote",
  "amount_usd",
  "trader_address",
  "transaction_hash",
] as const;

export type PoolTrade = Pick<SqlRow<"dex-trades">, (typeof COLUMNS)[number]>;

export interface PoolTradesOptions {
  chain: string;
  pool: string;
  /** The token whose purchases and sales these are. */
  token: string;
  side: TradeSide;
  /** Trades of less are left out, and with it those of unknown value; 0 leaves out none. */
  minUsd: number;
  /** Time of the pool's newest trade, unix seconds. */
  newest: number;
}

/** Trades are looked for this long first: where they fill a page, a large index need not read all of time. */
const BRIEF_SECONDS = 7 * DAY_SECONDS;

/** The newest trades of a pool. */
export function poolTradesQuery(choice: PoolTradesOptions) {
  const { newest, ...rest } = choice;
  const end = { record_index: Number.MAX_SAFE_INTEGER, timestamp: newest };
  return liveQuery(["pool-trades", rest], (signal) => readTrades(choice, end, signal));
}

/** The trades before one. */
export function olderPoolTradesQuery({ newest: _, ...choice }: PoolTradesOptions, before: Place) {
  return settledQuery(["pool-trades", choice, before.record_index], (signal) =>
    readTrades(choice, before, signal),
  );
}

type Choice = Omit<PoolTradesOptions, "newest">;

async function readTrades(choice: Choice, before: Place, signal: AbortSignal): Promise<PoolTrade[]> {
  const readSince = async (since: number) => {
    const range = sqlText` AND timestamp >= ${Math.max(0, since)} AND record_index < ${before.record_index}`;
    return (await quarry.sql<PoolTrade>(poolTradesSql(choice, range).sql, { signal })).rows;
  };
  const brief = await readSince(before.timestamp - BRIEF_SECONDS);
  return brief.length === TRADES_PER_PAGE ? brief : readSince(0);
}

/** The query of the newest trades that are chosen. */
export function poolTradesSql(choice: Choice, range: SqlText = NOTHING): SqlText {
  const { chain, pool, token, side, minUsd } = choice;
  const ofSide = side === "all" ? NOTHING : sqlText` AND side = ${side}`;
  const ofValue = minUsd === 0 ? NOTHING : sqlText` AND amount_usd >= ${minUsd}`;
  return sqlText`SELECT ${columnsOf(COLUMNS)}
FROM ${table(chain, "dex_trades")}
WHERE token_address = ${token} AND pool_address = ${pool}${ofSide}${ofValue}${range}
ORDER BY record_index DESC LIMIT ${TRADES_PER_PAGE}`;
}

const NOTHING: SqlText = { sql: "" };
