import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { ArithmeticSign, ComparisonSign } from "../syntax/syntax-tree.ts";
import { AMOUNT, BOOLEAN, DOUBLE, integerType, SAFE_BITS } from "../types/value-type.ts";
import { apply, type Checked, literal, type Operation } from "./checked-expression.ts";
import { naming } from "./naming.ts";

type Binary = (left: Sql, right: Sql) => Sql;

const ARITHMETIC: Record<ArithmeticSign, Binary> = {
  "+": (left, right) => sql`(${left} + ${right})`,
  "-": (left, right) => sql`(${left} - ${right})`,
  "*": (left, right) => sql`(${left} * ${right})`,
  // By zero there is an infinity, of which `inDoubles` makes null.
  "/": (left, right) => sql`(${left} / ${right})`,
  "%": (left, right) => sql`(${left} % nullIf(${right}, 0))`,
};

const COMPARISON: Record<ComparisonSign, Binary> = {
  "=": (left, right) => sql`(${left} = ${right})`,
  "<>": (left, right) => sql`(${left} != ${right})`,
  "<": (left, right) => sql`(${left} < ${right})`,
  "<=": (left, right) => sql`(${left} <= ${right})`,
  ">": (left, right) => sql`(${left} > ${right})`,
  ">=": (left, right) => sql`(${left} >= ${right})`,
};

/** Bits that a whole result can need, from those of its operands. */
const RESULT_BITS: Record<Exclude<ArithmeticSign, "/">, (left: number, right: number) => number> = {
  "+": (left, right) => Math.max(left, right) + 1,
  "-": (left, right) => Math.max(left, right) + 1,
  "*": (left, right) => left + right,
  "%": (left) => left,
};

const FOLD: Record<Exclude<ArithmeticSign, "/">, (left: bigint, right: bigint) => bigint | null> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "%": (left, right) => (right === 0n ? null : left % right),
};

/** Signed integers of the engine: the sign takes one bit. */
const NARROW_BITS = 63;
export const WIDE_BITS = 255;

const NARROW: Operation = { name: "to-int64", print: (value) => sql`toInt64(${value})` };
const WIDE: Operation = { name: "to-int256", print: (value) => sql`toInt256(${value})` };
const TO_DOUBLE: Operation = { name: "to-double", print: (value) => sql`toFloat64(${value})` };
const SUM_TO_DOUBLE: Operation = {
  name: "sum-to-double",
  weight: 3,
  copies: 2,
  print: (value) => sql`(toFloat64(tupleElement(${value}, 1)) * 1e38 + toFloat64(tupleElement(${value}, 2)))`,
};

/** The remainder has the dividend's sign, and amounts have none, so the divisor's does not matter. */
const AMOUNT_REMAINDER: Operation = {
  name: "amount-remainder",
  weight: 2,
  print: (amount, divisor) => sql`(${amount} % nullIf(toUInt256(abs(${divisor})), 0))`,
};

/** The upper half of a double's digits (Veltkamp): products of halves are exact. */
const upperHalf = (value: Sql) => sql`(${value} * 134217729 - (${value} * 134217729 - ${value}))`;

/** Of numbers that are too large to be split. A power of two changes no digit. */
const SMALLER = sql`if(abs(y) > 1e290, 18446744073709551616., 1.)`;
const [DIVIDEND, DIVISOR] = [sql`(x / s)`, sql`(y / s)`];

/** The dividend less q divisors without rounding: what q divisors are beside their double (Dekker) is taken away, too. */
const REST = sql`((${DIVIDEND} - q * ${DIVISOR}) - (h * g - q * ${DIVISOR} + h * (${DIVISOR} - g) + (q - h) * g + (q - h) * (${DIVISOR} - g)))`;

/** The quotient may have been rounded up to a whole number, or down. */
const REMAINDER = sql`(multiIf(r * sign(x) < 0, r + sign(x) * abs(${DIVISOR}), abs(r) >= abs(${DIVISOR}), r - sign(x) * abs(${DIVISOR}), r) * s)`;

/**
 * The remainder of doubles, exact, where the engine's own `x - trunc(x / y) * y` is rounded and may have the other sign.
 * From a quotient of 2^53 on doubles do not hold the quotient.
 */
