/** A head that was seen for the first time. Times are milliseconds on the monotonic clock. */
export interface Sighting {
  number: number;
  /** Unix seconds, from its header. */
  timestamp: number;
  /** When it became available, by estimate; null when that is too uncertain. */
  availableMs: number | null;
}

/** When the next block is expected, and how often to request the head meanwhile. */
export interface DueWindow {
  opensMs: number;
  closesMs: number;
  intervalMs: number;
  /** The usual time between two blocks: after a missed slot, the window opens again this much later. */
  periodMs: number;
}

export interface Poll {
  atMs: number;
  /** It is the first one in a window, so there may have been none for long. */
  isFirst: boolean;
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

/** With fewer delays, chance looks like a rhythm. */
const MIN_DELAYS = 7;
/** From this many on, the latest block counts as an accident and does not widen the window. */
const DELAYS_WITH_ACCIDENTS = 12;
/** Blocks that come within a larger share of the period have no rhythm worth waiting for. */
const MAX_SPREAD = 0.6;
/** Slots were missed if the time between two timestamps is this close to several periods, in periods. */
const SLOT_TOLERANCE = 0.15;
/** Polls in a window: the block comes halfway through on average, so about three are used. */
const POLLS_PER_WINDOW = 4;
/** Quicker polls hardly make a block earlier, since indexing it takes longer; public endpoints limit them. */
const MIN_INTERVAL_MS = 100;
/** A block is seen this late at most, half of it on average, while the budget lasts. */
const MAX_INTERVAL_MS = 200;
/** One poll is kept for a block that comes after the window. */
const RESERVED_POLLS = 1;
/** After as many slots without a block, the chain or its endpoints have stopped. */
const MAX_MISSED_SLOTS = 4;

/**
 * The window in which the next block is expected, from the last heads in ascending order: as long after its
 * parent's timestamp as the others were. Timestamps are free of the delays of single blocks, so one late
 * block does not delay the next window; they are only compared with each other, never with a local clock.
 * Null while too few are known, where blocks come irregularly, and where timestamps do not grow.
 */
export function dueWindow(sightings: readonly Sighting[]): DueWindow | null {
  const last = sightings.at(-1);
  if (last === undefined) return null;
  const pairs = sightings.slice(1).map((block, i) => ({ block, parent: sightings[i] ?? block }));
  const periodMs = median(pairs.map(({ block, parent }) => timeBetween(parent, block)));
  if (!(periodMs > 0)) return null;
  const delays = pairs.flatMap(({ block, parent }) => {
    const expectedMs = parent.timestamp * 1000 + slotsBetween(parent, block, periodMs) * periodMs;
    return block.availableMs === null ? [] : [block.availableMs - expectedMs];
  });
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
 * When to request the head: not before the window, quickly in it, and then less and less often, because a
 * block that is late by seconds is seldom found in the next few milliseconds. Null: the chain has stopped.
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

/** Milliseconds for each block between two. */
function timeBetween(parent: Sighting, block: Sighting): number {
  return (1000 * (block.timestamp - parent.timestamp)) / (block.number - parent.number);
}

/** Slots from one block to another: more than blocks if slots were missed, which timestamps show. */
function slotsBetween(parent: Sighting, block: Sighting, periodMs: number): number {
  const periods = (1000 * (block.timestamp - parent.timestamp)) / periodMs;
  const slots = Math.round(periods);
  const blocks = block.number - parent.number;
  return slots > blocks && Math.abs(periods - slots) <= SLOT_TOLERANCE ? slots : blocks;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
