/** Below it, trades do not count into robust prices (docs/prices.md). In US dollars. */
const LEAST_USD = 1;

/** Whether a trade counts into robust prices, or why it does not. */
export type Verdict = "accepted" | "no price" | "too small" | "outlier";

interface Judged {
  amount_usd: number | null;
  price_token_usd_tick_1: number | null;
  price_token_usd_robust_tick_1: number | null;
}

export function verdictOf(trade: Judged): Verdict {
  if (trade.price_token_usd_robust_tick_1 !== null) return "accepted";
  if (trade.price_token_usd_tick_1 === null) return "no price";
  return trade.amount_usd !== null && trade.amount_usd < LEAST_USD ? "too small" : "outlier";
}

/** The prices that no single odd trade can move: what is shown and what balances are valued at. */
export const ROBUST_PRICE = "price_token_usd_robust_tick_1" as const;
