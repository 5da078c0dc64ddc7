import type { OutputColumn } from "../expressions/checked-select.ts";

/** Digits of the largest sum, a time, a double: whatever is no text and no bytes is shorter. */
const VALUE_BYTES = 200;

/** A symbol or a name of a token has at most 256 characters of 4 bytes; what JSON escapes takes twice its length. */
const LABEL_BYTES = 2048;

/** What JSON makes of one character of a name at most: `\u0000`. */
const BYTES_OF_ESCAPE = 6;

/**
 * The most bytes that rows of these columns can take, as JSON; in other formats they are shorter, but for what these say of
 * the columns. Infinity where a value may be of any length.
 */
export function mostBytes(columns: readonly OutputColumn[], rows: number): number {
  // No rows of any length are no bytes, where 0 times Infinity is no number.
  if (rows === 0) return 0;
  return rows * columns.reduce((sum, column) => sum + cellBytes(column), 0);
}

function cellBytes({ name, value }: OutputColumn): number {
  return BYTES_OF_ESCAPE * name.length + valueBytes(value);
}

function valueBytes({ node, type }: OutputColumn["value"]): number {
  switch (type.kind) {
    case "text":
      return node === "column" && type.dictionary === true ? LABEL_BYTES : Number.POSITIVE_INFINITY;
    case "bytes":
      return type.lengths === null ? Number.POSITIVE_INFINITY : 2 + 2 * Math.max(...type.lengths);
    default:
      return VALUE_BYTES;
  }
}
