import { DAY_SECONDS } from "../../lib/seconds.ts";

/** A span of time: months, whose length depends on where they start, or seconds. */
export interface Interval {
  months: number;
  seconds: number;
  /** The unit of exactly one calendar year or month. */
  calendar: "year" | "month" | null;
}

const FIXED_MONTH_SECONDS = 30 * DAY_SECONDS;

/** Length of an interval that does not follow the calendar: a month is 30 days. */
export function fixedSeconds(interval: Interval): number {
  return interval.months * FIXED_MONTH_SECONDS + interval.seconds;
}

/**
 * A unix time moved by an interval. Months follow the calendar (UTC); a day that the month does not have
 * becomes its last: 31 March - 1 MONTH = 28 or 29 February.
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
