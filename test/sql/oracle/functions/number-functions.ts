import { arithmetic } from "../operators/arithmetic.ts";
import { toDouble } from "../operators/literals.ts";
import { synonyms } from "../synonyms.ts";
import { bucket, cutOff, halfAway, toPlaces } from "../values/decimal-multiples.ts";
import {
  AMOUNT,
  type Compiled,
  constant,
  DOUBLE,
  derived,
  type Type,
  type Value,
  WHOLE,
  wholeOf,
} from "../values/types.ts";
import { absolute, bitsOf, floorTo, MOST_BITS, roundWhole, truncateWhole } from "../values/whole-numbers.ts";
import { argument, type BuildFunction, literalText, numberAt } from "./arguments.ts";

const ofDouble =
  (compute: (x: number) => number): BuildFunction =>
  (list) =>
    derived(DOUBLE, [toDouble(numberAt(list, 0))], (x) => compute(Number(x)));

const ofDoubles =
  (compute: (x: number, y: number) => number): BuildFunction =>
  (list) =>
    derived(DOUBLE, [toDouble(numberAt(list, 0)), toDouble(numberAt(list, 1))], (x, y) =>
      compute(Number(x), Number(y)),
    );

const DEGREE = Math.PI / 180;

/** Builds a function that is exact for whole numbers and uses double precision for other numbers. */
const ofEither =
  (whole: (value: bigint) => bigint, double: (x: number) => number): BuildFunction =>
  (list) => {
    const number = numberAt(list, 0);
    return derived(number.type, [number], (value) =>
      typeof value === "bigint" ? whole(value) : double(Number(value)),
    );
  };

const same = (value: bigint) => value;

type ToPlaces<T> = (value: T, places: number) => T;

const rounding =
  (whole: ToPlaces<bigint>, double: ToPlaces<number>): BuildFunction =>
  (list) => {
    const places = list.length > 1 ? numberAt(list, 1) : constant(WHOLE, 0n);
    const isToTens = list.length > 1 && literalText(list, 1).startsWith("-");
    const exact = numberAt(list, 0);
    // A sum of amounts is exact, but rounding it to tens is not.
    const number = isToTens && exact.type.bits > AMOUNT.bits ? toDouble(exact) : exact;
    return derived(number.type, [number, places], (value, count) =>
      typeof value === "bigint"
        ? withinAmount(number.type, value, whole(value, Number(count)))
        : toPlaces(double, Number(count))(Number(value)),
    );
  };

/** Returns the rounded value, or null if rounding up an amount makes it exceed its 256 bits. */
const withinAmount = ({ kind }: Type, value: bigint, rounded: bigint): Value =>
  kind === "amount" && rounded > value && rounded >= 2n ** 256n ? null : rounded;

/** Compiles a bucket: the largest multiple of a step that is not above a number. The step is a constant. */
export function numberBucket(list: readonly Compiled[]): Compiled {
  const number = numberAt(list, 0);
  const step = literalText(list, 1);
  const type = bucketType(number.type, step);
  if (type !== undefined) return derived(type, [number], (value) => floorTo(value as bigint, BigInt(step)));
  const toBucket = bucket(decimalOf(step));
  return derived(DOUBLE, [toDouble(number)], (value) => toBucket(Number(value)));
}

/**
 * Returns the exact type of a bucket, or undefined if the type has no room for the bucket and the next one.
 */
function bucketType({ kind, bits }: Type, step: string): Type | undefined {
  if (!/^\d+$/.test(step)) return undefined;
  if (kind !== "whole") return kind === "amount" ? AMOUNT : undefined;
  const needed = Math.max(bits, bitsOf(BigInt(step))) + 2;
  return needed > MOST_BITS ? undefined : wholeOf(needed);
}

function decimalOf(text: string): [units: bigint, decimals: number] {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [digits = "", fraction = ""] = mantissa.split(".");
  return [BigInt(digits + fraction), fraction.length - Number(exponent)];
}

export const numberFunctions: Record<string, BuildFunction> = {
  ABS: ofEither(absolute, Math.abs),
  ...synonyms("CEIL CEILING", ofEither(same, Math.ceil)),
  FLOOR: ofEither(same, Math.floor),
  ...synonyms("SIGN SIGNUM", (list) => {
    return derived(wholeOf(1), [numberAt(list, 0)], (value) => BigInt(Math.sign(Number(value))));
  }),
  ROUND: rounding(roundWhole, halfAway),
  ...synonyms("TRUNCATE TRUNC", rounding(truncateWhole, cutOff)),
  MOD: (list) => arithmetic("%", argument(list, 0), argument(list, 1)),
  E: () => constant(DOUBLE, Math.E),
  PI: () => constant(DOUBLE, Math.PI),
  CBRT: ofDouble(Math.cbrt),
  EXP: ofDouble(Math.exp),
  EXPM1: ofDouble(Math.expm1),
  ...synonyms("LN LOG", ofDouble(Math.log)),
  LOG10: ofDouble(Math.log10),
  ...synonyms(
    "POWER POW",
    ofDoubles((x, y) => x ** y),
  ),
  SQRT: ofDouble(Math.sqrt),
  ACOS: ofDouble(Math.acos),
  ASIN: ofDouble(Math.asin),
  ATAN: ofDouble(Math.atan),
  ATAN2: ofDoubles(Math.atan2),
  COS: ofDouble(Math.cos),
  COSH: ofDouble(Math.cosh),
  COT: ofDouble((x) => 1 / Math.tan(x)),
  DEGREES: ofDouble((x) => x / DEGREE),
  RADIANS: ofDouble((x) => x * DEGREE),
  SIN: ofDouble(Math.sin),
  SINH: ofDouble(Math.sinh),
  TAN: ofDouble(Math.tan),
};
