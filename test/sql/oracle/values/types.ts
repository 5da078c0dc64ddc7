import type { Interval } from "../parse/syntax.ts";
import { unknown } from "../unknown.ts";

/** The type of a value; an amount is a whole number that answers show as text. */
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
  /** For whole numbers the bits of the greatest; 0 for other types. */
  bits: number;
}

/** Whole numbers and amounts are bigint, doubles and unix seconds number, texts and `0x…` bytes string. */
export type Value = bigint | number | string | boolean | null;

/** What an expression is computed on: a row, or the first row of a group. */
export interface Scope {
  row: Readonly<Record<string, unknown>>;
  /** The rows of the group; empty for a single row. */
  group: readonly Readonly<Record<string, unknown>>[];
}

/** The text of a constant, from which it can be read as the type of another value. */
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
/** Columns of whole numbers, counts, positions and parts of times. */
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

/** A stored field as a value of its type. */
export function storedValue({ kind }: Type, field: unknown): Value {
  if (field === null || field === undefined) return null;
  if (kind === "whole" || kind === "amount") return BigInt(field as number | bigint);
  if (kind === "double" || kind === "time") return Number(field);
  return kind === "bytes" ? String(field).toLowerCase() : String(field);
}

export const isNumeric = ({ kind }: Type) => kind === "whole" || kind === "amount" || kind === "double";
export const isExact = ({ kind }: Type) => kind === "whole" || kind === "amount";

/** A double without NaN, infinity (both null) and negative zero. */
export const finite = (x: number): number | null => (Number.isFinite(x) ? x + 0 : null);

export const constant = (type: Type, value: Value): Compiled => ({ type, value: () => value });

/** A value computed from others, null where one of them is. */
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

/** Texts and bytes are in the order of their bytes, which is the order of code points. */
export function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  // Numbers of either kind compare exactly.
  return a < b ? -1 : a > b ? 1 : 0;
}
