/** Which trades of a token: purchases, sales or both. */
export const TRADE_SIDES = ["all", "buy", "sell"] as const;

export type TradeSide = (typeof TRADE_SIDES)[number];
