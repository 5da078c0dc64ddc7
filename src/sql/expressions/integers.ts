import { sql } from "../../engine-sql/sql-text.ts";
import { AMOUNT, integerType } from "../types/value-type.ts";
import { apply, type CheckedExpression, literal, type Operation } from "./checked-expression.ts";

/** Signed integers of the engine: the sign takes one bit. */
const NARROW_BITS = 63;
export const WIDE_BITS = 255;

const NARROW: Operation = { name: "to-int64", print: (value) => sql`toInt64(${value})` };
const WIDE: Operation = { name: "to-int256", print: (value) => sql`toInt256(${value})` };
/** The value in a signed integer of the engine that holds so many bits. */
export function toInteger(value: CheckedExpression, bits: number): CheckedExpression {
  return apply(bits <= NARROW_BITS ? NARROW : WIDE, value.type, value);
}

/** Whole numbers that can be written: what an amount holds, and with a sign what signed integers hold. */
export function isWritable(value: bigint): boolean {
  return value > -(2n ** BigInt(WIDE_BITS)) && value < 2n ** 256n;
}

/** A whole number that `isWritable`. What no signed integer holds is an amount. */
export function integerLiteral(value: bigint): CheckedExpression {
  const bits = bitsOf(value);
  return literal(value, bits > WIDE_BITS ? AMOUNT : integerType(bits));
}

export function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}
