/** Minimum value, in US dollars, of a trade that counts towards robust prices (docs/prices.md). */
const MIN_USD = 1;

/**
 * Whether a trade counts towards robust prices, or why it does not. A trade in a stablecoin below its peg is
 * also an `outlier`, because trades do not record whether the stablecoin was below its peg (docs/prices.md).
 */
export type Verdict = "accepted" | "no price" | "too small" | "outlier";

interface PricedTrade {
  amount_usd: number | null;
  price_token_usd_tick_1: number | null;
  price_token_usd_robust_tick_1: number | null;
}

export function verdictOf(trade: PricedTrade): Verdict {
  if (trade.price_token_usd_robust_tick_1 !== null) return "accepted";
  if (trade.price_token_usd_tick_1 === null) return "no price";
  return trade.amount_usd !== null && trade.amount_usd < MIN_USD ? "too small" : "outlier";
}

/** The price type that a single outlier cannot move. It is the default for prices and balances. */
export const ROBUST_PRICE = "price_token_usd_robust_tick_1" as const;
