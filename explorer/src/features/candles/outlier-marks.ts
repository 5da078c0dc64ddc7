import type { PriceMark } from "../../charts/candle-series.tsx";
import { parseTime } from "../../format/time.ts";
import { MAX_OUTLIERS, type Outlier, type Outliers } from "../../queries/market/outliers.ts";

/**
 * Returns the start of the candle that contains a trade, in unix seconds; `length` is the candle length in
 * seconds.
 */
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

/** Describes how many outliers the visible range contains, and whether all of them are marked. */
export function outliersText(outliers: Outliers | undefined): string {
  if (outliers === undefined) return "Loading outliers…";
  const { shown, count } = outliers;
  if (count === 0) return "No outliers in the visible range.";
  const marked = count === shown.length ? "" : `; the ${MAX_OUTLIERS} largest are marked`;
  return `${count} ${count === 1 ? "trade" : "trades"} in the visible range ${count === 1 ? "does" : "do"} not count towards robust prices${marked}.`;
}
