import { synonyms } from "../synonyms.ts";
import { unknown } from "../unknown.ts";
import { DAY, dayOf, isoDay, type TimeSpan } from "../values/calendar.ts";

interface Unit {
  /** Returns the number of the unit that contains a time. Units are numbered without gaps. */
  number(date: Date): number;
  /** Returns the start of the unit that contains a time, in Unix seconds. */
  start(date: Date): number;
  /** Returns the length of several units. */
  span(count: number): TimeSpan;
}

const ofMonths = (months: number): Unit => {
  const number = (date: Date) => Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months);
  return {
    number,
    start: (date) => monthStart(number(date) * months),
    span: (count) => ({ months: count * months, seconds: 0 }),
  };
};

const monthStart = (month: number) => Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000;

const ofSeconds = (seconds: number): Unit => {
  const number = (date: Date) => Math.floor(date.getTime() / 1000 / seconds);
  return {
    number,
    start: (date) => number(date) * seconds,
    span: (count) => ({ months: 0, seconds: count * seconds }),
  };
};

/**
 * Weeks begin on Monday. Only the first one begins on Thursday, 1 January 1970, because the Monday before it
 * is out of range.
 */
const WEEK: Unit = {
  ...ofSeconds(604_800),
  number: (date) => Math.floor((dayOf(date) + 3) / 7),
  start: (date) => Math.max(0, (dayOf(date) + 1 - isoDay(date)) * (DAY / 1000)),
};

const UNITS: Record<string, Unit> = {
  ...synonyms("YEAR YEARS YYYY YY", ofMonths(12)),
  ...synonyms("QUARTER QUARTERS QQ Q", ofMonths(3)),
  ...synonyms("MONTH MONTHS MM M", ofMonths(1)),
  ...synonyms("WEEK WEEKS WK WW", WEEK),
  ...synonyms("DAY DAYS DD D", ofSeconds(86_400)),
  ...synonyms("HOUR HOURS HH", ofSeconds(3_600)),
  ...synonyms("MINUTE MINUTES MI N", ofSeconds(60)),
  ...synonyms("SECOND SECONDS SS S", ofSeconds(1)),
};

export function unitOf(name: string): Unit {
  const unit = UNITS[name.toUpperCase()];
  if (unit === undefined) throw unknown(`unit: ${name}`);
  return unit;
}
