import { double, integer, type Sql, sql } from "../lib/sql-text.ts";
import { apply, type Checked, type Operation } from "./checked.ts";
import { finite, toInteger, WIDE_BITS } from "./operators.ts";
import { AMOUNT, DOUBLE, integerType } from "./value-type.ts";

/** From here on doubles have no fraction. */
const WHOLE_FROM = sql`4503599627370496`;

/** A double's whole number next to it; halves go away from zero (the engine's own go to the even number). */
const AWAY = (scaled: Sql) =>
  sql`(trunc(${scaled}) + sign(${scaled}) * (abs(${scaled} - trunc(${scaled})) >= 0.5))`;
const TOWARDS_ZERO = (scaled: Sql) => sql`trunc(${scaled})`;

/** The lambda names the operand, whose text would grow with each level otherwise. */
function scaledOperation(name: string, round: (scaled: Sql) => Sql, places: number): Operation {
  const scale = double(10 ** Math.abs(places));
  const [up, down] =
    places >= 0 ? [sql`x * ${scale}`, sql`/ ${scale}`] : [sql`x / ${scale}`, sql`* ${scale}`];
  const rounded = sql`if(abs(${up}) < ${WHOLE_FROM}, ${round(sql`(${up})`)} ${down}, x)`;
  return finite({
    name: `${name}-${places}`,
    weight: 24,
    print: (value) => sql`arrayElement(arrayMap(x -> ${rounded}, [${value}]), 1)`,
  });
}

/** A double rounded to so many decimal places; halves away from zero. */
export function roundHalfAway(value: Checked, places: number): Checked {
  return apply(scaledOperation("round", AWAY, places), DOUBLE, value);
}

/** A double cut after so many decimal places. */
export function cutOff(value: Checked, places: number): Checked {
  return apply(scaledOperation("cut-off", TOWARDS_ZERO, places), DOUBLE, value);
}

/** A whole number to a multiple of 10^zeros; halves away from zero, exact. */
export function roundInteger(value: Checked, zeros: number): Checked {
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

export function cutOffInteger(value: Checked, zeros: number): Checked {
  const unit = 10n ** BigInt(zeros);
  const step = integer(unit);
  const operation: Operation = {
    name: `cut-off-integer-${zeros}`,
    weight: 2,
    print: (whole) => sql`(intDiv(${whole}, ${step}) * ${step})`,
  };
  return sized(operation, value, unit);
}

function sized(operation: Operation, value: Checked, unit: bigint): Checked {
  const own = value.type.kind === "integer" ? value.type.bits : WIDE_BITS;
  const bits = Math.min(Math.max(own, unit.toString(2).length) + 1, WIDE_BITS);
  return apply(operation, integerType(bits), toInteger(value, bits));
}

/** An amount to a multiple of 10^zeros, exact; null where that is beyond 2^256. */
export function roundAmount(value: Checked, zeros: number): Checked {
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

export function cutOffAmount(value: Checked, zeros: number): Checked {
  const step = integer(10n ** BigInt(zeros));
  const print = (amount: Sql) => sql`(intDiv(${amount}, ${step}) * ${step})`;
  return apply({ name: `cut-off-amount-${zeros}`, weight: 2, print }, AMOUNT, value);
}
