import { textLiteral } from "../operators/literals.ts";
import type { Interval } from "../parse/syntax.ts";
import { synonyms } from "../synonyms.ts";
import { unknown } from "../unknown.ts";
import { dateOf, dayOf, isoDay, isoWeek, shifted, week, yearStart } from "../values/calendar.ts";
import {
  type Compiled,
  constant,
  derived,
  TEXT,
  TIME,
  type Type,
  type Value,
  WHOLE,
} from "../values/types.ts";
import { argument, at, type BuildFunction, literalText, numberAt } from "./arguments.ts";
import { numberBucket } from "./number-functions.ts";
import { unitOf } from "./time-units.ts";

const DAY_SECONDS = 86_400;

/** Parts of a time, by function name. */
const PARTS: Record<string, (date: Date) => number> = {
  YEAR: (date) => date.getUTCFullYear(),
  QUARTER: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  ...synonyms("MONTH MONTH_OF_YEAR", (date) => date.getUTCMonth() + 1),
  ...synonyms("WEEK WEEK_OF_YEAR", week),
  ...synonyms("ISO_WEEK ISO_WEEK_OF_YEAR ISOWEEK ISOWEEKOFYEAR IWOY IW", isoWeek),
  ...synonyms("DAY DAY_OF_MONTH DOM", (date) => date.getUTCDate()),
  ...synonyms("DAY_OF_YEAR DOY DAYOFYEAR", dayOfYear),
  ...synonyms("DAY_OF_WEEK DOW DAYOFWEEK", (date) => date.getUTCDay() + 1),
  ...synonyms("ISO_DAY_OF_WEEK ISODOW IDOW ISODAYOFWEEK", isoDay),
  ...synonyms("HOUR HOUR_OF_DAY", (date) => date.getUTCHours()),
  ...synonyms("MINUTE MINUTE_OF_HOUR", (date) => date.getUTCMinutes()),
  MINUTE_OF_DAY: (date) => date.getUTCHours() * 60 + date.getUTCMinutes(),
  ...synonyms("SECOND SECOND_OF_MINUTE", (date) => date.getUTCSeconds()),
};

function dayOfYear(date: Date): number {
  return dayOf(date) - yearStart(date.getUTCFullYear()) + 1;
}

function ofTime(type: Type, time: Compiled, compute: (date: Date) => Value): Compiled {
  return derived(type, [time], (seconds) => compute(dateOf(Number(seconds))));
}

const partFunction =
  (part: (date: Date) => number): BuildFunction =>
  (list) =>
    ofTime(WHOLE, at(list, 0, "time"), (date) => BigInt(part(date)));

function datePart(list: readonly Compiled[]): Compiled {
  const name = literalText(list, 0).toUpperCase();
  const part = PARTS[name] ?? PARTS[name.replace(/S$/, "")];
  if (part === undefined) throw unknown(`part of a time: ${name}`);
  return partFunction(part)(list.slice(1), 0);
}

/** Returns a function that formats a part of a time in English. */
function inEnglish(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = new Intl.DateTimeFormat("en", { ...options, timeZone: "UTC" });
  return (date) => format.format(date);
}

const english =
  (options: Intl.DateTimeFormatOptions): BuildFunction =>
  (list) =>
    ofTime(TEXT, at(list, 0, "time"), inEnglish(options));

const twoDigits = (part: number) => String(part).padStart(2, "0");

const FORMATS: Record<string, (date: Date) => string> = {
  Y: (date) => String(date.getUTCFullYear()),
  m: (date) => twoDigits(date.getUTCMonth() + 1),
  d: (date) => twoDigits(date.getUTCDate()),
  H: (date) => twoDigits(date.getUTCHours()),
  i: (date) => twoDigits(date.getUTCMinutes()),
  s: (date) => twoDigits(date.getUTCSeconds()),
  j: (date) => String(dayOfYear(date)).padStart(3, "0"),
  "%": () => "%",
};

function dateFormat(list: readonly Compiled[]): Compiled {
  const format = literalText(list, 1);
  return ofTime(TEXT, at(list, 0, "time"), (date) =>
    format.replace(/%(.)/g, (_, sign: string) => {
      const print = FORMATS[sign];
      if (print === undefined) throw unknown(`format: %${sign}`);
      return print(date);
    }),
  );
}

const halfDayHour = (date: Date) => date.getUTCHours() % 12 || 12;

