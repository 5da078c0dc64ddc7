import { DAY_SECONDS } from "../format/time.ts";
import { quarry } from "./client.ts";
import { liveQuestion } from "./live.ts";
import type { SqlRow } from "./sql-row.ts";
import { columnsOf, type SqlText, sqlText, table } from "./sql-text.ts";

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

export interface PoolTradesChoice {
  chain: string;
  pool: string;
  /** The token whose purchases and sales these are. */
  token: string;
  side: "all" | "buy" | "sell";
  /** Trades of less are left out, and with it those of unknown value; 0 leaves out none. */
  minUsd: number;
  /** Time of the pool's newest trade, unix seconds. */
  newest: number;
}

export const MAX_TRADES = 50;
/** Trades are looked for this long before the newest one: on a large index all of time would take too long. */
export const TRADES_DAYS = 7;

/** The newest trades of a pool. */
export function poolTradesQuestion(choice: PoolTradesChoice) {
  const { newest, ...rest } = choice;
  return liveQuestion(["pool-trades", rest], async (signal): Promise<PoolTrade[]> => {
    return (await quarry.sql<PoolTrade>(poolTradesSql(choice).sql, { signal })).rows;
  });
}

export function poolTradesSql({ chain, pool, token, side, minUsd, newest }: PoolTradesChoice): SqlText {
  const ofSide = side === "all" ? NOTHING : sqlText` AND side = ${side}`;
  const ofValue = minUsd === 0 ? NOTHING : sqlText` AND amount_usd >= ${minUsd}`;
  return sqlText`SELECT ${columnsOf(COLUMNS)}
FROM ${table(chain, "dex_trades")}
WHERE token_address = ${token} AND pool_address = ${pool}
AND timestamp >= ${newest - TRADES_DAYS * DAY_SECONDS}${ofSide}${ofValue}
ORDER BY record_index DESC LIMIT ${MAX_TRADES}`;
}

const NOTHING: SqlText = { sql: "" };
