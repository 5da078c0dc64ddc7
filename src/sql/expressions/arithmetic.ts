import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { ArithmeticSign } from "../syntax/syntax-tree.ts";
import { AMOUNT, DOUBLE, integerType } from "../types/value-type.ts";
import { apply, type CheckedExpression, type Operation } from "./checked-expression.ts";
import { finite, toDouble } from "./doubles.ts";
import { bitsOf, integerLiteral, toInteger, WIDE_BITS } from "./integers.ts";
import { naming } from "./naming.ts";

type Binary = (left: Sql, right: Sql) => Sql;

const ARITHMETIC: Record<ArithmeticSign, Binary> = {
  "+": (left, right) => sql`(${left} + ${right})`,
  "-": (left, right) => sql`(${left} - ${right})`,
  "*": (left, right) => sql`(${left} * ${right})`,
  // Division by zero gives infinity, which `inDoubles` turns into null.
  "/": (left, right) => sql`(${left} / ${right})`,
  "%": (left, right) => sql`(${left} % nullIf(${right}, 0))`,
};

/** Maximum number of bits in a result, computed from the bits of its operands. */
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

/**
 * The remainder takes the sign of the dividend. Amounts are never negative, so the divisor's sign does not
 * matter.
 */
const AMOUNT_REMAINDER: Operation = {
  name: "amount-remainder",
  weight: 2,
  print: (amount, divisor) => sql`(${amount} % nullIf(toUInt256(abs(${divisor})), 0))`,
};

/** Returns the upper half of a double's digits (Veltkamp). Products of halves are exact. */
const upperHalf = (value: Sql) => sql`(${value} * 134217729 - (${value} * 134217729 - ${value}))`;

/** Divisor for numbers that are too large to split. Scaling by a power of two changes no digit. */
const SMALLER = sql`if(abs(y) > 1e290, 18446744073709551616., 1.)`;
const [DIVIDEND, DIVISOR] = [sql`(x / s)`, sql`(y / s)`];

/**
 * The dividend minus q times the divisor, without rounding: also subtracts the product's rounding error
 * (Dekker).
 */
const REST = sql`((${DIVIDEND} - q * ${DIVISOR}) - (h * g - q * ${DIVISOR} + h * (${DIVISOR} - g) + (q - h) * g + (q - h) * (${DIVISOR} - g)))`;

/** The rest, corrected in case the quotient was rounded to the next whole number above or below. */
const REMAINDER = sql`(multiIf(r * sign(x) < 0, r + sign(x) * abs(${DIVISOR}), abs(r) >= abs(${DIVISOR}), r - sign(x) * abs(${DIVISOR}), r) * s)`;

/**
 * Exact remainder of doubles. The engine's own `x - trunc(x / y) * y` is rounded and may have the wrong sign.
 * The result is null for quotients of 2^53 and above, which a double cannot represent exactly.
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
 * Applies `left sign right` to numbers. Addition, subtraction, multiplication and remainders of integers are
 * exact, in as many bits as the result can need. Remainders of amounts are also exact. `/`, other arithmetic
 * on amounts and everything wider are in double precision.
 */
export function arithmetic(
  sign: ArithmeticSign,
  left: CheckedExpression,
  right: CheckedExpression,
): CheckedExpression {
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
  const operands = [left, right].map((operand) => toInteger(operand, needed)) as [
    CheckedExpression,
    CheckedExpression,
  ];
  return apply({ name: sign, print: ARITHMETIC[sign] }, integerType(bits), ...operands);
}

function fold(
  sign: Exclude<ArithmeticSign, "/">,
  left: CheckedExpression,
  right: CheckedExpression,
): CheckedExpression | null {
  if (left.node !== "literal" || right.node !== "literal") return null;
  const value = FOLD[sign](BigInt(left.value), BigInt(right.value));
  return value === null || bitsOf(value) > WIDE_BITS ? null : integerLiteral(value);
}

function isWhole({ type }: CheckedExpression): boolean {
  return type.kind === "integer" || type.kind === "amount";
}

function inDoubles(
  sign: ArithmeticSign,
  left: CheckedExpression,
  right: CheckedExpression,
): CheckedExpression {
  const operation = sign === "%" ? DOUBLE_REMAINDER : finite({ name: sign, print: ARITHMETIC[sign] });
  return apply(operation, DOUBLE, toDouble(left), toDouble(right));
}
