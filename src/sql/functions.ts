import { type Sql, sql } from "../lib/sql-text.ts";
import { apply, type Checked, literal, type Operation } from "./checked.ts";
import { fixedSeconds } from "./interval.ts";
import { integerLiteral, toDouble, toInteger, WIDE_BITS } from "./operators.ts";
import {
  AMOUNT,
  DOUBLE,
  integerType,
  SAFE_BITS,
  SUM,
  TIME,
  type ValueKind,
  type ValueType,
} from "./value-type.ts";

/** One way to call a function. */
export interface Overload {
  /** Kind of each argument; "any" takes every stored kind. */
  takes: readonly (ValueKind | "any")[];
  /** `*`: instead of arguments, COUNT(*). `DISTINCT`: the argument has that word before it. */
  form?: "*" | "DISTINCT";
  /** What is wrong with the arguments' values, or null. */
  complaint?(...operands: Checked[]): string | null;
  /** The checked call. */
  call(...operands: Checked[]): Checked;
}

export interface SqlFunction {
  name: string;
  signature: string;
  doc: string;
  aggregate: boolean;
  overloads: readonly Overload[];
  /** Of a function without arguments: its value in a query that is asked at `now` (unix seconds). */
  constant?(now: number): Checked;
}

type Print = (...operands: Sql[]) => Sql;

/** An aggregate of the engine; `OrNull` ones give null for no values, as SQL does, where plain ones give 0. */
function aggregate(name: string, print: Print, size: Pick<Operation, "weight" | "copies"> = {}) {
  return (type: ValueType, ...operands: Checked[]) =>
    apply({ name, print, aggregate: true, ...size }, type, ...operands);
}

const count = aggregate("count", () => sql`count()`);
const countValues = aggregate("count-values", (value) => sql`count(${value})`);
const countDistinct = aggregate("count-distinct", (value) => sql`uniqExact(${value})`);
const sum = aggregate("sum", (value) => sql`sumOrNull(${value})`);
const average = aggregate("average", (value) => sql`avgOrNull(${value})`);
const least = aggregate("min", (value) => sql`minOrNull(${value})`);
const greatest = aggregate("max", (value) => sql`maxOrNull(${value})`);

/**
 * Sums of amounts pass 2^256 easily (any contract can claim any amount), so digits above and below 10^38 are
 * added apart: each part has room for 2^64 rows. Tuples compare from the left, as numbers do.
 */
const SPLIT = sql`toUInt256('100000000000000000000000000000000000000')`;
const sumAmounts = aggregate(
  "sum-amounts",
  (value) => {
    const low = sql`sumOrNull(${value} % ${SPLIT})`;
    const high = sql`(sumOrNull(intDiv(${value}, ${SPLIT})) + intDiv(${low}, ${SPLIT}))`;
    return sql`tuple(${high}, ${low} % ${SPLIT})`;
  },
  { weight: 8, copies: 3 },
);

/** A sum of 2^40 rows, more than any table here holds, needs so many bits more than its terms. */
const SUM_BITS = 40;
const WIDEST_SUM = WIDE_BITS - SUM_BITS;

function sumIntegers(value: Checked): Checked {
  const bits = value.type.kind === "integer" ? value.type.bits : WIDEST_SUM + 1;
  if (bits > WIDEST_SUM) return sum(DOUBLE, toDouble(value));
  return sum(integerType(bits + SUM_BITS), toInteger(value, bits + SUM_BITS));
}

const ORDERED_KINDS = ["integer", "amount", "double", "text", "time", "bytes"] as const;
const NUMBERS = ["integer", "amount", "double"] as const;

const COUNT: SqlFunction = {
  name: "COUNT",
  signature: "COUNT(*), COUNT(x), COUNT(DISTINCT x)",
  doc: "number of rows; of rows where x is not null; of different values of x (exact)",
  aggregate: true,
  overloads: [
    { takes: [], form: "*", call: () => count(integerType(SAFE_BITS)) },
    { takes: ["any"], call: (value) => countValues(integerType(SAFE_BITS), value) },
    { takes: ["any"], form: "DISTINCT", call: (value) => countDistinct(integerType(SAFE_BITS), value) },
  ],
};

const SUM_OF: SqlFunction = {
  name: "SUM",
  signature: "SUM(number)",
  doc: "sum, exact for whole numbers of any size; null when there is no value",
  aggregate: true,
  overloads: [
    { takes: ["integer"], call: sumIntegers },
    { takes: ["amount"], call: (value) => sumAmounts(SUM, value) },
    { takes: ["double"], call: (value) => sum(DOUBLE, value) },
  ],
};

