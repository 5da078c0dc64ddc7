import type { IntervalTrades } from "../../serving/candles/candle-chunk.ts";
import { type Candle, pricedCandles } from "../prices/candles.ts";
import { tradedInterval } from "../prices/ohlc.ts";
import { mergedIntervals } from "../window/candle-chunks.ts";
import { barStart, nextBarStart, type Resolution } from "./resolution.ts";

/** Trades of candles in ascending order, and the last price before them; null without one. */
export interface CandleTrades {
  intervals: readonly IntervalTrades[];
  closeBefore: number | null;
}

/**
 * The bars that have a price, oldest first. Each opens at the close of the one before, as candles do by default, so
 * that a bar is the candle of the same interval.
 */
export function makeBars({ intervals, closeBefore }: CandleTrades, resolution: Resolution): Candle[] {
  const traded = barTrades(intervals, resolution).map(tradedInterval);
  return pricedCandles(traded, closeBefore, (start) => nextBarStart(resolution, start));
}

/** The trades of each bar that has any. */
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

/** How many bars have a price. */
export function countPriced(intervals: readonly IntervalTrades[], resolution: Resolution): number {
  const priced = intervals.filter(({ last }) => last !== null);
  return new Set(priced.map(({ timestampOpen }) => barStart(resolution, timestampOpen))).size;
}
