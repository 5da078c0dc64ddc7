import {
  type CandleChunk,
  CHUNK_INTERVALS,
  chunkKey,
  type IntervalTrades,
  type Series,
} from "../../serving/candles/candle-chunk.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import { NO_TRADE, type TradeRows } from "../../serving/window/trade-rows.ts";
import { intervalStart } from "../prices/candles.ts";
import { VolumeSum } from "../prices/exact-volume.ts";

/** A chunk that took more steps than this to build is kept, so that the next answer starts from it. */
const KEPT_STEPS = 500;

/**
 * Builds a chunk of candles that covers all trades so far, by adding the newest trades to the part that is
 * already known. Returns null if values must be read from the store first, or if only the engine can answer.
 *
 * @param before the previous chunk, if known
 */
export function chunkIn(
  memory: MemoryRead,
  series: Series,
  index: number,
  before: CandleChunk | null,
): CandleChunk | null {
  const key = chunkKey(series, index);
  const start = index * CHUNK_INTERVALS * series.intervalSeconds;
  const end = start + CHUNK_INTERVALS * series.intervalSeconds;
  const known = memory.peek("candles", key) ?? null;
  if (known !== null && known.until >= end) return known;
  const rows = memory.trades;
  if (rows === null) return null;
  const now = memory.commit.timestamp;
  const steps = memory.steps;
  const base = known ?? emptyChunk(memory, rows, series, { start, before });
  if (base === null || base.until <= rows.completeAfter) {
    // The engine does not fill a chunk that lies entirely in the future.
    if (start > now) memory.leaveToEngine();
    else memory.refill("candles", key);
    return null;
  }
  // Leaves out the newest block's second, in which later commits may have further trades.
  const settled = extended(memory, rows, series, { chunk: base, until: Math.min(end, now) });
  const isKept = memory.steps - steps > KEPT_STEPS && start <= now && !memory.isImpossible;
  if (isKept) memory.keep("candles", key, settled);
  return extended(memory, rows, series, { chunk: settled, until: end });
}

/** Returns the last price of a chunk before a time; its `closeBefore` if there is none in the chunk. */
export function closeIn({ intervals, closeBefore }: CandleChunk, before: number): number | null {
  for (let i = intervals.length - 1; i >= 0; i--) {
    const { timestampOpen, last } = intervals[i] as IntervalTrades;
    if (timestampOpen < before && last !== null) return last;
  }
  return closeBefore;
}

interface ChunkStart {
  start: number;
  before: CandleChunk | null;
}

/**
 * Returns the chunk without trades; null if it starts before the newest trades in memory, or if the last
 * price before it is unknown.
 */
function emptyChunk(
  memory: MemoryRead,
  rows: TradeRows,
  series: Series,
  { start, before }: ChunkStart,
): CandleChunk | null {
  if (start <= rows.completeAfter) return null;
  const close =
    lastPriceBefore(memory, rows, series, start) ??
    (before === null ? closeByExtremes(memory, series, start) : closeIn(before, start));
  return close === undefined ? null : { until: start, closeBefore: close, intervals: [] };
}

function lastPriceBefore(
  memory: MemoryRead,
  rows: TradeRows,
  { token, pool, priceType }: Series,
  before: number,
): number | null {
  const inPool = pool === "all" ? null : rows.poolNumber(pool);
  if (inPool === undefined) return null;
  let trade = rows.newestOf(token, before - 1);
  while (trade !== NO_TRADE && memory.step()) {
    const price = rows.priceOf(trade, priceType);
    if (!Number.isNaN(price) && (inPool === null || rows.poolOf(trade) === inPool)) return price;
    trade = rows.previous(trade);
  }
  return null;
}

/**
 * Returns the last price before a time, if the first and the newest price determine it; undefined if they do
 * not.
 */
export function closeByExtremes(
  memory: MemoryRead,
  { token, pool, priceType }: Series,
  before: number,
): number | null | undefined {
  if (pool !== "all") return undefined;
  const prices = memory.peekPrices(token, priceType);
  if (prices === undefined || prices === null) return prices;
  if (prices.opened.tradedAt >= before) return null;
  return prices.closed.tradedAt < before ? prices.closed.price : undefined;
}

