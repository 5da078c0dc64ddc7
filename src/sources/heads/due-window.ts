/** A new head. */
export interface Sighting {
  number: number;
  /** The time in its header, in Unix seconds. */
  timestamp: number;
  /** Estimated time at which it became available, on the monotonic clock; null if too uncertain. */
  availableMs: number | null;
}

/**
 * When the next block is expected, on the monotonic clock, and how often to request the head during that
 * time.
 */
export interface DueWindow {
  opensMs: number;
  closesMs: number;
  intervalMs: number;
  /** Usual time between two blocks: after a missed slot, the window opens again this much later. */
  periodMs: number;
}

export interface Poll {
  atMs: number;
  /** Whether this is the first poll in a window, so the previous one may have been long ago. */
  isFirst: boolean;
}

export interface PollState {
  nowMs: number;
  /** When the last request was sent. */
  sentMs: number;
  /** Maximum wait in or after the window. */
  pollMs: number;
  /** Maximum time between two requests before the window. */
  maxSleepMs: number;
  /** Number of quick polls that the budget currently allows. */
  polls: number;
}

/** Minimum number of known delays of blocks: with fewer, chance could look like a rhythm. */
const MIN_DELAYS = 7;
/** With at least this many delays, the longest is treated as an outlier and does not widen the window. */
const DELAYS_WITH_ACCIDENTS = 12;
/** Maximum spread of the delays, in periods: with a larger one, waiting for a window saves nothing. */
const MAX_SPREAD = 0.6;
/**
 * Tolerance, in periods: slots were missed if the time between two timestamps is at most this far from a
 * multiple of the period.
 */
const SLOT_TOLERANCE = 0.15;
/** Number of polls in a window. On average, the block arrives halfway through, so about three are used. */
const POLLS_PER_WINDOW = 4;
/**
 * Minimum interval between polls. Faster polls would gain little, since indexing a block takes longer. Public
 * endpoints also limit them.
 */
const MIN_INTERVAL_MS = 100;
/**
 * Maximum interval in a window. While the budget lasts, a block is seen at most this late, and half as late
 * on average.
 */
const MAX_INTERVAL_MS = 200;
/** Number of polls reserved for a block that arrives after the window. */
const RESERVED_POLLS = 1;
/** Maximum number of missed slots. After more, the chain or its endpoints are assumed to have stopped. */
const MAX_MISSED_SLOTS = 4;

/**
 * Returns the window in which the next block is expected, given the last heads in ascending order. The block
 * is expected to arrive as long after the start of its slot as earlier blocks did. Slots follow from
 * timestamps. A late block does not shift these, so it does not delay the next window. Timestamps are
 * compared only with each other, never with a local clock. Returns null if too few heads are known, blocks
 * are irregular, or timestamps do not increase.
 */
export function dueWindow(sightings: readonly Sighting[]): DueWindow | null {
  const last = sightings.at(-1);
  if (last === undefined) return null;
  const pairs = sightings.slice(1).map((block, i) => ({ block, parent: sightings[i] ?? block }));
  const periodMs = median(pairs.map(({ block, parent }) => timeBetween(parent, block)));
  if (!(periodMs > 0)) return null;
  const delays = pairs.flatMap(({ block, parent }) => delayOf(block, parent, periodMs) ?? []);
  if (delays.length < MIN_DELAYS) return null;
  delays.sort((a, b) => a - b);
  const earliest = delays[0] ?? 0;
  const latest = delays.at(delays.length >= DELAYS_WITH_ACCIDENTS ? -2 : -1) ?? earliest;
  if (latest - earliest > MAX_SPREAD * periodMs) return null;
  const share = (latest - earliest) / POLLS_PER_WINDOW;
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, share));
  const dueMs = last.timestamp * 1000 + periodMs;
  return {
    opensMs: dueMs + earliest - intervalMs / 2,
    closesMs: dueMs + latest + intervalMs / 2,
    intervalMs,
    periodMs,
  };
}

/**
 * Returns when to request the head: not before the window, quickly in it, and then less and less often,
 * because a block that is seconds late rarely arrives in the next few milliseconds. Returns null if the chain
 * has stopped.
 */
export function nextPoll(window: DueWindow, state: PollState): Poll | null {
  const { nowMs, sentMs, pollMs, maxSleepMs, polls } = state;
  const missedSlots = Math.max(0, Math.ceil((nowMs - window.closesMs) / window.periodMs - 0.5));
  if (missedSlots > MAX_MISSED_SLOTS) return null;
  const opensMs = window.opensMs + missedSlots * window.periodMs;
  if (nowMs < opensMs) {
    const latestMs = missedSlots > 0 ? nowMs + pollMs : sentMs + maxSleepMs;
    return { atMs: Math.min(opensMs, latestMs), isFirst: opensMs <= latestMs };
  }
  const lateMs = nowMs - (window.closesMs + missedSlots * window.periodMs);
  const frugalMs = -lateMs / Math.max(1, polls - RESERVED_POLLS);
  const intervalMs = Math.max(window.intervalMs, lateMs > 0 ? lateMs / 2 : frugalMs);
  return { atMs: Math.min(sentMs + intervalMs, nowMs + pollMs), isFirst: false };
}

/** Returns how long after the start of its slot a block became available; null if that is unknown. */
function delayOf(block: Sighting, parent: Sighting, periodMs: number): number | null {
  if (block.availableMs === null) return null;
  return block.availableMs - parent.timestamp * 1000 - slotsBetween(parent, block, periodMs) * periodMs;
}

/** Returns the average time per block from one block to another, in milliseconds. */
function timeBetween(parent: Sighting, block: Sighting): number {
  return (1000 * (block.timestamp - parent.timestamp)) / (block.number - parent.number);
}

/**
 * Returns the number of slots from one block to another. There are more slots than blocks if the timestamps
 * show missed slots.
 */
function slotsBetween(parent: Sighting, block: Sighting, periodMs: number): number {
  const periods = (1000 * (block.timestamp - parent.timestamp)) / periodMs;
  const slots = Math.round(periods);
  const blocks = block.number - parent.number;
  return slots > blocks && Math.abs(periods - slots) <= SLOT_TOLERANCE ? slots : blocks;
}

/**
 * Returns the median. Of two middle values, returns the upper one, so the result is always one of the values.
 */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
