import { DAY_SECONDS } from "../../lib/seconds.ts";

/** A span of time: months, whose length depends on where they start, and seconds. */
export interface Interval {
  months: number;
  seconds: number;
  /** Unit of an interval of exactly one calendar year or month; null for any other interval. */
  calendar: "year" | "month" | null;
}

const FIXED_MONTH_SECONDS = 30 * DAY_SECONDS;

/** Returns the length of an interval that does not follow the calendar: a month has 30 days. */
export function fixedSeconds(interval: Interval): number {
  return interval.months * FIXED_MONTH_SECONDS + interval.seconds;
}

/**
 * Moves a unix time by an interval. Months follow the calendar (UTC). If a month does not have the day, the
 * result is its last day: 31 March - 1 MONTH = 28 or 29 February.
 */
export function addInterval(time: number, interval: Interval, sign: 1 | -1): number {
  const moved = interval.months === 0 ? time : addMonths(time, sign * interval.months);
  return moved + sign * interval.seconds;
}

function addMonths(time: number, months: number): number {
  const date = new Date(time * 1000);
  const target = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), target + 1, 0)).getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear(), target, Math.min(date.getUTCDate(), lastDay));
  return date.getTime() / 1000;
}
