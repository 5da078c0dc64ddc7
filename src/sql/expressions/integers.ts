import { sql } from "../../engine-sql/sql-text.ts";
import { AMOUNT, integerType } from "../types/value-type.ts";
import { apply, type CheckedExpression, literal, type Operation } from "./checked-expression.ts";

/** Number of bits of the engine's 64-bit signed integers, without the sign. */
const NARROW_BITS = 63;
export const WIDE_BITS = 255;

const NARROW: Operation = { name: "to-int64", print: (value) => sql`toInt64(${value})` };
const WIDE: Operation = { name: "to-int256", print: (value) => sql`toInt256(${value})` };
/** Converts a value to a signed integer of the engine with at least this many bits. */
export function toInteger(value: CheckedExpression, bits: number): CheckedExpression {
  return apply(bits <= NARROW_BITS ? NARROW : WIDE, value.type, value);
}

/** Returns whether a whole number fits an amount or, if negative, the widest signed integer. */
export function fitsInteger(value: bigint): boolean {
  return value > -(2n ** BigInt(WIDE_BITS)) && value < 2n ** 256n;
}

/**
 * Returns the literal of a number for which `fitsInteger` is true. It is an amount if no signed integer is
 * wide enough.
 */
export function integerLiteral(value: bigint): CheckedExpression {
  const bits = bitsOf(value);
  return literal(value, bits > WIDE_BITS ? AMOUNT : integerType(bits));
}

export function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}
