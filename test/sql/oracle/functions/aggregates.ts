import { arithmetic } from "../operators/arithmetic.ts";
import { toDouble } from "../operators/literals.ts";
import { synonyms } from "../synonyms.ts";
import {
  AMOUNT,
  type Compiled,
  compareValues,
  DOUBLE,
  finite,
  isExact,
  type Type,
  type Value,
  WHOLE,
  wholeOf,
} from "../values/types.ts";
import { MOST_BITS } from "../values/whole-numbers.ts";
import { argument, literalText, numberAt } from "./arguments.ts";

type Present = NonNullable<Value>;
type BuildAggregate = (list: readonly Compiled[], distinct: boolean) => Compiled;

/**
 * Returns a function that computes the expressions for each row of a group. It returns a list of values for
 * each row.
 */
function rowsOf(
  parts: readonly Compiled[],
): (group: readonly Readonly<Record<string, unknown>>[]) => Value[][] {
  return (group) => group.map((row) => parts.map((part) => part.value({ row, group: [] })));
}

/** Compiles an aggregate of the values that are not null. It is null if there are none. */
function ofValues(of: Compiled, result: Compiled["type"], compute: (values: Present[]) => Value): Compiled {
  const valuesOf = rowsOf([of]);
  return {
    type: result,
    value({ group }) {
      const values = valuesOf(group).flatMap(([value]) =>
        value === null || value === undefined ? [] : [value],
      );
      const answer = values.length === 0 ? null : compute(values);
      return result.kind === "double" && typeof answer === "number" ? finite(answer) : answer;
    },
  };
}

const ofNumbers =
  (compute: (numbers: number[], list: readonly Compiled[]) => number | null): BuildAggregate =>
  (list) =>
    ofValues(toDouble(numberAt(list, 0)), DOUBLE, (values) => compute(values.map(Number), list));

const total = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0);
/** The sum of 2^40 rows needs this many bits more than one row. */
const SUM_BITS = 40;

const SUM_OF_AMOUNTS: Type = { kind: "amount", bits: AMOUNT.bits + SUM_BITS };

const wholeTotal = (values: readonly Present[]) =>
  values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n);

function count(list: readonly Compiled[], distinct: boolean): Compiled {
  const of = list[0];
  if (of === undefined) return { type: WHOLE, value: ({ group }) => BigInt(group.length) };
  const counted = ofValues(of, WHOLE, (values) => BigInt(distinct ? new Set(values).size : values.length));
  return { type: WHOLE, value: (scope) => counted.value(scope) ?? 0n };
}

function sum(list: readonly Compiled[]): Compiled {
  const of = numberAt(list, 0);
  if (of.type.kind === "amount") return ofValues(of, SUM_OF_AMOUNTS, wholeTotal);
  if (of.type.kind === "whole" && of.type.bits + SUM_BITS <= MOST_BITS) {
    return ofValues(of, wholeOf(of.type.bits + SUM_BITS), wholeTotal);
  }
  return ofValues(toDouble(of), DOUBLE, (values) => total(values.map(Number)));
}

function mean(list: readonly Compiled[]): Compiled {
  const of = numberAt(list, 0);
  const add = isExact(of.type)
    ? (values: Present[]) => Number(wholeTotal(values))
    : (values: Present[]) => total(values.map(Number));
  return ofValues(of, DOUBLE, (values) => add(values) / values.length);
}

const extreme =
  (sign: number): BuildAggregate =>
  (list) => {
    const of = argument(list, 0);
    return ofValues(of, of.type, (values) =>
      values.reduce((a, b) => (sign * compareValues(a, b) <= 0 ? a : b)),
    );
  };

/**
 * Builds FIRST(x, order) or LAST(x, order). It returns the x of the row with the first or last order. If
 * several rows have that order, it returns the first or last x among them.
 */
const ordered =
  (sign: number): BuildAggregate =>
  (list) => {
    const of = argument(list, 0);
    const valuesOf = rowsOf([of, argument(list, 1)]);
    const compareRows = ([x, order]: Present[], [otherX, otherOrder]: Present[]) =>
      sign * (compareValues(order ?? 0, otherOrder ?? 0) || compareValues(x ?? 0, otherX ?? 0));
    return {
      type: of.type,
      value({ group }) {
        const known = valuesOf(group).filter((row): row is Present[] => !row.includes(null));
        return known.toSorted(compareRows)[0]?.[0] ?? null;
      },
    };
  };

