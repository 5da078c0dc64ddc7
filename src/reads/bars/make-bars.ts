import type { IntervalTrades } from "../../serving/candles/candle-chunk.ts";
import { type Candle, pricedCandles } from "../prices/candles.ts";
import { tradedInterval } from "../prices/ohlc.ts";
import { mergedIntervals } from "../window/candle-chunks.ts";
import type { CandleTrades } from "../window/ohlc.ts";
import { barStart, nextBarStart, type Resolution } from "./resolution.ts";

/**
 * Returns the bars that have a price, oldest first. As candles do by default, each bar opens at the close of
 * the previous bar, so that a bar equals the candle of the same interval.
 */
export function makeBars({ intervals, closeBefore }: CandleTrades, resolution: Resolution): Candle[] {
  const traded = barTrades(intervals, resolution).map(tradedInterval);
  return pricedCandles(traded, closeBefore, (start) => nextBarStart(resolution, start));
}

/** Returns the merged trades of each bar that has trades. */
function barTrades(intervals: readonly IntervalTrades[], resolution: Resolution): readonly IntervalTrades[] {
  if (resolution.unit === "seconds") return intervals;
  const bars: IntervalTrades[] = [];
  for (const interval of intervals) {
    const timestampOpen = barStart(resolution, interval.timestampOpen);
    const last = bars.at(-1);
    if (last?.timestampOpen === timestampOpen) bars[bars.length - 1] = mergedIntervals(last, interval);
    else bars.push({ ...interval, timestampOpen });
  }
  return bars;
}

/** Returns the number of bars that have a price. */
export function countPriced(intervals: readonly IntervalTrades[], resolution: Resolution): number {
  const priced = intervals.filter(({ last }) => last !== null);
  return new Set(priced.map(({ timestampOpen }) => barStart(resolution, timestampOpen))).size;
}
