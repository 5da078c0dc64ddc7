import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import type { IntervalTrades, Series } from "../../serving/candles/candle-chunk.ts";
import type { Candle } from "../prices/candles.ts";
import { readCloseBefore, readFirstTrade, readIntervals } from "../prices/ohlc.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countPriced, makeBars } from "./make-bars.ts";
import { barStart, candleSeconds, longestBar, nextBarStart, type Resolution } from "./resolution.ts";

/**
 * Selects bars of a token, across all pools or in one. Bars without a trade that has a price are left out.
 */
export interface BarsQuery extends Omit<Series, "intervalSeconds"> {
  resolution: Resolution;
  /** Bars start before this time, unix seconds. */
  before: number;
  /** Earliest start, unix seconds. */
  from: number;
  /** Maximum number of bars; the newest ones are kept. */
  most: number;
}

export interface Bars {
  /** Oldest first. */
  bars: Candle[];
  /** If `bars` is empty, the start of the newest bar before `from`; null if there is none. */
  olderBar: number | null;
}

/** The first part of a search covers this many times the time span of the requested bars. */
export const FIRST_REACH = 2;
/** Each further part covers this many times the time span of the previous part. */
const REACH_GROWTH = 8;

/**
 * Reads the newest bars of a token in a period. The history is read in parts, backwards from the end of the
 * period, until there are enough bars. A part has one row for each candle with trades.
 */
export async function readBars(snapshot: Snapshot, query: BarsQuery): Promise<Bars> {
  const bars = await readNewestBars(snapshot, query);
  if (bars.length > 0 || query.from <= 0) return { bars, olderBar: null };
  const older = await readNewestBars(snapshot, { ...query, before: firstStart(query), from: 0, most: 1 });
  return { bars, olderBar: older[0]?.timestampOpen ?? null };
}

/** Returns the start of the first bar of the period. */
export function firstStart({ resolution, from }: Pick<BarsQuery, "resolution" | "from">): number {
  // No trade is later than this, and `Date` cannot represent all larger numbers.
  const earliest = Math.min(from, MAX_TIMESTAMP);
  const start = barStart(resolution, earliest);
  return start === earliest ? start : nextBarStart(resolution, start);
}

/** Returns the end of the last bar of the period that can have trades. */
export function endOfPeriod({ resolution, before }: BarsQuery, newestTrade: number): number {
  const last = barStart(resolution, Math.min(before - 1, newestTrade));
  return nextBarStart(resolution, last);
}

async function readNewestBars(snapshot: Snapshot, query: BarsQuery): Promise<Candle[]> {
  const { resolution, most } = query;
  const series = { ...query, intervalSeconds: candleSeconds(resolution) };
  const start = Math.max(0, firstStart(query));
  const intervals: IntervalTrades[] = [];
  let end = endOfPeriod(query, snapshot.commit.timestamp);
  let oldest: number | null = null;
  for (
    let reach = FIRST_REACH * most * longestBar(resolution);
    end > (oldest ?? start);
    reach *= REACH_GROWTH
  ) {
    const from = Math.max(oldest ?? start, barStart(resolution, end - reach));
    const part = await readIntervals(snapshot, series, { from, until: end - 1 }, newestOf(query));
    intervals.unshift(...part);
    if (countPriced(intervals, resolution) >= most) break;
    // If the row limit cuts a part short, the next part ends there.
    end = part.length === newestOf(query) ? (part[0]?.timestampOpen ?? from) : from;
    oldest ??= Math.max(start, await startOfHistory(snapshot, query));
  }
  const [first] = intervals;
  const closeBefore =
    first === undefined ? null : await readCloseBefore(snapshot, series, first.timestampOpen);
  return makeBars({ intervals, closeBefore }, resolution).slice(-most);
}

/**
 * Returns the maximum number of candles in a part. Weeks and months need no limit, and must not be cut within
 * a bar.
 */
function newestOf({ resolution, most }: BarsQuery): number | undefined {
  return resolution.unit === "seconds" ? most : undefined;
}

/** Returns the start of the bar with the first trade, or of the current bar if there is no trade. */
async function startOfHistory(snapshot: Snapshot, query: BarsQuery): Promise<number> {
  const first = await readFirstTrade(snapshot, query);
  return barStart(query.resolution, first ?? snapshot.commit.timestamp + 1);
}
