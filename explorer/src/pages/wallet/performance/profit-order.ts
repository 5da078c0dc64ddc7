/** Profit from a token in US dollars. */
export type Profits = Record<"realized_profit" | "unrealized_profit", number>;

/** Compares two tokens by the absolute total profit shown next to the bars, for sorting the largest first. */
export function byAbsoluteProfit(a: Profits, b: Profits): number {
  return sizeOf(b) - sizeOf(a);
}

function sizeOf({ realized_profit, unrealized_profit }: Profits): number {
  return Math.abs(realized_profit + unrealized_profit);
}