/** Returns a chunk extended with the newest trades before `until`. */
function extended(
  memory: MemoryRead,
  rows: TradeRows,
  series: Series,
  { chunk, until }: { chunk: CandleChunk; until: number },
): CandleChunk {
  if (until <= chunk.until) return chunk;
  const newer = intervalsBetween(memory, rows, series, { from: chunk.until, until });
  return { ...chunk, until, intervals: joined(chunk.intervals, newer) };
}

/** Returns the trades from `from` up to, but not including, `until`, by interval in ascending order. */
function intervalsBetween(
  memory: MemoryRead,
  rows: TradeRows,
  { token, pool, priceType, intervalSeconds }: Series,
  { from, until }: { from: number; until: number },
): IntervalTrades[] {
  const inPool = pool === "all" ? null : rows.poolNumber(pool);
  if (inPool === undefined) return [];
  const found: IntervalTrades[] = [];
  let current = new OpenInterval(Number.POSITIVE_INFINITY);
  let trade = rows.newestOf(token, until - 1);
  for (; trade !== NO_TRADE && rows.timeOf(trade) >= from && memory.step(); trade = rows.previous(trade)) {
    if (inPool !== null && rows.poolOf(trade) !== inPool) continue;
    const time = rows.timeOf(trade);
    if (time < current.timestampOpen) {
      if (current.numTrades > 0) found.push(current.trades());
      current = new OpenInterval(intervalStart(time, intervalSeconds));
    }
    current.addEarlier(rows.priceOf(trade, priceType), rows.amountUsdOf(trade));
  }
  if (current.numTrades > 0) found.push(current.trades());
  return found.reverse();
}

/** An interval whose trades are added newest first. */
class OpenInterval {
  readonly timestampOpen: number;
  numTrades = 0;
  #first: number | null = null;
  #last: number | null = null;
  #high = Number.NEGATIVE_INFINITY;
  #low = Number.POSITIVE_INFINITY;
  readonly #volume = new VolumeSum();

  constructor(timestampOpen: number) {
    this.timestampOpen = timestampOpen;
  }

  /** Adds a trade that precedes those added so far. `price` and `usd` are NaN if they are unknown. */
  addEarlier(price: number, usd: number): void {
    this.numTrades++;
    if (!Number.isNaN(usd)) this.#volume.add(usd);
    if (Number.isNaN(price)) return;
    this.#first = price;
    this.#last ??= price;
    if (price > this.#high) this.#high = price;
    if (price < this.#low) this.#low = price;
  }

  trades(): IntervalTrades {
    const isPriced = this.#last !== null;
    return {
      timestampOpen: this.timestampOpen,
      first: this.#first,
      last: this.#last,
      high: isPriced ? this.#high : null,
      low: isPriced ? this.#low : null,
      volumeUnits: this.#volume.units,
      numTrades: this.numTrades,
    };
  }
}

/** Joins adjacent intervals. Both lists may have a part of the same interval. */
function joined(older: readonly IntervalTrades[], newer: readonly IntervalTrades[]): IntervalTrades[] {
  const [last, next] = [older.at(-1), newer[0]];
  if (last === undefined || next === undefined || last.timestampOpen !== next.timestampOpen)
    return [...older, ...newer];
  return [...older.slice(0, -1), mergedIntervals(last, next), ...newer.slice(1)];
}

/** Merges two adjacent intervals into one that starts when the older one starts. */
export function mergedIntervals(older: IntervalTrades, newer: IntervalTrades): IntervalTrades {
  return {
    timestampOpen: older.timestampOpen,
    first: older.first ?? newer.first,
    last: newer.last ?? older.last,
    high: extreme(older.high, newer.high, Math.max),
    low: extreme(older.low, newer.low, Math.min),
    volumeUnits: older.volumeUnits + newer.volumeUnits,
    numTrades: older.numTrades + newer.numTrades,
  };
}

function extreme(
  one: number | null,
  other: number | null,
  choose: (one: number, other: number) => number,
): number | null {
  return one === null || other === null ? (one ?? other) : choose(one, other);
}
