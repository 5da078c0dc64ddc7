/** A head that was seen for the first time. Times are milliseconds on the monotonic clock. */
export interface Sighting {
  number: number;
  /** Unix seconds, from its header. */
  timestamp: number;
  /** When the request that returned it was sent. */
  seenMs: number;
  /** It may have been available this long before. */
  doubtMs: number;
}

/** When the next block is expected, and how often to request the head meanwhile. */
export interface DueWindow {
  opensMs: number;
  closesMs: number;
  intervalMs: number;
  /** The usual time between two blocks: after a missed slot, the window opens again this much later. */
  periodMs: number;
}

export interface PollState {
  nowMs: number;
  /** When the last request was sent. */
  sentMs: number;
  /** Longest wait in or after the window. */
  pollMs: number;
  /** Longest time between two requests before the window. */
  maxSleepMs: number;
  /** Quick polls that the budget allows at present. */
  polls: number;
}

/** With fewer blocks, chance looks like a rhythm. */
const MIN_GAPS = 6;
/** From this many on, the latest block counts as an accident and does not widen the window. */
const GAPS_WITH_ACCIDENTS = 12;
/** Polls in a window: the block comes halfway through on average, so about three are used. */
const POLLS_PER_WINDOW = 4;
/** A node returns a header within a few milliseconds; more polls would hardly be quicker. */
const MIN_INTERVAL_MS = 50;
/** One poll is kept for a block that comes after the window. */
const RESERVED_POLLS = 1;

/**
 * The window in which the next block is expected, from the last heads in ascending order: as long after its
 * parent's timestamp as the others were. Timestamps are free of the delays of single blocks, so one late
 * block does not delay the next window. Null while too few are known, or without timestamps that grow.
 */
export function dueWindow(sightings: readonly Sighting[]): DueWindow | null {
  const last = sightings.at(-1);
  if (last === undefined || sightings.length <= MIN_GAPS) return null;
  const pairs = sightings.slice(1).map((block, i) => ({ block, parent: sightings[i] ?? block }));
  const periodMs = median(pairs.map(({ block, parent }) => timeBetween(parent, block)));
  if (!(periodMs > 0)) return null;
  const delays = pairs.map(({ block, parent }) => {
    const expectedMs = parent.timestamp * 1000 + (block.number - parent.number) * periodMs;
    return block.seenMs - block.doubtMs / 2 - expectedMs;
  });
  delays.sort((a, b) => a - b);
  const earliest = delays[0] ?? 0;
  const latest = delays.at(delays.length >= GAPS_WITH_ACCIDENTS ? -2 : -1) ?? earliest;
  const intervalMs = Math.max(MIN_INTERVAL_MS, (latest - earliest) / POLLS_PER_WINDOW);
  const dueMs = last.timestamp * 1000 + periodMs;
  return {
    opensMs: dueMs + earliest - intervalMs / 2,
    closesMs: dueMs + latest + intervalMs / 2,
    intervalMs,
    periodMs,
  };
}

/**
 * When to request the head: not before the window, quickly in it, and then less and less often, because a
 * block that is late by seconds is seldom found in the next few milliseconds.
 */
export function nextPollMs(window: DueWindow, state: PollState): number {
  const { nowMs, sentMs, pollMs, maxSleepMs, polls } = state;
  const { opensMs, closesMs, isRepeated } = currentWindow(window, nowMs);
  if (nowMs < opensMs) return Math.min(opensMs, isRepeated ? nowMs + pollMs : sentMs + maxSleepMs);
  const lateMs = nowMs - closesMs;
  const frugalMs = -lateMs / Math.max(1, polls - RESERVED_POLLS);
  const intervalMs = Math.max(window.intervalMs, lateMs > 0 ? lateMs / 2 : frugalMs);
  return Math.min(sentMs + intervalMs, nowMs + pollMs);
}

/** The window of the next slot when the block is late by more than half a period. */
function currentWindow({ opensMs, closesMs, periodMs }: DueWindow, nowMs: number) {
  const missedSlots = Math.max(0, Math.ceil((nowMs - closesMs) / periodMs - 0.5));
  const laterMs = missedSlots * periodMs;
  return { opensMs: opensMs + laterMs, closesMs: closesMs + laterMs, isRepeated: missedSlots > 0 };
}

/** Milliseconds for each block between two. */
function timeBetween(parent: Sighting, block: Sighting): number {
  return (1000 * (block.timestamp - parent.timestamp)) / (block.number - parent.number);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
