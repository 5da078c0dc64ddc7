import type { OutputColumn } from "../expressions/checked-select.ts";

/**
 * Upper bound for a value other than text or bytes, in bytes: the digits of the largest sum, a time, or a
 * double.
 */
const VALUE_BYTES = 200;

/**
 * Upper bound for a token's symbol or name, in bytes: at most 256 characters of 4 bytes, or of 6 as JSON
 * escapes.
 */
const LABEL_BYTES = 2048;

/** Maximum number of bytes for one character of a name in JSON: `\u0000`. */
const BYTES_OF_ESCAPE = 6;

/**
 * Returns the maximum size of rows of these columns as JSON, in bytes; Infinity if a value may have any
 * length. Rows in other formats are shorter, apart from a format's description of its columns.
 */
export function mostBytes(columns: readonly OutputColumn[], rows: number): number {
  // 0 times Infinity would be NaN.
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
