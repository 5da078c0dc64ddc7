import { double, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression } from "../expressions/checked-expression.ts";
import { finite, toDouble } from "../expressions/doubles.ts";
import { integerLiteral, toInteger, WIDE_BITS } from "../expressions/integers.ts";
import { naming } from "../expressions/naming.ts";
import { fixedSeconds } from "../syntax/interval.ts";
import { AMOUNT, DOUBLE, integerType, TIME } from "../types/value-type.ts";
import type { Overload, SqlFunction } from "./sql-function.ts";

type Print = (...operands: Sql[]) => Sql;
const NUMBERS = ["integer", "amount", "double"] as const;

const CALENDAR: Record<"year" | "month", Print> = {
  year: (time) => sql`toDateTime(toStartOfYear(${time}), 'UTC')`,
  month: (time) => sql`toDateTime(toStartOfMonth(${time}), 'UTC')`,
};

const FIXED: Print = (time, length) =>
  sql`toDateTime(intDiv(toUnixTimestamp(${time}), ${length}) * ${length}, 'UTC')`;

function timeBuckets(time: CheckedExpression, step: CheckedExpression): CheckedExpression {
  const calendar = step.type.kind === "interval" ? step.type.interval.calendar : null;
  if (calendar !== null) return apply({ name: calendar, print: CALENDAR[calendar] }, TIME, time);
  return apply({ name: "buckets", print: FIXED }, TIME, time, step);
}

/** Shifts whole numbers above 0 and back again, because the engine's division rounds towards 0. */
const WHOLE: Print = (value, step, offset) =>
  sql`(intDiv(${value} + ${offset}, ${step}) * ${step} - ${offset})`;

function wholeBuckets(value: CheckedExpression, step: CheckedExpression): CheckedExpression {
  if (value.type.kind !== "integer" || step.type.kind !== "integer" || step.node !== "literal") {
    return doubleBuckets(value, step);
  }
  const length = BigInt(step.value);
  const offset = integerLiteral(((1n << BigInt(value.type.bits)) / length + 1n) * length);
  const bits = Math.max(value.type.bits, step.type.bits) + 2;
  if (bits > WIDE_BITS) return doubleBuckets(value, step);
  const operands = [value, step, offset].map((operand) => toInteger(operand, bits));
  return apply({ name: "buckets", print: WHOLE }, integerType(bits), ...operands);
}

function amountBuckets(value: CheckedExpression, step: CheckedExpression): CheckedExpression {
  return apply({ name: "buckets", print: (v, s) => sql`(intDiv(${v}, ${s}) * ${s})` }, AMOUNT, value, step);
}

/**
 * Puts doubles into buckets. A bucket starts at the double nearest to its decimal digits. With a step of 0.1,
 * the value 0.3 is in the bucket that starts at 0.3, although three times the double 0.1 is more than that. A
 * quotient of doubles may be one too high or too low.
 */
function doubleBuckets(value: CheckedExpression, step: CheckedExpression): CheckedExpression {
  const { units, ofOne } = decimalFraction(step.node === "literal" ? Number(step.value) : Number.NaN);
  const start = (count: Sql) => sql`(${count} * ${double(units)} / ${double(ofOne)})`;
  const [there, next] = [start(sql`q`), start(sql`(q + 1)`)];
  const nearest = sql`multiIf(${next} <= v, ${next}, ${there} <= v, ${there}, ${start(sql`(q - 1)`)})`;
  const counted = sql`floor(v / ${double(units / ofOne)})`;
  const print: Print = (number) => naming([[sql`v`, number]], naming([[sql`q`, counted]], nearest));
  const buckets = finite({ name: `buckets-${units}-${ofOne}`, weight: 24, print });
  return apply(buckets, DOUBLE, toDouble(value));
}

/** Powers of ten up to this exponent are exact as doubles. */
const MOST_DECIMALS = 22;

/**
 * Returns a number such as 0.25 as a fraction of two exact doubles (25 / 100), or the number over 1 if there
 * is no such fraction.
 */
function decimalFraction(value: number): { units: number; ofOne: number } {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  const decimals = fraction.length - Number(exponent);
  const units = Number(whole + fraction);
  const isExact = decimals >= 0 && decimals <= MOST_DECIMALS && Number.isSafeInteger(units);
  return isExact ? { units, ofOne: 10 ** decimals } : { units: value, ofOne: 1 };
}

function stepProblem(_value: CheckedExpression, step: CheckedExpression): string | null {
  return step.node === "literal" && Number(step.value) > 0 ? null : "the step must be a number above 0";
}

/** A bucket of 2^32 seconds contains every time that can be stored. */
const LONGEST_BUCKET_SECONDS = 2 ** 32;

function intervalProblem(_value: CheckedExpression, step: CheckedExpression): string | null {
  const seconds = step.type.kind === "interval" ? fixedSeconds(step.type.interval) : 0;
  if (seconds <= 0) return "the interval must be longer than 0 seconds";
  return seconds > LONGEST_BUCKET_SECONDS
    ? "the interval must not be longer than 2^32 seconds (136 years)"
    : null;
}

export const HISTOGRAM: SqlFunction = {
  name: "HISTOGRAM",
  signature: "HISTOGRAM(time, INTERVAL n unit), HISTOGRAM(number, step)",
  doc:
    "start of the bucket that contains the value. INTERVAL 1 YEAR, 1 MONTH and 1 DAY follow the calendar (UTC); any other " +
    "interval has a fixed length (months of 30 days), and its buckets are counted from 1970. For a number, it is the largest multiple of the step that is not above the value",
  example: ["HISTOGRAM(timestamp, INTERVAL 1 MONTH)", "2024-03-01T00:00:00.000Z"],
  overloads: [
    { takes: ["time", "interval"], problem: intervalProblem, call: timeBuckets },
    { takes: ["integer", "integer"], problem: stepProblem, call: wholeBuckets },
    { takes: ["amount", "integer"], problem: stepProblem, call: amountBuckets },
    ...NUMBERS.flatMap((kind): Overload[] => [
      { takes: [kind, "double"], problem: stepProblem, call: doubleBuckets },
    ]),
    { takes: ["double", "integer"], problem: stepProblem, call: doubleBuckets },
  ],
};
