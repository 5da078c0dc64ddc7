/** The prices that no single odd trade can move: what is shown and what balances are valued at. */
export const ROBUST_PRICE = "price_token_usd_robust_tick_1" as const;
