/**
 * Maximum number of decimals. With more, no balance would reach one unit, because 10^78 exceeds every 256-bit
 * amount.
 */
export const MAX_DECIMALS = 77;
/**
 * Maximum length of a symbol or name, in characters. Some are as long as a book, and every transfer repeats
 * them.
 */
export const MAX_TOKEN_TEXT = 256;

/**
 * Characters that must not reach a terminal, a log or a page: control characters, line separators, marks that
 * change the direction of the surrounding text, unpaired surrogates, and the replacement character of invalid
 * UTF-8.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu;

/** Returns a symbol or name as it is stored, printable and not too long, or null if it is blank. */
export function storedTokenText(text: string): string | null {
  const characters = [...text.replace(UNPRINTABLE, "")].slice(0, MAX_TOKEN_TEXT);
  const stored = characters.join("");
  return stored.trim() === "" ? null : stored;
}
