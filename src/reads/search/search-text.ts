import { hexBytes, integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";

/** The text that a client searches for, and its interpretations. */
export interface SearchText {
  /** Lower-case and trimmed; if empty, everything matches. */
  name: string;
  /** Both words of a pair such as `weth/usdc`; null if there are not exactly two. */
  pair: readonly [string, string] | null;
  /** The hex digits of an address or id, or of its beginning, without `0x`; null for other strings. */
  digits: string | null;
}

/** Maximum length in characters: no symbol or name that people type is longer. */
export const MAX_SEARCH_TEXT = 80;

/** Hex digits of an address, and of the id of a pool in a singleton. */
const ADDRESS_DIGITS = 40;
const ID_DIGITS = 64;

/** Requires at least two digits after `0x`: two match only one token in 256. */
const ADDRESS_START = /^0x([0-9a-f]{2,64})$/;

export function searchTextOf(given: string): SearchText {
  const name = given.trim().toLowerCase();
  const [one, other, ...more] = name.split(/[\s/:–-]+/).filter((word) => word !== "");
  const pair = one === undefined || other === undefined || more.length > 0 ? null : ([one, other] as const);
  return { name, pair, digits: ADDRESS_START.exec(name)?.[1] ?? null };
}

/** Returns true for a complete address of a token or pool, or a complete id of a pool. */
export function isWhole({ digits }: SearchText): boolean {
  return digits?.length === ADDRESS_DIGITS || digits?.length === ID_DIGITS;
}

/** Returns true if the text is this complete address or id. */
export function isNamed(searched: SearchText, address: Hex): boolean {
  return isWhole(searched) && address === searched.name;
}

/** How well a token matches; lower is better. */
export const CLOSENESS = {
  /** Its symbol equals the text, or `W` followed by the text: pools hold wrapped coins. */
  symbol: 0,
  /** Its symbol, name or address begins with the text. */
  start: 1,
  /** Its symbol or name contains the text. */
  inside: 2,
} as const;

/** Symbol and name of a token in the form in which they are compared. */
const SYMBOL = sql`lowerUTF8(ifNull(token_symbol, ''))`;
const NAME = sql`lowerUTF8(ifNull(token_name, ''))`;

/** Prints the closeness of a token that matches. */
export function closenessTo(searched: SearchText): Sql {
  const name = text(searched.name);
  // Everything matches the empty string equally well, even tokens without a symbol.
  const isSymbol =
    searched.name === "" ? sql`false` : sql`${SYMBOL} IN (${name}, ${text(`w${searched.name}`)})`;
  const isStart = sql`startsWith(${SYMBOL}, ${name}) OR startsWith(${NAME}, ${name}) OR ${isTokenWithin(searched)}`;
  const { symbol, start, inside } = CLOSENESS;
  return sql`multiIf(${isSymbol}, ${integer(symbol)}, ${isStart}, ${integer(start)}, ${integer(inside)})`;
}

/** Prints a condition that is true for the tokens that match. */
export function isMatch(searched: SearchText): Sql {
  if (isWhole(searched)) return isTokenWithin(searched);
  const name = text(searched.name);
  return sql`(position(${SYMBOL}, ${name}) > 0 OR position(${NAME}, ${name}) > 0 OR ${isTokenWithin(searched)})`;
}

/**
 * Prints a condition that is true for tokens whose address begins with the text. The tables are sorted by
 * address, so no scan is needed.
 */
function isTokenWithin({ digits }: SearchText): Sql {
  if (digits === null || digits.length > ADDRESS_DIGITS) return sql`false`;
  const bound = (fill: string) =>
    sql`toFixedString(${hexBytes(`0x${digits.padEnd(ADDRESS_DIGITS, fill)}`)}, 20)`;
  return sql`(token_address >= ${bound("0")} AND token_address <= ${bound("f")})`;
}

/** Prints a condition that is true for pools whose address or id begins with the text. */
export function isPoolWithin({ digits }: SearchText): Sql {
  if (digits === null) return sql`false`;
  const first = hexBytes(`0x${digits.length % 2 === 0 ? digits : `${digits}0`}`);
  const isFrom = sql`pool_address >= ${first}`;
  return digits.length === ADDRESS_DIGITS
    ? sql`pool_address = ${first}`
    : sql`(${isFrom} AND pool_address <= ${hexBytes(`0x${digits.padEnd(ID_DIGITS, "f")}`)})`;
}
