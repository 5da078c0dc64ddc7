import { double, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression, isConstant } from "../expressions/checked-expression.ts";
import { unifyTypes } from "../expressions/comparison.ts";
import { toDouble } from "../expressions/doubles.ts";
import { naming, stepwise } from "../expressions/naming.ts";
import { DOUBLE } from "../types/value-type.ts";
import { aggregate, ofNumbers, type Print } from "./aggregates.ts";
import type { SqlFunction } from "./sql-function.ts";

function percentile(value: CheckedExpression, percent: number): CheckedExpression {
  const level = double(percent / 100);
  const print = (values: Sql) => sql`quantileExactInclusiveOrNull(${level})(${values})`;
  return apply({ name: `percentile-${percent}`, print, aggregate: true }, DOUBLE, toDouble(value));
}

function percentageProblem(_value: CheckedExpression, percent: CheckedExpression): string | null {
  const given = percent.node === "literal" ? Number(percent.value) : Number.NaN;
  return given >= 0 && given <= 100 ? null : "the percentage must be a number from 0 to 100, not a column";
}

const PERCENTILE: SqlFunction = {
  name: "PERCENTILE",
  signature: "PERCENTILE(number, percentage)",
  doc: "value below which the given percentage of the values lies, exact, interpolated between two values; the percentage is a number from 0 to 100",
  example: ["PERCENTILE(log_index, 75)", 9.75],
  aggregate: true,
  overloads: [
    {
      takes: ["number", "number"],
      problem: percentageProblem,
      call: (value, level) => percentile(value, level.node === "literal" ? Number(level.value) : 0),
    },
  ],
};

/**
 * Exact percentage of the values at or below the given value; other engines interpolate between two values.
 * Null if the given value is null, because no comparison has a result then.
 */
const PERCENTILE_RANK: SqlFunction = {
  name: "PERCENTILE_RANK",
  signature: "PERCENTILE_RANK(number, value)",
  doc: "exact percentage of the values at or below the given one",
  example: ["ROUND(PERCENTILE_RANK(log_index, 3), 6)", 28.571429],
  aggregate: true,
  overloads: [{ takes: ["number", "number"], problem: rankValueProblem, call: percentileRank }],
};

function rankValueProblem(_value: CheckedExpression, given: CheckedExpression): string | null {
  return isConstant(given) ? null : "the value must be the same for every row, such as a number";
}

function percentileRank(value: CheckedExpression, given: CheckedExpression): CheckedExpression {
  const [compared, bound] = unifyTypes(value, given) ?? [toDouble(value), toDouble(given)];
  return rankOf(DOUBLE, compared, bound);
}

const rankOf = aggregate(
  "percentile-rank",
  (value, bound) => sql`ifNotFinite(100 * countIf(${value} <= ${bound}) / count(${value} <= ${bound}), NULL)`,
  { weight: 6, copies: 2 },
);

const MEDIAN = ofNumbers(
  "MEDIAN",
  "median, exact; for an even number of values, the mean of the two in the middle",
  { example: ["MEDIAN(log_index)", 6.5], call: (value) => percentile(value, 50) },
);

/** Returns an example rounded to six places. */
const rounded = (name: string, value: number) => [`ROUND(${name}(log_index), 6)`, value] as const;

/** How a measure of spread is computed from the sum of squared distances from the mean. */
interface Spread {
  engine: Sql;
  /** 1 if the values are a sample, whose variance is divided by one less than their number. */
  missing: 0 | 1;
  isRoot: boolean;
}

const orNull = (value: Sql) => sql`ifNotFinite(${value}, NULL)`;

/**
 * Prints the exact form for whole numbers: Σ(x - mean)² = (n Σx² - (Σx)²) / n. The engine's own form loses
 * digits if the mean is large.
 */
function printExactly({ missing, isRoot }: Spread): Print {
  const variance = sql`toFloat64(a * q - s * s) / a / (a - ${integer(missing)})`;
  return (value) => {
    const whole = sql`toInt256(${value})`;
    const sums = [
      [sql`a`, sql`toInt256(count(${value}))`],
      [sql`s`, sql`sum(${whole})`],
      [sql`q`, sql`sum(${whole} * ${whole})`],
    ] as const;
    return orNull(naming(sums, isRoot ? sql`sqrt(${variance})` : variance));
  };
}

