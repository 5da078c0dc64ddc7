import type { MemoryRead } from "../../serving/memory-read.ts";
import { firstTradeIn } from "../window/first-trades.ts";
import { intervalsIn } from "../window/ohlc.ts";
import { type Bars, type BarsQuery, endOfPeriod, FIRST_REACH, firstStart } from "./bars.ts";
import { makeBars } from "./make-bars.ts";
import { barStart, candleSeconds, longestBar } from "./resolution.ts";

/** Maximum number of candles made for one answer. Beyond this, the engine is faster. */
const MAX_CANDLES = 5_000;

/** Like `readBars`, but from memory. */
export function barsIn(memory: MemoryRead, query: BarsQuery): Bars {
  const { resolution, most } = query;
  const intervalSeconds = candleSeconds(resolution);
  const start = Math.max(0, firstStart(query));
  const end = endOfPeriod(query, memory.commit.timestamp);
  const reach = Math.min(FIRST_REACH * most * longestBar(resolution), MAX_CANDLES * intervalSeconds);
  const from = Math.max(start, barStart(resolution, end - reach));
  if (end <= from) return leftToEngine(memory);
  const window = {
    intervalSeconds,
    firstOpen: from,
    lastOpen: Math.min(end, memory.commit.timestamp + 1) - 1,
  };
  const trades = intervalsIn(memory, { ...query, intervalSeconds }, window);
  const bars = makeBars(trades, resolution).slice(-most);
  if (!memory.isComplete) return NOTHING;
  const isAll = bars.length >= most || from === start || isStart(memory, query, from);
  const mayHaveOlder = bars.length === 0 && query.from > 0;
  return isAll && !mayHaveOlder ? { bars, olderBar: null } : leftToEngine(memory);
}

const NOTHING: Bars = { bars: [], olderBar: null };

/** Returns whether it is known that there is no trade before a time. */
function isStart(memory: MemoryRead, query: BarsQuery, time: number): boolean {
  const first = firstTradeIn(memory, query);
  return memory.isComplete && (first === null || first >= time);
}

/**
 * Leaves the answer to the engine, unless missing values must be read from the store first. Returns no bars.
 */
function leftToEngine(memory: MemoryRead): Bars {
  if (memory.isComplete) memory.leaveToEngine();
  return NOTHING;
}
