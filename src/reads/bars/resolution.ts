import { DAY_SECONDS } from "../../lib/seconds.ts";
import { intervalStart } from "../prices/candles.ts";

/**
 * The length of a bar: a number of seconds aligned to the unix epoch, or a number of calendar weeks or months
 * in UTC.
 */
export interface Resolution {
  unit: "seconds" | "weeks" | "months";
  count: number;
}

const WEEK_SECONDS = 7 * DAY_SECONDS;
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4 * DAY_SECONDS;
const MONTHS = 12;
/** Seconds in the longest months. */
const MONTH_SECONDS = 31 * DAY_SECONDS;

/** Returns the start of the bar that contains a time; both in unix seconds. */
export function barStart({ unit, count }: Resolution, timestamp: number): number {
  switch (unit) {
    case "seconds":
      return intervalStart(timestamp, count);
    case "weeks":
      return FIRST_MONDAY + intervalStart(timestamp - FIRST_MONDAY, count * WEEK_SECONDS);
    case "months":
      return startOfMonth(Math.floor(monthOf(timestamp) / count) * count);
  }
}

/** Returns the start of the next bar; `start` is the start of a bar. */
export function nextBarStart({ unit, count }: Resolution, start: number): number {
  switch (unit) {
    case "seconds":
      return start + count;
    case "weeks":
      return start + count * WEEK_SECONDS;
    case "months":
      return startOfMonth(monthOf(start) + count);
  }
}

/** Returns the length of the longest possible bar, in seconds. */
export function longestBar({ unit, count }: Resolution): number {
  return count * { seconds: 1, weeks: WEEK_SECONDS, months: MONTH_SECONDS }[unit];
}

/**
 * Returns the length in seconds of the candles from which bars are made: weeks and months are made from days.
 */
export function candleSeconds({ unit, count }: Resolution): number {
  return unit === "seconds" ? count : DAY_SECONDS;
}

/** Returns the number of months from January 1970 to the month of a time. */
function monthOf(timestamp: number): number {
  const date = new Date(timestamp * 1000);
  return (date.getUTCFullYear() - 1970) * MONTHS + date.getUTCMonth();
}

function startOfMonth(month: number): number {
  return Date.UTC(1970, month, 1) / 1000;
}
