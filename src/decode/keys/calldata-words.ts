import type { Hex } from "../../lib/hex.ts";

/** Maximum number of input bytes to read. The longest input seen in a real swap is 11 kB long. */
const MAX_BYTES = 65_536;
/** Maximum number of addresses to collect. A transaction with real swaps has fewer. */
const MAX_ADDRESSES = 32;

/** Number of hex digits of a word and of an address. */
export const WORD = 64;
export const ADDRESS = 40;
/**
 * Number of hex digits between possible positions of words. Nested calldata begins with a selector of four
 * bytes, which shifts its words.
 */
export const STEP = 8;
/** The digits in a word before the address. */
export const PADDING = "0".repeat(WORD - ADDRESS);
/** Address digits that begin with these zeros are an amount, not an address. */
const ADDRESS_START = "0".repeat(8);
const ZERO_ADDRESS = "0".repeat(ADDRESS);

/** Returns the hex digits of the calldata, up to the maximum length. */
export function digitsOf(input: Hex): string {
  return input.slice(2, 2 + 2 * MAX_BYTES);
}

/**
 * Reads the currency in a word: an address, or the zero address for the native coin. Returns null if the word
 * is incomplete or a number.
 */
export function currencyAt(digits: string, at: number): Hex | null {
  const end = at + WORD;
  if (at < 0 || end > digits.length || !digits.startsWith(PADDING, at)) return null;
  const address = digits.slice(end - ADDRESS, end);
  return address.startsWith(ADDRESS_START) && address !== ZERO_ADDRESS ? null : `0x${address}`;
}

/**
 * Lists possible addresses, in order of appearance: the words of the calldata with the form of an address.
 */
export function calldataAddresses(input: Hex): Hex[] {
  const digits = digitsOf(input);
  const addresses = new Set<Hex>();
  for (let at = STEP; at + WORD <= digits.length && addresses.size < MAX_ADDRESSES; at += STEP) {
    const address = currencyAt(digits, at);
    if (address !== null && address !== `0x${ZERO_ADDRESS}`) addresses.add(address);
  }
  return [...addresses];
}
