import { double, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { AMOUNT, DOUBLE, integerType } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { finite } from "./doubles.ts";
import { toInteger, WIDE_BITS } from "./integers.ts";
import { naming } from "./naming.ts";

/** Doubles of this size (2^52) and above have no fraction. */
const WHOLE_FROM = sql`4503599627370496`;

/**
 * Prints the multiple of a unit (a power of ten) to which x is rounded. `q` is the number of whole units
 * between 0 and x. It may be off by one, because 0.29 times a hundred is 28.999…. `read` prints the double
 * nearest to a number of units. Comparisons use this double, because x was also read from decimal digits.
 */
type PickMultiple = (read: (powers: Sql) => Sql) => Sql;

/** Rounds halves away from zero (the engine itself rounds halves to even). */
const AWAY: PickMultiple = (read) =>
  sql`if(abs(x) >= ${read(sql`(abs(q) + 0.5)`)}, ${read(sql`(q + sign(x))`)}, ${read(sql`q`)})`;

const TOWARDS_ZERO: PickMultiple = (read) => {
  const [there, beyond] = [read(sql`q`), read(sql`(q + sign(x))`)];
  const below = read(sql`(q - sign(x))`);
  return sql`multiIf(abs(${beyond}) <= abs(x), ${beyond}, abs(${there}) <= abs(x), ${there}, ${below})`;
};

function scaledOperation(name: string, pick: PickMultiple, places: number): Operation {
  const scale = double(10 ** Math.abs(places));
  const powers = places >= 0 ? sql`x * ${scale}` : sql`x / ${scale}`;
  const read = (count: Sql) => (places >= 0 ? sql`(${count} / ${scale})` : sql`(${count} * ${scale})`);
  const picked = naming([[sql`q`, sql`trunc(${powers})`]], pick(read));
  const rounded = sql`if(abs(${powers}) < ${WHOLE_FROM}, ${picked}, x)`;
  return finite({
    name: `${name}-${places}`,
    weight: 48,
    print: (value) => naming([[sql`x`, value]], rounded),
  });
}

/** Rounds a double to decimal places; rounds halves away from zero. */
export function roundHalfAway(value: CheckedExpression, places: number): CheckedExpression {
  return apply(scaledOperation("round", AWAY, places), DOUBLE, value);
}

/** Truncates a double to decimal places. */
export function cutOff(value: CheckedExpression, places: number): CheckedExpression {
  return apply(scaledOperation("cut-off", TOWARDS_ZERO, places), DOUBLE, value);
}

/** Rounds a whole number to a multiple of 10^zeros, exactly; rounds halves away from zero. */
export function roundInteger(value: CheckedExpression, zeros: number): CheckedExpression {
  const unit = 10n ** BigInt(zeros);
  const [step, half] = [integer(unit), integer(unit / 2n)];
  const operation: Operation = {
    name: `round-integer-${zeros}`,
    copies: 2,
    weight: 4,
    print: (whole) => sql`(intDiv(${whole} + sign(${whole}) * ${half}, ${step}) * ${step})`,
  };
  return sized(operation, value, unit);
}

export function cutOffInteger(value: CheckedExpression, zeros: number): CheckedExpression {
  const unit = 10n ** BigInt(zeros);
  const step = integer(unit);
  const operation: Operation = {
    name: `cut-off-integer-${zeros}`,
    weight: 2,
    print: (whole) => sql`(intDiv(${whole}, ${step}) * ${step})`,
  };
  return sized(operation, value, unit);
}

function sized(operation: Operation, value: CheckedExpression, unit: bigint): CheckedExpression {
  const own = value.type.kind === "integer" ? value.type.bits : WIDE_BITS;
  const bits = Math.min(Math.max(own, unit.toString(2).length) + 1, WIDE_BITS);
  return apply(operation, integerType(bits), toInteger(value, bits));
}

/** Rounds an amount to a multiple of 10^zeros, exactly. The result is null beyond 2^256. */
export function roundAmount(value: CheckedExpression, zeros: number): CheckedExpression {
  const unit = 10n ** BigInt(zeros);
  const [step, half] = [integer(unit), integer(unit / 2n)];
  const most = sql`toUInt256('${integer((2n ** 256n - 1n) / unit)}')`;
  const operation: Operation = {
    name: `round-amount-${zeros}`,
    copies: 4,
    weight: 10,
    print: (amount) => {
      const units = sql`(intDiv(${amount}, ${step}) + (${amount} % ${step} >= ${half}))`;
      return sql`if(${units} <= ${most}, ${units} * ${step}, NULL)`;
    },
  };
  return apply(operation, AMOUNT, value);
}

export function cutOffAmount(value: CheckedExpression, zeros: number): CheckedExpression {
  const step = integer(10n ** BigInt(zeros));
  const print = (amount: Sql) => sql`(intDiv(${amount}, ${step}) * ${step})`;
  return apply({ name: `cut-off-amount-${zeros}`, weight: 2, print }, AMOUNT, value);
}
