export const TRADES_PER_PAGE = 50;

/** The last trade before a page of trades. */
export interface TradeCursor {
  record_index: number;
  /** Unix seconds. */
  timestamp: number;
}

/** Which trades of a token: purchases, sales or both. */
export const TRADE_SIDES = ["all", "buy", "sell"] as const;

export type TradeSide = (typeof TRADE_SIDES)[number];
