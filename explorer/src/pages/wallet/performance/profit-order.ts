/** What was made of a token, in US dollars. */
export type Profits = Record<"realized_profit" | "unrealized_profit", number>;

/** In the order of the figures that stand beside the bars, gains and losses alike. */
export function byAbsoluteProfit(a: Profits, b: Profits): number {
  return sizeOf(b) - sizeOf(a);
}

function sizeOf({ realized_profit, unrealized_profit }: Profits): number {
  return Math.abs(realized_profit + unrealized_profit);
}
