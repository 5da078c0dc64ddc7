import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";

/** The part of a stored trade that later prices may depend on. */
export interface PastTrade {
  recordIndex: number;
  blockNumber: number;
  /** Unix seconds. */
  timestamp: number;
  pool: Hex;
  trader: Hex;
  /** The swap's other token. */
  quote: Hex;
  side: "buy" | "sell";
  amountToken: number | null;
  amountUsd: number | null;
  priceTick1: number | null;
  /** True if the robust price is not null. */
  accepted: boolean;
}

/** The longest trailing window. Older trades matter only if they are among the newest of their kind. */
export const WINDOW_SECONDS = DAY_SECONDS;

/** Number of trades that `price_token_usd_tick_100` averages. */
export const HISTORY_TRADES = 100;

/**
 * Minimum value of a trade that proves a price: integer rounding alone can move the price of a smaller one by
 * several per cent.
 */
export const MIN_TRADE_USD = 1;

/** Returns true if a trade has a price and is large enough to prove it. */
export function isWorthCounting(trade: PastTrade): boolean {
  return trade.priceTick1 !== null && trade.amountUsd !== null && trade.amountUsd >= MIN_TRADE_USD;
}