const DOUBLE_REMAINDER: Operation = {
  name: "double-remainder",
  weight: 80,
  print: (left, right) => {
    const halves = [[sql`h`, upperHalf(sql`q`)] as const, [sql`g`, upperHalf(DIVISOR)] as const];
    const ofQuotient = naming(halves, naming([[sql`r`, REST]], REMAINDER));
    const quotient = [[sql`s`, SMALLER] as const, [sql`q`, sql`trunc(x / y)`] as const];
    const exact = naming(quotient, ofQuotient);
    const bounded = sql`multiIf(abs(x) < abs(y), x, abs(x / y) < 9007199254740992, ${exact}, NULL) + 0.`;
    const operands = [[sql`x`, left] as const, [sql`y`, right] as const];
    return naming(operands, bounded);
  },
};

/**
 * `left sign right` on numbers. Whole numbers are added, subtracted, multiplied and divided with remainder
 * exactly, in as many bits as the result can need; so are remainders of amounts. `/`, other arithmetic on
 * amounts and everything wider are double precision.
 */
export function arithmetic(sign: ArithmeticSign, left: Checked, right: Checked): Checked {
  if (sign === "%" && left.type.kind === "amount" && isWhole(right)) {
    return apply(AMOUNT_REMAINDER, AMOUNT, left, right);
  }
  if (sign === "/" || left.type.kind !== "integer" || right.type.kind !== "integer") {
    return inDoubles(sign, left, right);
  }
  const folded = fold(sign, left, right);
  if (folded !== null) return folded;
  const bits = RESULT_BITS[sign](left.type.bits, right.type.bits);
  const needed = Math.max(bits, left.type.bits, right.type.bits);
  if (needed > WIDE_BITS) return inDoubles(sign, left, right);
  const operands = [left, right].map((operand) => toInteger(operand, needed)) as [Checked, Checked];
  return apply({ name: sign, print: ARITHMETIC[sign] }, integerType(bits), ...operands);
}

function fold(sign: Exclude<ArithmeticSign, "/">, left: Checked, right: Checked): Checked | null {
  if (left.node !== "literal" || right.node !== "literal") return null;
  const value = FOLD[sign](BigInt(left.value), BigInt(right.value));
  return value === null || bitsOf(value) > WIDE_BITS ? null : integerLiteral(value);
}

function isWhole({ type }: Checked): boolean {
  return type.kind === "integer" || type.kind === "amount";
}

function inDoubles(sign: ArithmeticSign, left: Checked, right: Checked): Checked {
  const operation = sign === "%" ? DOUBLE_REMAINDER : finite({ name: sign, print: ARITHMETIC[sign] });
  return apply(operation, DOUBLE, toDouble(left), toDouble(right));
}

/**
 * The operation with null instead of NaN and infinity, so that what an answer shows as null is null, and with 0
 * instead of -0, which the engine would group apart from 0.
 */
export function finite(operation: Operation): Operation {
  const { print, weight = 1 } = operation;
  return {
    ...operation,
    weight: weight + 2,
    print: (...operands) => sql`ifNotFinite(${print(...operands)} + 0., NULL)`,
  };
}

/** The value in a signed integer of the engine that holds so many bits. */
export function toInteger(value: Checked, bits: number): Checked {
  return apply(bits <= NARROW_BITS ? NARROW : WIDE, value.type, value);
}

export function toDouble(value: Checked): Checked {
  switch (value.type.kind) {
    case "double":
      return value;
    case "sum":
      return apply(SUM_TO_DOUBLE, DOUBLE, value);
    default:
      return apply(TO_DOUBLE, DOUBLE, value);
  }
}

/** Whole numbers that can be written: what an amount holds, and with a sign what signed integers hold. */
export function isWritable(value: bigint): boolean {
  return value > -(2n ** BigInt(WIDE_BITS)) && value < 2n ** 256n;
}

/** A whole number that `isWritable`. What no signed integer holds is an amount. */
export function integerLiteral(value: bigint): Checked {
  const bits = bitsOf(value);
  return literal(value, bits > WIDE_BITS ? AMOUNT : integerType(bits));
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

/** `left sign right` on values that the engine compares as they are. */
export function comparison(sign: ComparisonSign, left: Checked, right: Checked): Checked {
  return apply({ name: sign, print: COMPARISON[sign] }, BOOLEAN, left, right);
}

const UNIX_SECONDS: Operation = {
  name: "unix-seconds",
  print: (time) => sql`toUnixTimestamp(${time})`,
};

/** A time as a number, to compare it with computed numbers. */
export function toUnixSeconds(time: Checked): Checked {
  return apply(UNIX_SECONDS, integerType(SAFE_BITS), time);
}
