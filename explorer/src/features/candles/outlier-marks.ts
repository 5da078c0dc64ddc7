import type { PriceMark } from "../../charts/candle-series.tsx";
import { parseTime } from "../../format/time.ts";
import { MAX_OUTLIERS, type Outlier, type Outliers } from "../../queries/market/outliers.ts";

/** When the candle begins that a trade is in; `length` is that of a candle. In unix seconds. */
export function candleStart({ timestamp }: Outlier, length: number): number {
  const seconds = parseTime(timestamp);
  return seconds - (seconds % length);
}

export function marksOf(outliers: readonly Outlier[], length: number): PriceMark[] {
  return outliers.map((outlier) => ({
    id: String(outlier.record_index),
    time: candleStart(outlier, length),
    price: outlier.price_token_usd_tick_1,
  }));
}

/** How many outliers there are in what is seen, and whether all are marked. */
export function outliersText(outliers: Outliers | undefined): string {
  if (outliers === undefined) return "Looking for outliers.";
  const { shown, count } = outliers;
  if (count === 0) return "No outliers in the time shown.";
  const marked = count === shown.length ? "all" : `the ${MAX_OUTLIERS} largest`;
  return `${count} trades in the time shown are not counted in robust prices: ${marked} are marked.`;
}