/** Returns a percentile. Interpolates between the two nearest values. */
function percentile(numbers: readonly number[], percentage: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = ((sorted.length - 1) * percentage) / 100;
  const [low = 0, high = low] = sorted.slice(Math.floor(at));
  return low + (high - low) * (at - Math.floor(at));
}

/** Returns the middle value, or the mean of the two middle values. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return low === high ? low : (low + high) / 2;
}

function variance(numbers: readonly number[], missing: number): number | null {
  if (numbers.length <= missing) return null;
  // Differences from the first number are small. If all numbers are equal, the mean is exact.
  const apart = numbers.map((x) => x - (numbers[0] ?? 0));
  const middle = total(apart) / numbers.length;
  return total(apart.map((x) => (x - middle) ** 2)) / (numbers.length - missing);
}

/**
 * Returns a standardized moment: the mean power of the distances from the mean, in units of the standard
 * deviation. Returns null if the standard deviation is 0.
 */
function moment(numbers: readonly number[], power: number): number | null {
  const apart = numbers.map((x) => x - (numbers[0] ?? 0));
  const widest = Math.max(...apart.map(Math.abs));
  if (widest === 0) return null;
  const shares = apart.map((x) => x / 2 ** Math.floor(Math.log2(widest)));
  const deviation = Math.sqrt(variance(shares, 0) ?? 0);
  const middle = total(shares) / numbers.length;
  return total(shares.map((x) => ((x - middle) / deviation) ** power)) / numbers.length;
}

function medianDistance(numbers: readonly number[]): number {
  const middle = median(numbers);
  return median(numbers.map((x) => Math.abs(x - middle)));
}

function percentileRank(list: readonly Compiled[]): Compiled {
  const bound = numberAt(list, 1).value({ row: {}, group: [] });
  return ofValues(numberAt(list, 0), DOUBLE, (values) => {
    if (bound === null) return null;
    const below = values.filter((value) => compareValues(value, bound) <= 0);
    return (100 * below.length) / values.length;
  });
}

const root = (x: number | null) => (x === null ? null : Math.sqrt(x));

/**
 * Maximum bits of a number in a sum of squares. For wider numbers, the sum does not fit into a whole number.
 */
const SQUARED_BITS = (MOST_BITS - 2 * SUM_BITS) / 2;

function exactVariance(values: readonly Present[], missing: number): number | null {
  const [count, sum] = [BigInt(values.length), wholeTotal(values)];
  const squares = values.reduce<bigint>((total, value) => total + BigInt(value) * BigInt(value), 0n);
  const divisor = values.length * (values.length - missing);
  return divisor === 0 ? null : Number(count * squares - sum * sum) / divisor;
}

const spread =
  (missing: number, finish: (variance: number | null) => number | null): BuildAggregate =>
  (list) => {
    const of = numberAt(list, 0);
    if (of.type.kind === "whole" && of.type.bits <= SQUARED_BITS) {
      return ofValues(of, DOUBLE, (values) => finish(exactVariance(values, missing)));
    }
    return ofValues(toDouble(of), DOUBLE, (values) => finish(variance(values.map(Number), missing)));
  };

const asItIs = (x: number | null) => x;

export const AGGREGATES: Readonly<Record<string, BuildAggregate>> = {
  COUNT: count,
  SUM: sum,
  SUM_OF_SQUARES: (list) => sum([arithmetic("*", numberAt(list, 0), numberAt(list, 0))]),
  AVG: mean,
  MIN: extreme(1),
  MAX: extreme(-1),
  ...synonyms("FIRST FIRST_VALUE", ordered(1)),
  ...synonyms("LAST LAST_VALUE", ordered(-1)),
  MEDIAN: ofNumbers(median),
  PERCENTILE: ofNumbers((numbers, list) => percentile(numbers, Number(literalText(list, 1)))),
  PERCENTILE_RANK: percentileRank,
  MAD: ofNumbers(medianDistance),
  SKEWNESS: ofNumbers((numbers) => moment(numbers, 3)),
  KURTOSIS: ofNumbers((numbers) => moment(numbers, 4)),
  STDDEV_POP: spread(0, root),
  STDDEV_SAMP: spread(1, root),
  VAR_POP: spread(0, asItIs),
  VAR_SAMP: spread(1, asItIs),
};
