import { double, type Sql, sql } from "../../lib/sql-text.ts";
import { apply, type Checked, type Operation } from "../checked.ts";
import { toDouble, toInteger, WIDE_BITS } from "../operators.ts";
import type { Overload, SqlFunction } from "../sql-function.ts";
import { DOUBLE, integerType, SAFE_BITS, SUM, type ValueType } from "../value-type.ts";

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
const sumDoubles = aggregate("sum-doubles", (value) => sql`ifNotFinite(sumOrNull(${value}), NULL)`);
const average = aggregate("average", (value) => sql`ifNotFinite(avgOrNull(${value}), NULL)`);
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
  if (bits > WIDEST_SUM) return sumDoubles(DOUBLE, toDouble(value));
  return sum(integerType(bits + SUM_BITS), toInteger(value, bits + SUM_BITS));
}

const ORDERED_KINDS = ["integer", "amount", "double", "text", "time", "bytes"] as const;
const NUMBERS = ["integer", "amount", "double"] as const;

const COUNT: SqlFunction = {
  name: "COUNT",
  signature: "COUNT(*), COUNT(x), COUNT(DISTINCT x)",
  doc: "number of rows; of rows where x is not null; of different values of x (exact)",
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
  doc: "sum, exact for whole numbers of any size; null when there is no value",
  example: ["SUM(log_index)", 91],
  aggregate: true,
  overloads: [
    { takes: ["integer"], call: sumIntegers },
    { takes: ["amount"], call: (value) => sumAmounts(SUM, value) },
    { takes: ["double"], call: (value) => sumDoubles(DOUBLE, value) },
  ],
};

const AVG: SqlFunction = {
  name: "AVG",
  signature: "AVG(number)",
  doc: "mean; null when there is no value",
  example: ["AVG(log_index)", 6.5],
  aggregate: true,
  overloads: NUMBERS.map((kind) => ({ takes: [kind], call: (value) => average(DOUBLE, toDouble(value)) })),
};

const MIN: SqlFunction = {
  name: "MIN",
  signature: "MIN(x)",
  doc: "smallest value of numbers, times, texts or hex bytes; null when there is no value",
  example: ["MIN(timestamp)", "2022-12-31T23:59:59.000Z"],
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => least(value.type, value) })),
};

const MAX: SqlFunction = {
  name: "MAX",
  signature: "MAX(x)",
  doc: "largest value of numbers, times, texts or hex bytes; null when there is no value",
  example: ["MAX(amount_usd)", 19.5],
  aggregate: true,
  overloads: ORDERED_KINDS.map((kind) => ({ takes: [kind], call: (value) => greatest(value.type, value) })),
};

/** The value where the order is least or greatest; the value itself decides between equals. */
const first = aggregate(
  "first",
  (value, order) => sql`argMinOrNullIf(${value}, tuple(${order}, ${value}), isNotNull(${order}))`,
  { weight: 3, copies: 2 },
);
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
    "value of x in the row where order is least, among rows where neither is null; of several such rows the smallest x. " +
    "Trades of one block share their timestamp, so order by record_index",
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
  doc: "value of x in the row where order is greatest, among rows where neither is null; of several such rows the greatest x",
  example: ["LAST(amount_usd, record_index)", 19.5],
  aggregate: true,
  overloads: ORDERED_KINDS.flatMap((kind) =>
    ORDERED_KINDS.map(
      (order): Overload => ({ takes: [kind, order], call: (value, by) => last(value.type, value, by) }),
    ),
  ),
};

function percentile(value: Checked, percent: number): Checked {
  const level = double(percent / 100);
  const print = (values: Sql) => sql`quantileExactInclusiveOrNull(${level})(${values})`;
  return apply({ name: `percentile-${percent}`, print, aggregate: true }, DOUBLE, toDouble(value));
}

function noPercent(_value: Checked, percent: Checked): string | null {
  const given = percent.node === "literal" ? Number(percent.value) : Number.NaN;
  return given >= 0 && given <= 100 ? null : "the percentage must be a number from 0 to 100, not a column";
}

const PERCENTILE: SqlFunction = {
  name: "PERCENTILE",
  signature: "PERCENTILE(number, percentage)",
  doc: "value below which so many percent of the values lie, exact, between two values in proportion; the percentage is a number from 0 to 100",
  example: ["PERCENTILE(log_index, 75)", 9.75],
  aggregate: true,
  overloads: NUMBERS.flatMap((kind) =>
    (["integer", "double"] as const).map(
      (percent): Overload => ({
        takes: [kind, percent],
        complaint: noPercent,
        call: (value, level) => percentile(value, level.node === "literal" ? Number(level.value) : 0),
      }),
    ),
  ),
};

const MEDIAN: SqlFunction = {
  name: "MEDIAN",
  signature: "MEDIAN(number)",
  doc: "the value in the middle, exact; the mean of the two in the middle where their number is even",
  example: ["MEDIAN(log_index)", 6.5],
  aggregate: true,
  overloads: NUMBERS.map((kind) => ({ takes: [kind], call: (value) => percentile(value, 50) })),
};

/** The stable forms of the engine keep their digits where the mean is large beside the deviation. */
function spread(name: string, doc: string, print: Print, example: number): SqlFunction {
  const aggregated = aggregate(name, (value) => sql`ifNotFinite(${print(value)}, NULL)`);
  return {
    name,
    signature: `${name}(number)`,
    doc,
    example: [`ROUND(${name}(log_index), 6)`, example],
    aggregate: true,
    overloads: NUMBERS.map((kind) => ({
      takes: [kind],
      call: (value) => aggregated(DOUBLE, toDouble(value)),
    })),
  };
}

/** Functions that make one value of many rows. */
export const AGGREGATES: readonly SqlFunction[] = [
  COUNT,
  SUM_OF,
  AVG,
  MIN,
  MAX,
  FIRST,
  LAST,
  MEDIAN,
  PERCENTILE,
  spread("STDDEV_POP", "standard deviation of all values", (v) => sql`stddevPopStableOrNull(${v})`, 4.031129),
  spread(
    "STDDEV_SAMP",
    "standard deviation estimated from a sample; null for fewer than two values",
    (v) => sql`stddevSampStableOrNull(${v})`,
    4.1833,
  ),
  spread("VAR_POP", "variance of all values", (v) => sql`varPopStableOrNull(${v})`, 16.25),
  spread(
    "VAR_SAMP",
    "variance estimated from a sample; null for fewer than two values",
    (v) => sql`varSampStableOrNull(${v})`,
    17.5,
  ),
];