/**
 * Maximum number of bits for the exact form. With wider numbers and the maximum number of rows n, n Σx² does
 * not fit the engine's integers.
 */
const SQUARED_BITS = 87;

/**
 * Declares a measure of spread. It is exact for whole numbers of up to `SQUARED_BITS`. For other numbers it
 * uses the engine's stable form, which loses few digits if the mean is large.
 */
function spread(name: string, doc: string, of: Spread, example: number): SqlFunction {
  const exact = aggregate(`${name}-exact`, printExactly(of), { weight: 24, copies: 4 });
  const stable = aggregate(name, (value) => orNull(sql`${of.engine}(${value})`));
  const isExact = ({ type }: CheckedExpression) => type.kind === "integer" && type.bits <= SQUARED_BITS;
  return ofNumbers(name, doc, {
    example: rounded(name, example),
    call: (value) => (isExact(value) ? exact(DOUBLE, value) : stable(DOUBLE, toDouble(value))),
  });
}

/** Declares a function of the list `v` of all values in a group. The engine keeps the list in memory. */
function ofAllValues(name: string, doc: string, print: Sql, example: number): SqlFunction {
  const aggregated = aggregate(
    name,
    (value) => orNull(naming([[sql`v`, sql`groupArray(${value})`]], print)),
    { weight: 24 },
  );
  return ofNumbers(name, doc, {
    example: rounded(name, example),
    call: (value) => aggregated(DOUBLE, toDouble(value)),
  });
}

/**
 * Prints a central moment of the values. The engine computes it from sums of powers up to the fourth, which
 * loses all digits if the mean is much larger than the distances from it, as with the prices of a stablecoin.
 * Here, the first value is subtracted from every value, so the result is exact if all values are equal. The
 * differences are divided by a power of two near the largest of them, which changes no digit and keeps their
 * powers in range.
 */
function momentOf(moment: Sql): Sql {
  return stepwise(
    [
      [sql`a`, sql`arrayMap(w -> w - arrayElement(v, 1), v)`],
      [sql`s`, sql`exp2(floor(log2(arrayMax(arrayMap(w -> abs(w), a)))))`],
      [sql`b`, sql`arrayMap(w -> w / s, a)`],
      [sql`m`, sql`arrayAvg(b)`],
    ],
    sql`arrayReduce(${moment}, arrayMap(w -> w - m, b))`,
  );
}

const medianOf = (list: Sql) => sql`arrayReduce('quantileExactInclusiveOrNull(0.5)', ${list})`;
const MEDIAN_DISTANCE = naming([[sql`m`, medianOf(sql`v`)]], medianOf(sql`arrayMap(w -> abs(w - m), v)`));

/** Functions that describe the distribution of the values of many rows. */
export const DISTRIBUTIONS: readonly SqlFunction[] = [
  MEDIAN,
  PERCENTILE,
  PERCENTILE_RANK,
  spread(
    "STDDEV_POP",
    "population standard deviation",
    { engine: sql`stddevPopStableOrNull`, missing: 0, isRoot: true },
    4.031129,
  ),
  spread(
    "STDDEV_SAMP",
    "sample standard deviation; null for fewer than two values",
    { engine: sql`stddevSampStableOrNull`, missing: 1, isRoot: true },
    4.1833,
  ),
  spread(
    "VAR_POP",
    "population variance",
    { engine: sql`varPopStableOrNull`, missing: 0, isRoot: false },
    16.25,
  ),
  spread(
    "VAR_SAMP",
    "sample variance; null for fewer than two values",
    { engine: sql`varSampStableOrNull`, missing: 1, isRoot: false },
    17.5,
  ),
  ofAllValues(
    "MAD",
    "median absolute deviation: the median distance of the values from their median, exact",
    MEDIAN_DISTANCE,
    3.5,
  ),
  ofAllValues(
    "SKEWNESS",
    "population skewness: 0 for values symmetric around their mean; null if all are equal",
    momentOf(sql`'skewPop'`),
    0,
  ),
  ofAllValues(
    "KURTOSIS",
    "population kurtosis: 3 for a normal distribution; null if all are equal",
    momentOf(sql`'kurtPop'`),
    1.787692,
  ),
];
