import type { Column } from "../../schema/column.ts";
import type { Interval } from "../syntax/interval.ts";

/**
 * The type of a checked expression. Whole numbers stay exact:
 *
 * | kind    | engine                                     | answer                                |
 * |---------|--------------------------------------------|---------------------------------------|
 * | integer | integers of up to 64 or 256 bits           | number, decimal string from 2^53 on   |
 * | amount  | UInt256                                    | decimal string                        |
 * | sum     | tuple of UInt256, digits above and below 10^38 | decimal string                    |
 * | double  | Float64                                    | number                                |
 */
export type ValueType =
  /**
   * `bits`: maximum number of bits of an absolute value. Arithmetic derives the size of its result from it.
   * `unsigned`: true for a column of unsigned 64-bit integers, and for an expression that chooses among such
   * values.
   */
  | { kind: "integer"; bits: number; unsigned?: true }
  | { kind: "amount" }
  | { kind: "sum" }
  | { kind: "double" }
  /** `dictionary`: true for the text of a column that the engine stores dictionary-encoded. */
  | { kind: "text"; dictionary?: true }
  | { kind: "boolean" }
  | { kind: "time" }
  /** `lengths`: the byte lengths that a value can have; null for any. */
  | { kind: "bytes"; lengths: readonly number[] | null }
  | { kind: "interval"; interval: Interval };

export type ValueKind = ValueType["kind"];

export const DOUBLE: ValueType = { kind: "double" };
export const BOOLEAN: ValueType = { kind: "boolean" };
export const TIME: ValueType = { kind: "time" };
export const AMOUNT: ValueType = { kind: "amount" };
export const TEXT: ValueType = { kind: "text" };
export const SUM: ValueType = { kind: "sum" };

export function integerType(bits: number): ValueType {
  return { kind: "integer", bits };
}

/**
 * Maximum number of bits of a gas price. A sender must be able to pay it, and no chain's supply reaches 2^128
 * wei.
 */
const WEI_BITS = 128;
/** Maximum number of bits in columns of the kind `integer`, whose values are below 2^53. */
export const SAFE_BITS = 53;

export function columnType({ kind }: Column): ValueType {
  switch (kind) {
    case "address":
      return { kind: "bytes", lengths: [20] };
    case "hash":
      return { kind: "bytes", lengths: [32] };
    case "pool_id":
      return { kind: "bytes", lengths: [20, 32] };
    case "bytes":
      return { kind: "bytes", lengths: null };
    case "text":
      return TEXT;
    case "label":
      return { kind: "text", dictionary: true };
    case "integer":
      return integerType(SAFE_BITS);
    case "uint64":
      return { kind: "integer", bits: 64, unsigned: true };
    case "small":
      return integerType(8);
    case "wei":
      return integerType(WEI_BITS);
    default:
      return { kind };
  }
}

const TYPE_NAMES: Record<ValueKind, string> = {
  integer: "a number",
  amount: "a number",
  sum: "a number",
  double: "a number",
  text: "text",
  boolean: "a condition",
  time: "a time",
  bytes: "hex bytes",
  interval: "an interval",
};

/** Returns the name of a type in error messages. */
export function typeName(type: ValueType): string {
  return TYPE_NAMES[type.kind];
}

export function isNumber({ kind }: ValueType): boolean {
  return kind === "integer" || kind === "amount" || kind === "sum" || kind === "double";
}
