import { MAX_TIMESTAMP } from "../../../../src/engine-sql/column-types.ts";

export const DAY = 86_400_000;

export const dateOf = (seconds: number) => new Date(seconds * 1000);
export const dayOf = (date: Date) => Math.floor(date.getTime() / DAY);
/** Returns the day of the week, from 1 for Monday to 7 for Sunday. */
export const isoDay = (date: Date) => ((((dayOf(date) + 3) % 7) + 7) % 7) + 1;
export const yearStart = (year: number) => Date.UTC(year, 0, 1) / DAY;

export function isoWeek(date: Date): number {
  const thursday = new Date((dayOf(date) + 4 - isoDay(date)) * DAY);
  return Math.floor((dayOf(thursday) - yearStart(thursday.getUTCFullYear())) / 7) + 1;
}

/**
 * Returns the week of the year. Weeks begin on Sunday. The first week contains 1 January, even if it begins
 * in December.
 */
export function week(date: Date): number {
  const saturday = new Date((dayOf(date) + 6 - (isoDay(date) % 7)) * DAY);
  return Math.floor((dayOf(saturday) - yearStart(saturday.getUTCFullYear())) / 7) + 1;
}

/**
 * Adds months to a date. Returns milliseconds. If the day does not exist in the new month, returns the
 * month's last day.
 */
export function addMonths(date: Date, months: number): number {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date.getUTCDate(), days));
  return first.getTime() + (date.getTime() % DAY);
}

/** Returns a time in Unix seconds, or null if it is outside 1970 to 2106. */
export const storedTime = (seconds: number): number | null =>
  seconds >= 0 && seconds <= MAX_TIMESTAMP ? seconds : null;

export interface TimeSpan {
  months: number;
  seconds: number;
}

/** Moves a time in Unix seconds by a calendar span. Returns null if the result is outside 1970 to 2106. */
export function shifted(time: number, { months, seconds }: TimeSpan): number | null {
  return storedTime(addMonths(dateOf(time), months) / 1000 + seconds);
}
