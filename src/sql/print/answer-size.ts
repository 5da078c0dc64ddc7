import type { OutputColumn } from "../expressions/checked-select.ts";

/** Longer than any value that is not text or bytes: the digits of the largest sum, a time, a double. */
const VALUE_BYTES = 200;

/** A token's symbol or name has at most 256 characters of 4 bytes, and JSON escapes can double its length. */
const LABEL_BYTES = 2048;

/** Longest form of one character of a name in JSON: `\u0000`. */
const BYTES_OF_ESCAPE = 6;

/**
 * The maximum size in bytes of rows of these columns as JSON. Rows in other formats are shorter, apart from a
 * format's description of its columns. Infinity where a value may have any length.
 */
export function mostBytes(columns: readonly OutputColumn[], rows: number): number {
  // Without rows the size is 0, although 0 times Infinity is NaN.
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
