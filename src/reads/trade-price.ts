/** The prices of single trades, best first: columns of dex_trades. */
export const TRADE_PRICES = ["price_token_usd_robust_tick_1", "price_token_usd_tick_1"] as const;

export type TradePrice = (typeof TRADE_PRICES)[number];