/** For each run of letters in a DATETIME_FORMAT pattern, the function that formats a time for it. */
const RUNS: Record<string, (date: Date) => string> = {
  yyyy: (date) => String(date.getUTCFullYear()),
  yy: (date) => twoDigits(date.getUTCFullYear() % 100),
  MMMM: inEnglish({ month: "long" }),
  MMM: inEnglish({ month: "short" }),
  MM: (date) => twoDigits(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  dd: (date) => twoDigits(date.getUTCDate()),
  d: (date) => String(date.getUTCDate()),
  HH: (date) => twoDigits(date.getUTCHours()),
  H: (date) => String(date.getUTCHours()),
  hh: (date) => twoDigits(halfDayHour(date)),
  h: (date) => String(halfDayHour(date)),
  mm: (date) => twoDigits(date.getUTCMinutes()),
  m: (date) => String(date.getUTCMinutes()),
  ss: (date) => twoDigits(date.getUTCSeconds()),
  s: (date) => String(date.getUTCSeconds()),
  a: (date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  EEEE: inEnglish({ weekday: "long" }),
  EEE: inEnglish({ weekday: "short" }),
  DDD: (date) => String(dayOfYear(date)).padStart(3, "0"),
  D: (date) => String(dayOfYear(date)),
};

/** Formats a time by a pattern. Two quotes mean one quote. Other quotes enclose literal letters. */
function datetimeFormat(list: readonly Compiled[]): Compiled {
  const pattern = literalText(list, 1);
  return ofTime(TEXT, at(list, 0, "time"), (date) =>
    pattern.replace(/''|'((?:[^']|'')*)'|([A-Za-z])\2*/g, (run: string, quoted: string | undefined) => {
      if (run === "''") return "'";
      if (quoted !== undefined) return quoted.replaceAll("''", "'");
      const print = RUNS[run];
      if (print === undefined) throw unknown(`run in a pattern: ${run}`);
      return print(date);
    }),
  );
}

function dateTruncate(list: readonly Compiled[]): Compiled {
  const unit = unitOf(literalText(list, 0));
  return ofTime(TIME, at(list, 1, "time"), (date) => unit.start(date));
}

function dateAdd(list: readonly Compiled[]): Compiled {
  const unit = unitOf(literalText(list, 0));
  return derived(TIME, [numberAt(list, 1), at(list, 2, "time")], (count, time) =>
    shifted(Number(time), unit.span(Math.trunc(Number(count)))),
  );
}

function dateDifference(list: readonly Compiled[]): Compiled {
  const unit = unitOf(literalText(list, 0));
  const number = (time: Value) => unit.number(dateOf(Number(time)));
  return derived(WHOLE, [at(list, 1, "time"), at(list, 2, "time")], (from, to) =>
    BigInt(number(to) - number(from)),
  );
}

function histogram(list: readonly Compiled[]): Compiled {
  const { literal } = argument(list, 1);
  if (literal?.kind !== "interval") return numberBucket(list);
  if (literal.one === "YEAR" || literal.one === "MONTH") {
    return dateTruncate([textLiteral(literal.one), argument(list, 0)]);
  }
  const step = fixedLength(literal);
  return derived(TIME, [at(list, 0, "time")], (time) => Math.floor(Number(time) / step) * step);
}

const fixedLength = ({ months, seconds }: Interval) => months * 30 * DAY_SECONDS + seconds;

export const timeFunctions: Record<string, BuildFunction> = {
  ...synonyms<BuildFunction>("NOW CURRENT_TIMESTAMP", (_, now) => constant(TIME, now)),
  ...synonyms<BuildFunction>("TODAY CURDATE CURRENT_DATE", (_, now) =>
    constant(TIME, now - (now % DAY_SECONDS)),
  ),
  ...synonyms("DATE_TRUNC DATETRUNC", dateTruncate),
  ...synonyms("DATE_ADD DATEADD TIMESTAMP_ADD TIMESTAMPADD", dateAdd),
  ...synonyms("DATE_DIFF DATEDIFF TIMESTAMP_DIFF TIMESTAMPDIFF", dateDifference),
  ...synonyms("DATE_PART DATEPART EXTRACT", datePart),
  DATE_FORMAT: dateFormat,
  DATETIME_FORMAT: datetimeFormat,
  ...synonyms("DAY_NAME DAYNAME", english({ weekday: "long" })),
  ...synonyms("MONTH_NAME MONTHNAME", english({ month: "long" })),
  HISTOGRAM: histogram,
  ...Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, partFunction(part)])),
};
