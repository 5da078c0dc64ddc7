import { isDeepStrictEqual } from "node:util";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";

/**
 * The trades of one interval. Prices come from trades that have a price; volume and count include all trades.
 */
export interface IntervalTrades {
  /** Start of the interval, unix seconds. */
  timestampOpen: number;
  first: number | null;
  last: number | null;
  high: number | null;
  low: number | null;
  /** Units of 2^-40 USD. */
  volumeUnits: bigint;
  numTrades: number;
}

/**
 * Identifies a series of candles: a token, one pool or all pools, a price type, and the length of the
 * intervals.
 */
export interface Series {
  token: Hex;
  pool: Hex | "all";
  priceType: TradePrice;
  intervalSeconds: number;
}

/** A fixed number of consecutive intervals of a series. */
export interface CandleChunk {
  /** The intervals include all trades before this time, unix seconds. */
  until: number;
  /** Last price before the chunk; null if there is none. */
  closeBefore: number | null;
  /** Intervals that have trades, in ascending order. */
  intervals: readonly IntervalTrades[];
}

/**
 * When a token was first traded, in one pool or in all pools. Considers either all trades, or only those with
 * a price of one type.
 */
export interface FirstTrade {
  /** Unix seconds; null if there is none before `until`. */
  at: number | null;
  until: number;
}

/**
 * Number of intervals in a chunk: a long answer needs a few chunks, and a day of one-minute candles needs
 * three or four.
 */
export const CHUNK_INTERVALS = 512;

const INTERVAL_BYTES = 150;
const CHUNK_BYTES = 200;
const FIRST_TRADE_BYTES = 50;

export function chunkBytes({ intervals }: CandleChunk): number {
  return CHUNK_BYTES + intervals.length * INTERVAL_BYTES;
}

export function firstTradeBytes(): number {
  return FIRST_TRADE_BYTES;
}

/**
 * Returns whether `chunk` can be an older state of `newer`: both start with the same intervals, except for
 * the last interval of `chunk`, which may be incomplete.
 */
export function isStartOf(chunk: CandleChunk, newer: CandleChunk): boolean {
  const complete = Math.max(0, chunk.intervals.length - 1);
  return (
    chunk.closeBefore === newer.closeBefore &&
    isDeepStrictEqual(chunk.intervals.slice(0, complete), newer.intervals.slice(0, complete))
  );
}

/** @param index number of the chunk, counted from the unix epoch */
export function chunkKey({ token, pool, priceType, intervalSeconds }: Series, index: number): string {
  return `${token} ${pool} ${priceType} ${intervalSeconds} ${index}`;
}

export function seriesOf(key: string): { series: Series; index: number } {
  const [token, pool, priceType, intervalSeconds, index] = key.split(" ");
  const series = { token, pool, priceType, intervalSeconds: Number(intervalSeconds) } as Series;
  return { series, index: Number(index) };
}

/** @param priced only trades with a price of this type are considered; null: all trades */
export function firstTradeKey(token: Hex, pool: Hex | "all", priced: TradePrice | null): string {
  return `${token} ${pool} ${priced ?? ""}`;
}

export function firstTradeOf(key: string): { token: Hex; pool: Hex | "all"; priced: TradePrice | null } {
  const [token, pool, priced] = key.split(" ") as [Hex, Hex | "all", TradePrice | ""];
  return { token, pool, priced: priced === "" ? null : priced };
}
