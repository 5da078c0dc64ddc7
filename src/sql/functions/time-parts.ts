import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression } from "../expressions/checked-expression.ts";
import { integerType } from "../types/value-type.ts";
import type { SqlFunction } from "./sql-function.ts";

/** A numeric part of a time (UTC). */
export interface TimePart {
  name: string;
  synonyms: readonly string[];
  doc: string;
  example: number;
  print(time: Sql): Sql;
}

/**
 * Prints the day of the week, 1 for Sunday. With the engine's own function for this numbering (26.7), a
 * condition wrongly skips rows, because the engine assumes that the numbers ascend from Monday to Sunday. It
 * assumes nothing about remainders.
 */
const dayFromSunday = (time: Sql) => sql`(toDayOfWeek(${time}) % 7 + 1)`;

/** Parts of a time. Each is both a function and an argument of EXTRACT and DATE_PART. */
export const TIME_PARTS: readonly [TimePart, ...TimePart[]] = [
  { name: "YEAR", synonyms: [], doc: "year", example: 2024, print: (t) => sql`toYear(${t})` },
  {
    name: "QUARTER",
    synonyms: [],
    doc: "quarter of the year, 1 to 4",
    example: 1,
    print: (t) => sql`toQuarter(${t})`,
  },
  {
    name: "MONTH",
    synonyms: ["MONTH_OF_YEAR"],
    doc: "month of the year, 1 to 12",
    example: 3,
    print: (t) => sql`toMonth(${t})`,
  },
  {
    name: "WEEK",
    synonyms: ["WEEK_OF_YEAR"],
    doc: "week of the year; weeks begin on Sunday, and the week of 1 January is week 1",
    example: 11,
    print: (t) => sql`toWeek(${t}, 8)`,
  },
  {
    name: "ISO_WEEK",
    synonyms: ["ISO_WEEK_OF_YEAR", "ISOWEEK", "ISOWEEKOFYEAR", "IWOY", "IW"],
    doc: "week of the year by ISO 8601; weeks begin on Monday, and the week of 4 January is week 1",
    example: 10,
    print: (t) => sql`toISOWeek(${t})`,
  },
  {
    name: "DAY",
    synonyms: ["DAY_OF_MONTH", "DOM"],
    doc: "day of the month, 1 to 31",
    example: 10,
    print: (t) => sql`toDayOfMonth(${t})`,
  },
  {
    name: "DAY_OF_YEAR",
    synonyms: ["DOY", "DAYOFYEAR"],
    doc: "day of the year, 1 to 366",
    example: 70,
    print: (t) => sql`toDayOfYear(${t})`,
  },
  {
    name: "DAY_OF_WEEK",
    synonyms: ["DOW", "DAYOFWEEK"],
    doc: "day of the week, 1 for Sunday to 7 for Saturday",
    example: 1,
    print: dayFromSunday,
  },
  {
    name: "ISO_DAY_OF_WEEK",
    synonyms: ["ISODOW", "IDOW", "ISODAYOFWEEK"],
    doc: "day of the week by ISO 8601, 1 for Monday to 7 for Sunday",
    example: 7,
    print: (t) => sql`toDayOfWeek(${t})`,
  },
  {
    name: "HOUR",
    synonyms: ["HOUR_OF_DAY"],
    doc: "hour of the day, 0 to 23",
    example: 11,
    print: (t) => sql`toHour(${t})`,
  },
  {
    name: "MINUTE",
    synonyms: ["MINUTE_OF_HOUR"],
    doc: "minute of the hour, 0 to 59",
    example: 59,
    print: (t) => sql`toMinute(${t})`,
  },
  {
    name: "MINUTE_OF_DAY",
    synonyms: [],
    doc: "minute of the day, 0 to 1439",
    example: 719,
    print: (t) => sql`(toHour(${t}) * 60 + toMinute(${t}))`,
  },
  {
    name: "SECOND",
    synonyms: ["SECOND_OF_MINUTE"],
    doc: "second of the minute, 0 to 59",
    example: 58,
    print: (t) => sql`toSecond(${t})`,
  },
];

/** Every part is below 2^16. */
const PART_BITS = 16;

/** Returns the part as a signed integer of the engine. */
export function timePart({ name, print }: TimePart, time: CheckedExpression): CheckedExpression {
  const operation = {
    name: `part-${name}`,
    copies: 2,
    weight: 4,
    print: (t: Sql) => sql`toInt64(${print(t)})`,
  };
  return apply(operation, integerType(PART_BITS), time);
}

/** Returns the part that a client's word names, or null if there is none. */
export function findTimePart(word: string): TimePart | null {
  const name = word.toUpperCase();
  return TIME_PARTS.find((part) => part.name === name || part.synonyms.includes(name)) ?? null;
}

/** Functions of a time, one for each part. */
export const TIME_PART_FUNCTIONS: readonly SqlFunction[] = TIME_PARTS.map((part) => ({
  name: part.name,
  synonyms: part.synonyms,
  signature: `${part.name}(time)`,
  doc: part.doc,
  example: [`${part.name}(timestamp)`, part.example],
  overloads: [{ takes: ["time"], call: (time) => timePart(part, time) }],
}));
