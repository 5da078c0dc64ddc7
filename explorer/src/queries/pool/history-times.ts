import { DAY_SECONDS } from "../../format/time.ts";

export type HistoryRange = "1d" | "7d" | "30d" | "all";

/** Each point is a request, so there are so many and no more. */
export const HISTORY_POINTS = 48;

const RANGE_SECONDS = { "1d": DAY_SECONDS, "7d": 7 * DAY_SECONDS, "30d": 30 * DAY_SECONDS } as const;
/** Steps of a whole number of minutes keep the times the same for a while, so that answers can be kept. */
const ROUND_SECONDS = 600;

/** The times to ask for: none lies before the pool, and they stay the same until a step has passed. */
export function historyTimes(range: HistoryRange, now: number, createdAt: number | null): number[] {
  const age = now - (createdAt ?? 0);
  const span = range === "all" ? age : Math.min(age, RANGE_SECONDS[range]);
  const step = Math.max(1, Math.ceil(span / HISTORY_POINTS / ROUND_SECONDS)) * ROUND_SECONDS;
  const last = now - (now % step);
  const times = Array.from({ length: HISTORY_POINTS }, (_, i) => last - (HISTORY_POINTS - 1 - i) * step);
  return times.filter((time) => time >= (createdAt ?? 0));
}
