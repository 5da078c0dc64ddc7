import type { Interval } from "../parse/syntax.ts";
import { unknown } from "../unknown.ts";

/** What a value is; an amount is a whole number that answers carry as text. */
export type Sort =
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
  sort: Sort;
  /** Of whole numbers: bits that the greatest may take. */
  bits: number;
}

/** Whole numbers and amounts are bigint, doubles and unix seconds number, texts and `0x…` bytes string. */
export type Value = bigint | number | string | boolean | null;

/** Where an expression is computed: on a row or on the first row of a group. */
export interface Scope {
  row: Readonly<Record<string, unknown>>;
  /** The rows of the group; of a row alone none. */
  group: readonly Readonly<Record<string, unknown>>[];
}

/** What a constant was written as, so that it can be read as what it is compared or combined with. */
export type Literal = { kind: "number" | "text"; text: string } | Interval;

export interface Compiled {
  type: Type;
  value(scope: Scope): Value;
  literal?: Literal;
}

const plain = (sort: Sort): Type => ({ sort, bits: 0 });
export const DOUBLE = plain("double");
export const TEXT = plain("text");
export const BYTES = plain("bytes");
export const TIME = plain("time");
export const CONDITION = plain("condition");
export const NULL = plain("null");
export const AMOUNT: Type = { sort: "amount", bits: 256 };
/** Columns of whole numbers, counts, places and parts of times. */
export const WHOLE: Type = { sort: "whole", bits: 53 };

export const wholeOf = (bits: number): Type => ({ sort: "whole", bits });

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
export function storedValue({ sort }: Type, field: unknown): Value {
  if (field === null || field === undefined) return null;
  if (sort === "whole" || sort === "amount") return BigInt(field as number | bigint);
  if (sort === "double" || sort === "time") return Number(field);
  return sort === "bytes" ? String(field).toLowerCase() : String(field);
}

export const isNumeric = ({ sort }: Type) => sort === "whole" || sort === "amount" || sort === "double";
export const isExact = ({ sort }: Type) => sort === "whole" || sort === "amount";

/** Of a double: null where it is not finite, and one zero. */
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
      return typeof result === "number" && type.sort === "double" ? finite(result) : result;
    },
  };
}

/** Texts and bytes stand in the order of their bytes, which is that of code points. */
export function compareValues(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  // Numbers of either kind compare exactly.
  return a < b ? -1 : a > b ? 1 : 0;
}
