import { type Sql, sql, textArray } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";

/** The tokens of a row of pool_metadata, as an array of strings. */
export const POOL_TOKENS = sql`splitByChar(',', token_addresses)`;

/** Prints a condition that is true for the pools with one of the tokens. */
export function hasOneOf(tokens: readonly Hex[]): Sql {
  return sql`hasAny(${POOL_TOKENS}, ${textArray(tokens)})`;
}
