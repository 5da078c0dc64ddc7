import {
  type CandleChunk,
  CHUNK_INTERVALS,
  type IntervalTrades,
  type Series,
} from "../../serving/candles/candle-chunk.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import { type Candle, type CandleWindow, candleWindow } from "../prices/candles.ts";
import { candlesOf, type OhlcQuery, tradedInterval, type WindowTrades } from "../prices/ohlc.ts";
import { chunkIn, closeIn } from "./candle-chunks.ts";
import { firstPricedIn, firstTradeIn } from "./first-trades.ts";

/** Like `readOhlc`, but from memory, which has no wash verdicts. */
export function ohlcIn(memory: MemoryRead, query: OhlcQuery): Candle[] {
  if (query.excludeWash) {
    memory.leaveToEngine();
    return [];
  }
  const first = firstIn(memory, query) ?? unknownFirst(memory, query);
  const window = first === null ? null : candleWindow(query, first);
  return window === null ? [] : candlesOf(window, tradesIn(memory, query, window), query);
}

/** Returns the time before which there is no candle; null if there is no candle at all. */
function firstIn(memory: MemoryRead, query: OhlcQuery): number | null {
  if (!query.fill) return firstTradeIn(memory, query);
  // With `fill`, candles before the first price are left out anyway, so the time of that price is needed only
  // in ascending order.
  return query.order === "desc" ? 0 : firstPricedIn(memory, query);
}

/**
 * Returns 0 while the first trade is unknown: the newest candles rarely depend on it, so both it and the
 * candles are read from the store at the same time.
 */
function unknownFirst(memory: MemoryRead, { order }: OhlcQuery): number | null {
  return order === "desc" && !memory.isComplete ? 0 : null;
}

function tradesIn(memory: MemoryRead, query: OhlcQuery, window: CandleWindow): WindowTrades {
  const { intervals, closeBefore } = intervalsIn(memory, query, window);
  return { traded: intervals.map(tradedInterval), previousClose: closeBefore };
}

/** Trades by interval. */
export interface CandleTrades {
  /** Intervals with trades, in ascending order. */
  intervals: readonly IntervalTrades[];
  /** The last price before the intervals; null if there is none. */
  closeBefore: number | null;
}

/** Returns the intervals of a window that have trades. */
export function intervalsIn(
  memory: MemoryRead,
  series: Series,
  { firstOpen, lastOpen }: CandleWindow,
): CandleTrades {
  const span = CHUNK_INTERVALS * series.intervalSeconds;
  const firstChunk = Math.floor(firstOpen / span);
  const chunks: CandleChunk[] = [];
  let before: CandleChunk | null = null;
  for (let index = firstChunk; index <= Math.floor(lastOpen / span); index++) {
    const chunk: CandleChunk | null = chunkIn(memory, series, index, before);
    if (chunk !== null) chunks.push(chunk);
    before = chunk;
  }
  const isWithin = ({ timestampOpen }: IntervalTrades) =>
    timestampOpen >= firstOpen && timestampOpen <= lastOpen;
  return {
    intervals: chunks.flatMap(({ intervals }) => intervals.filter(isWithin)),
    closeBefore: chunks[0] === undefined ? null : closeIn(chunks[0], firstOpen),
  };
}
