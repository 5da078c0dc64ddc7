import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { arithmetic } from "../expressions/arithmetic.ts";
import { apply, type CheckedExpression, type Operation } from "../expressions/checked-expression.ts";
import { toDouble } from "../expressions/doubles.ts";
import { printSumOfAmounts } from "../expressions/exact-sums.ts";
import { toInteger, WIDE_BITS } from "../expressions/integers.ts";
import { DOUBLE, integerType, SAFE_BITS, SUM, type ValueType } from "../types/value-type.ts";
import type { Overload, SqlFunction } from "./sql-function.ts";

export type Print = (...operands: Sql[]) => Sql;

/**
 * Declares an aggregate of the engine. If there are no values, engine functions with `OrNull` give null, as
 * in SQL, and other functions give 0.
 */
export function aggregate(name: string, print: Print, size: Pick<Operation, "weight" | "copies"> = {}) {
  return (type: ValueType, ...operands: CheckedExpression[]) =>
    apply({ name, print, aggregate: true, ...size }, type, ...operands);
}

const count = aggregate("count", () => sql`count()`);
const countValues = aggregate("count-values", (value) => sql`count(${value})`);
const countDistinct = aggregate("count-distinct", (value) => sql`uniqExact(${value})`);
const sum = aggregate("sum", (value) => sql`sumOrNull(${value})`);
const sumDoubles = aggregate("sum-doubles", (value) => sql`ifNotFinite(sumOrNull(${value}), NULL)`);
const average = aggregate("average", (value) => sql`ifNotFinite(avgOrNull(${value}), NULL)`);
const least = aggregate("min", (value) => sql`minOrNull(${value})`);
const greatest = aggregate("max", (value) => sql`maxOrNull(${value})`);

const sumAmounts = aggregate("sum-amounts", printSumOfAmounts, { weight: 8, copies: 3 });

/**
 * Additional bits of a sum: a sum of 2^40 rows, more than any table has, needs 40 bits more than its terms.
 */
const SUM_BITS = 40;
const WIDEST_SUM = WIDE_BITS - SUM_BITS;

/** Sums integers: exactly if the sum fits, in double precision otherwise. */
function sumIntegers(value: CheckedExpression): CheckedExpression {
  const bits = value.type.kind === "integer" ? value.type.bits : WIDEST_SUM + 1;
  if (bits > WIDEST_SUM) return sumDoubles(DOUBLE, toDouble(value));
  return sum(integerType(bits + SUM_BITS), toInteger(value, bits + SUM_BITS));
}

const ORDERED_KINDS = ["integer", "amount", "double", "text", "time", "bytes"] as const;

/** Declares an aggregate of one number. */
export function ofNumbers(
  name: string,
  doc: string,
  { example, call }: { example: SqlFunction["example"]; call(value: CheckedExpression): CheckedExpression },
): SqlFunction {
  const signature = `${name}(number)`;
  return { name, signature, doc, example, aggregate: true, overloads: [{ takes: ["number"], call }] };
}

const COUNT: SqlFunction = {
  name: "COUNT",
  signature: "COUNT(*), COUNT(x), COUNT(DISTINCT x)",
  doc: "number of rows, of rows where x is not null, or of distinct values of x (exact)",
  example: ["COUNT(*)", 14],
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
  doc: "sum, exact for integers of any size; null if there are no values",
  example: ["SUM(log_index)", 91],
  aggregate: true,
  overloads: [
    { takes: ["integer"], call: sumIntegers },
    { takes: ["amount"], call: (value) => sumAmounts(SUM, value) },
    { takes: ["double"], call: (value) => sumDoubles(DOUBLE, value) },
  ],
};

const SUM_OF_SQUARES = ofNumbers(
  "SUM_OF_SQUARES",
  "sum of the squares, like SUM(x * x); null if there are no values",
  {
    example: ["SUM_OF_SQUARES(log_index)", 819],
    call: (value) => sumIntegers(arithmetic("*", value, value)),
  },
);

const AVG = ofNumbers("AVG", "mean; null if there are no values", {
  example: ["AVG(log_index)", 6.5],
  call: (value) => average(DOUBLE, toDouble(value)),
});

const MIN: SqlFunction = {
  name: "MIN",
  signature: "MIN(x)",
  doc: "smallest of the numbers, times, strings or hex bytes; null if there are no values",
  example: ["MIN(timestamp)", "2022-12-31T23:59:59.000Z"],
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => least(value.type, value) })),
};

const MAX: SqlFunction = {
  name: "MAX",
  signature: "MAX(x)",
  doc: "largest of the numbers, times, strings or hex bytes; null if there are no values",
  example: ["MAX(amount_usd)", 19.5],
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => greatest(value.type, value) })),
};

/** Value in the row with the smallest order. The value itself breaks ties. */
const first = aggregate(
  "first",
  (value, order) => sql`argMinOrNullIf(${value}, tuple(${order}, ${value}), isNotNull(${order}))`,
  { weight: 3, copies: 2 },
);
/** Value in the row with the largest order. The value itself breaks ties. */
const last = aggregate(
  "last",
  (value, order) => sql`argMaxOrNullIf(${value}, tuple(${order}, ${value}), isNotNull(${order}))`,
  { weight: 3, copies: 2 },
);

const FIRST: SqlFunction = {
  name: "FIRST",
  synonyms: ["FIRST_VALUE"],
  signature: "FIRST(x, order)",
  doc:
    "value of x in the row where the second argument is smallest (for trades, use record_index: all trades of a block " +
    "have the same timestamp), among rows where neither is null; the smallest x if there are several such rows",
  example: ["FIRST(token_symbol, record_index)", "ALPHA"],
  aggregate: true,
  overloads: ORDERED_KINDS.flatMap((kind) =>
    ORDERED_KINDS.map(
      (order): Overload => ({ takes: [kind, order], call: (value, by) => first(value.type, value, by) }),
    ),
  ),
};

const LAST: SqlFunction = {
  name: "LAST",
  synonyms: ["LAST_VALUE"],
  signature: "LAST(x, order)",
  doc: "value of x in the row where the second argument is largest, among rows where neither is null; the largest x if there are several such rows",
  example: ["LAST(amount_usd, record_index)", 19.5],
  aggregate: true,
  overloads: ORDERED_KINDS.flatMap((kind) =>
    ORDERED_KINDS.map(
      (order): Overload => ({ takes: [kind, order], call: (value, by) => last(value.type, value, by) }),
    ),
  ),
};

/** Sums, extremes and counts of many rows. */
export const AGGREGATES: readonly SqlFunction[] = [COUNT, SUM_OF, SUM_OF_SQUARES, AVG, MIN, MAX, FIRST, LAST];
