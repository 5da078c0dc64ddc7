import type { Hex } from "../../../lib/hex.ts";

/** The cells of a column. An array has this form. */
export interface Cells {
  readonly length: number;
  at(row: number): unknown;
  /**
   * Returns bytes as lower-case hex text, faster than from `at`. Null if the row has no value, or one that
   * must be read and checked in the usual way.
   */
  hexAt?(row: number): Hex | null;
  /** Like `hexAt`, for a list of texts. Also null if the list has more items than `max`. */
  hexListAt?(row: number, max: number): Hex[] | null;
}
