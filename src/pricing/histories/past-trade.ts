import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";

/** A token's trade as its stored row tells it: all that a later price may depend on. */
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
  /** True where the robust price is not null. */
  accepted: boolean;
}

/** The longest trailing window: trades older than this matter only as the newest ones of their kind. */
export const WINDOW_SECONDS = DAY_SECONDS;

/** What `price_token_usd_tick_100` looks back on. */
export const HISTORY_TRADES = 100;

/**
 * Accepted trades that tell a token's level (the newest 15) and how far its trades scatter around it (all): with
 * 21, as many honest trades accepted, a fifth more of the bent ones were.
 */
export const HISTORY_ACCEPTED = 41;

/**
 * Rejected trades (priced, worth at least MIN_TRADE_USD, not accepted) among which support for a new level is
 * looked for. Three independent ones are enough; the rest leaves room for one trader's repeated attempts.
 */
export const HISTORY_REJECTED = 15;

/** A trade worth less proves no price: integer rounding alone can move it by per cents. */
export const MIN_TRADE_USD = 1;

/** Whether a trade has a price and is large enough to prove it. */
export function isWorthCounting(trade: PastTrade): boolean {
  return trade.priceTick1 !== null && trade.amountUsd !== null && trade.amountUsd >= MIN_TRADE_USD;
}
