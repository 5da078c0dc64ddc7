const DAY_SECONDS = 86_400;
// Blocks get denser towards the end, so recent charts show more detail than old ones.
const DENSITY = [
  { within: 2 * 3_600, every: 60 },
  { within: 2 * DAY_SECONDS, every: 240 },
  { within: Number.POSITIVE_INFINITY, every: 720 },
];
const MOST_GAP_BLOCKS = 120;
const GAP_SECONDS = 20;

/** Returns the times of the history's blocks after `start`, in ascending order. The last time is `end`. */
export function historyTimes(start: number, end: number): number[] {
  const times = [];
  for (let time = end; time > start; ) {
    times.push(time);
    const before = end - time;
    time -= DENSITY.find(({ within }) => before < within)?.every ?? 1;
  }
  return times.reverse();
}

/** Returns the times of the blocks that close the gap between a saved chain's head and now. */
export function gapTimes(head: number, now: number): number[] {
  const count = Math.min(MOST_GAP_BLOCKS, Math.floor((now - head) / GAP_SECONDS));
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    Math.floor(head + ((now - head) * (at + 1)) / count),
  );
}
