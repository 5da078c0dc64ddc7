import type { Interval } from "../parse/syntax.ts";
import { unknown } from "../unknown.ts";

/** The type of a value. An amount is a whole number that answers show as text. */
export type Kind =
  | "whole"
  | "amount"
  | "double"
  | "text"
  | "bytes"
  | "time"
  | "condition"
  | "null"
  | "interval";

export interface Type {
  kind: Kind;
  /** Bits of the largest value, for whole numbers. 0 for other types. */
  bits: number;
}

/**
 * Whole numbers and amounts are bigints. Doubles and Unix seconds are numbers. Text and `0x…` bytes are
 * strings.
 */
export type Value = bigint | number | string | boolean | null;

/** The input of an expression: a row, or a group and its first row. */
export interface Scope {
  row: Readonly<Record<string, unknown>>;
  /** The rows of the group. Empty for a single row. */
  group: readonly Readonly<Record<string, unknown>>[];
}

/** The text of a constant, which may be read as the type of the value that it is compared with. */
export type Literal = { kind: "number" | "text"; text: string } | Interval;

export interface Compiled {
  type: Type;
  value(scope: Scope): Value;
  literal?: Literal;
}

const plain = (kind: Kind): Type => ({ kind, bits: 0 });
export const DOUBLE = plain("double");
export const TEXT = plain("text");
export const BYTES = plain("bytes");
export const TIME = plain("time");
export const CONDITION = plain("condition");
export const NULL = plain("null");
export const AMOUNT: Type = { kind: "amount", bits: 256 };
/** Type of whole-number columns, counts, positions and parts of times. */
export const WHOLE: Type = { kind: "whole", bits: 53 };

export const wholeOf = (bits: number): Type => ({ kind: "whole", bits });

const COLUMN_TYPES: Record<string, Type> = {
  address: BYTES,
  pool_id: BYTES,
  hash: BYTES,
  bytes: BYTES,
  text: TEXT,
  label: TEXT,
  integer: WHOLE,
  uint64: wholeOf(64),
  small: wholeOf(8),
  wei: wholeOf(128),
  amount: AMOUNT,
  double: DOUBLE,
  time: TIME,
};

export function columnType(kind: string): Type {
  const type = COLUMN_TYPES[kind];
  if (type === undefined) throw unknown(`kind of column: ${kind}`);
  return type;
}

/** Converts a stored field to a value of its type. */
export function storedValue({ kind }: Type, field: unknown): Value {
  if (field === null || field === undefined) return null;
  if (kind === "whole" || kind === "amount") return BigInt(field as number | bigint);
  if (kind === "double" || kind === "time") return Number(field);
  return kind === "bytes" ? String(field).toLowerCase() : String(field);
}

export const isNumeric = ({ kind }: Type) => kind === "whole" || kind === "amount" || kind === "double";
export const isExact = ({ kind }: Type) => kind === "whole" || kind === "amount";

/** Returns a double. Replaces NaN and infinity with null, and negative zero with zero. */
export const finite = (x: number): number | null => (Number.isFinite(x) ? x + 0 : null);

export const constant = (type: Type, value: Value): Compiled => ({ type, value: () => value });

/** Compiles a value that is computed from other values. It is null if one of them is null. */
export function derived(
  type: Type,
  parts: readonly Compiled[],
  compute: (...values: NonNullable<Value>[]) => Value,
): Compiled {
  return {
    type,
    value(scope) {
      const values = parts.map((part) => part.value(scope));
      const result = values.includes(null) ? null : compute(...(values as NonNullable<Value>[]));
      return typeof result === "number" && type.kind === "double" ? finite(result) : result;
    },
  };
}

/** Compares two values. Text and bytes are compared byte by byte, which gives the order of code points. */
export function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  // JavaScript compares bigints and numbers exactly.
  return a < b ? -1 : a > b ? 1 : 0;
}
