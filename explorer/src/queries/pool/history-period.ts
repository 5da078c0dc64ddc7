import { DAY_SECONDS, MINUTE_SECONDS } from "../../format/time.ts";

export type HistoryRange = "1d" | "7d" | "30d" | "all";

/**
 * Maximum number of points. A chart needs no more, because on most screens it is only a few hundred pixels
 * wide.
 */
export const HISTORY_POINTS = 240;

const RANGE_SECONDS = { "1d": DAY_SECONDS, "7d": 7 * DAY_SECONDS, "30d": 30 * DAY_SECONDS } as const;

/** The points of a chart: multiples of an interval that the service accepts. Times are in unix seconds. */
export interface HistoryPeriod {
  /** In minutes, such as `6m`. */
  interval: string;
  from_timestamp: number;
  until_timestamp: number;
}

/**
 * Returns the period of a range. It stays the same until an interval has passed, so its points are not
 * requested again until then.
 */
export function historyPeriod(range: HistoryRange, now: number, createdAt: number | null): HistoryPeriod {
  const age = now - (createdAt ?? 0);
  const span = range === "all" ? age : Math.min(age, RANGE_SECONDS[range]);
  const minutes = Math.max(1, Math.ceil(span / HISTORY_POINTS / MINUTE_SECONDS));
  const step = minutes * MINUTE_SECONDS;
  const last = now - (now % step);
  const first = last - (HISTORY_POINTS - 1) * step;
  return {
    interval: `${minutes}m`,
    // A pool that was created after `last` has a single point, before its creation.
    from_timestamp: Math.min(last, Math.max(first, createdAt ?? 0)),
    until_timestamp: last,
  };
}
