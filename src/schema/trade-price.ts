/** Columns of dex_trades with the price of a single trade, best first. */
export const TRADE_PRICES = ["price_token_usd_robust_tick_1", "price_token_usd_tick_1"] as const;

export type TradePrice = (typeof TRADE_PRICES)[number];

/** Columns of dex_trades with all prices of a token that a trade determines. */
export const PRICE_TYPES = [
  "price_token_usd_tick_1",
  "price_token_usd_tick_100",
  "price_token_usd_wavg_1h",
  "price_token_usd_wavg_24h",
  "price_token_usd_robust_tick_1",
  "price_token_usd_robust_total_1h",
  "price_token_usd_robust_total_24h",
  "price_token_usd_robust_buy_1h",
  "price_token_usd_robust_buy_24h",
  "price_token_usd_robust_sell_1h",
  "price_token_usd_robust_sell_24h",
  "price_token_usd_robust_mid_1h",
  "price_token_usd_robust_mid_24h",
] as const;

export type PriceType = (typeof PRICE_TYPES)[number];

export function isTradePrice(type: PriceType): type is TradePrice {
  return TRADE_PRICES.some((one) => one === type);
}
