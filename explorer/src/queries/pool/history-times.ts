import { DAY_SECONDS } from "../../format/time.ts";

export type HistoryRange = "1d" | "7d" | "30d" | "all";

/** Each point is a request, so their number is limited. */
export const HISTORY_POINTS = 48;

const RANGE_SECONDS = { "1d": DAY_SECONDS, "7d": 7 * DAY_SECONDS, "30d": 30 * DAY_SECONDS } as const;
/** Steps are multiples of ten minutes: the times stay the same for a while, so responses can be cached. */
const ROUND_SECONDS = 600;

/**
 * The times of the points. None is before the pool's creation, and they stay the same until a step has
 * passed.
 */
export function historyTimes(range: HistoryRange, now: number, createdAt: number | null): number[] {
  const age = now - (createdAt ?? 0);
  const span = range === "all" ? age : Math.min(age, RANGE_SECONDS[range]);
  const step = Math.max(1, Math.ceil(span / HISTORY_POINTS / ROUND_SECONDS)) * ROUND_SECONDS;
  const last = now - (now % step);
  const times = Array.from({ length: HISTORY_POINTS }, (_, i) => last - (HISTORY_POINTS - 1 - i) * step);
  return times.filter((time) => time >= (createdAt ?? 0));
}
