export const TRADES_PER_PAGE = 50;

/** The trade that precedes a page of trades in the list. */
export interface TradeCursor {
  record_index: number;
  /** Unix seconds. */
  timestamp: number;
}

/** The trades of a token that a list can contain: all of them, only purchases, or only sales. */
export const TRADE_SIDES = ["all", "buy", "sell"] as const;

export type TradeSide = (typeof TRADE_SIDES)[number];
