import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";

/** A unit of DATE_TRUNC, DATE_ADD and DATE_DIFF, which follow the calendar (UTC). */
export interface TimeUnit {
  name: string;
  synonyms: readonly string[];
  /** Length in months or in seconds; the other is 0. */
  months: number;
  seconds: number;
  /** Returns the start of the unit that contains a time, in unix seconds; never before 1970. */
  start(time: number): number;
  printStart(time: Sql): Sql;
}

/** 5 January 1970 was a Monday. */
const FIRST_MONDAY = 4 * DAY_SECONDS;

const multiple = (length: number) => (time: number) => time - (time % length);

function monthStart(months: number): (time: number) => number {
  return (time) => {
    const date = new Date(time * 1000);
    const month = date.getUTCMonth();
    return Date.UTC(date.getUTCFullYear(), month - (month % months)) / 1000;
  };
}

function weekStart(time: number): number {
  return Math.max(0, FIRST_MONDAY + Math.floor((time - FIRST_MONDAY) / (7 * DAY_SECONDS)) * 7 * DAY_SECONDS);
}

export const TIME_UNITS: readonly [TimeUnit, ...TimeUnit[]] = [
  {
    name: "year",
    synonyms: ["years", "yy", "yyyy"],
    months: 12,
    seconds: 0,
    start: monthStart(12),
    printStart: (t) => sql`toStartOfYear(${t})`,
  },
  {
    name: "quarter",
    synonyms: ["quarters", "qq", "q"],
    months: 3,
    seconds: 0,
    start: monthStart(3),
    printStart: (t) => sql`toStartOfQuarter(${t})`,
  },
  {
    name: "month",
    synonyms: ["months", "mm", "m"],
    months: 1,
    seconds: 0,
    start: monthStart(1),
    printStart: (t) => sql`toStartOfMonth(${t})`,
  },
  {
    name: "week",
    synonyms: ["weeks", "wk", "ww"],
    months: 0,
    seconds: 7 * DAY_SECONDS,
    start: weekStart,
    printStart: (t) => sql`toMonday(${t})`,
  },
  {
    name: "day",
    synonyms: ["days", "dd", "d"],
    months: 0,
    seconds: DAY_SECONDS,
    start: multiple(DAY_SECONDS),
    printStart: (t) => sql`toStartOfDay(${t})`,
  },
  {
    name: "hour",
    synonyms: ["hours", "hh"],
    months: 0,
    seconds: HOUR_SECONDS,
    start: multiple(HOUR_SECONDS),
    printStart: (t) => sql`toStartOfHour(${t})`,
  },
  {
    name: "minute",
    synonyms: ["minutes", "mi", "n"],
    months: 0,
    seconds: MINUTE_SECONDS,
    start: multiple(MINUTE_SECONDS),
    printStart: (t) => sql`toStartOfMinute(${t})`,
  },
  {
    name: "second",
    synonyms: ["seconds", "ss", "s"],
    months: 0,
    seconds: 1,
    start: (time) => time,
    printStart: (t) => t,
  },
];

/** Returns the unit that a client's word names, or null if there is none. */
export function findTimeUnit(word: string): TimeUnit | null {
  const name = word.toLowerCase();
  return TIME_UNITS.find((unit) => unit.name === name || unit.synonyms.includes(name)) ?? null;
}