const AVG: SqlFunction = {
  name: "AVG",
  signature: "AVG(number)",
  doc: "mean; null when there is no value",
  aggregate: true,
  overloads: NUMBERS.map((kind) => ({ takes: [kind], call: (value) => average(DOUBLE, toDouble(value)) })),
};

const MIN: SqlFunction = {
  name: "MIN",
  signature: "MIN(x)",
  doc: "smallest value of numbers, times, texts or hex bytes; null when there is no value",
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => least(value.type, value) })),
};

const MAX: SqlFunction = {
  name: "MAX",
  signature: "MAX(x)",
  doc: "largest value of numbers, times, texts or hex bytes; null when there is no value",
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => greatest(value.type, value) })),
};

const CALENDAR: Record<"year" | "month", Print> = {
  year: (time) => sql`toDateTime(toStartOfYear(${time}), 'UTC')`,
  month: (time) => sql`toDateTime(toStartOfMonth(${time}), 'UTC')`,
};

const FIXED: Print = (time, length) =>
  sql`toDateTime(intDiv(toUnixTimestamp(${time}), ${length}) * ${length}, 'UTC')`;

function timeBuckets(time: Checked, step: Checked): Checked {
  const calendar = step.type.kind === "interval" ? step.type.interval.calendar : null;
  if (calendar !== null) return apply({ name: calendar, print: CALENDAR[calendar] }, TIME, time);
  return apply({ name: "buckets", print: FIXED }, TIME, time, step);
}

/** Whole numbers are moved above 0 and back, because the engine's division rounds towards 0. */
const WHOLE: Print = (value, step, offset) =>
  sql`(intDiv(${value} + ${offset}, ${step}) * ${step} - ${offset})`;

function wholeBuckets(value: Checked, step: Checked): Checked {
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

function amountBuckets(value: Checked, step: Checked): Checked {
  return apply({ name: "buckets", print: (v, s) => sql`(intDiv(${v}, ${s}) * ${s})` }, AMOUNT, value, step);
}

function doubleBuckets(value: Checked, step: Checked): Checked {
  const print = (v: Sql, s: Sql) => sql`(floor(${v} / ${s}) * ${s})`;
  return apply({ name: "buckets", print }, DOUBLE, toDouble(value), toDouble(step));
}

function positiveStep(_value: Checked, step: Checked): string | null {
  return step.node === "literal" && Number(step.value) > 0 ? null : "the step must be a number above 0";
}

/** A bucket of 2^32 seconds holds every time that can be stored. */
const LONGEST_BUCKET_SECONDS = 2 ** 32;

function bucketInterval(_value: Checked, step: Checked): string | null {
  const seconds = step.type.kind === "interval" ? fixedSeconds(step.type.interval) : 0;
  if (seconds <= 0) return "the interval must be longer than 0 seconds";
  return seconds > LONGEST_BUCKET_SECONDS
    ? "the interval must not be longer than 2^32 seconds (136 years)"
    : null;
}

const HISTOGRAM: SqlFunction = {
  name: "HISTOGRAM",
  signature: "HISTOGRAM(time, INTERVAL n unit), HISTOGRAM(number, step)",
  doc:
    "start of the bucket that holds the value. INTERVAL 1 YEAR, 1 MONTH and 1 DAY follow the calendar (UTC); any other " +
    "interval has a fixed length counted from 1970, a month being 30 days. Numbers: the multiple of step at or below",
  aggregate: false,
  overloads: [
    { takes: ["time", "interval"], complaint: bucketInterval, call: timeBuckets },
    { takes: ["integer", "integer"], complaint: positiveStep, call: wholeBuckets },
    { takes: ["amount", "integer"], complaint: positiveStep, call: amountBuckets },
    ...NUMBERS.flatMap((kind): Overload[] => [
      { takes: [kind, "double"], complaint: positiveStep, call: doubleBuckets },
    ]),
    { takes: ["double", "integer"], complaint: positiveStep, call: doubleBuckets },
  ],
};

const NOW: SqlFunction = {
  name: "NOW",
  signature: "NOW()",
  doc: "the time of the query, the same wherever it stands; NOW() - INTERVAL 7 DAY is a week before",
  aggregate: false,
  overloads: [],
  constant: (now) => literal(now, TIME),
};

/** Every function of the dialect. A new one is a new row. */
export const FUNCTIONS: readonly SqlFunction[] = [COUNT, SUM_OF, AVG, MIN, MAX, HISTOGRAM, NOW];

const BY_NAME = new Map(FUNCTIONS.map((declared) => [declared.name, declared]));

export function functionOf(name: string): SqlFunction | undefined {
  return BY_NAME.get(name.toUpperCase());
}
