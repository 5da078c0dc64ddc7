import type { Hex } from "../../lib/hex.ts";

/** Maximum length of the input that is read: the longest of the real swaps seen has 11 kB. */
const MAX_BYTES = 65_536;
/** Maximum number of addresses collected; a transaction of real swaps has fewer. */
const MAX_ADDRESSES = 32;

/** Hex digits of a word, and of an address. */
export const WORD = 64;
export const ADDRESS = 40;
/**
 * Step between possible positions of words: calldata inside calldata begins with its own selector of four
 * bytes.
 */
export const STEP = 8;
/** The digits before the address in a word. */
export const PADDING = "0".repeat(WORD - ADDRESS);
/** A number in a word with fewer digits than this is an amount, not an address. */
const ADDRESS_START = "0".repeat(8);
const ZERO_ADDRESS = "0".repeat(ADDRESS);

/** Returns the digits of calldata that are read. */
export function digitsOf(input: Hex): string {
  return input.slice(2, 2 + 2 * MAX_BYTES);
}

/** Returns the address, or zero for the native coin, in a word; null if it is a number. */
export function currencyAt(digits: string, at: number): Hex | null {
  const end = at + WORD;
  if (at < 0 || end > digits.length || !digits.startsWith(PADDING, at)) return null;
  const address = digits.slice(end - ADDRESS, end);
  return address.startsWith(ADDRESS_START) && address !== ZERO_ADDRESS ? null : `0x${address}`;
}

/** Lists words with the form of an address in calldata, in order of appearance. */
export function calldataAddresses(input: Hex): Hex[] {
  const digits = digitsOf(input);
  const addresses = new Set<Hex>();
  for (let at = STEP; at + WORD <= digits.length && addresses.size < MAX_ADDRESSES; at += STEP) {
    const address = currencyAt(digits, at);
    if (address !== null && address !== `0x${ZERO_ADDRESS}`) addresses.add(address);
  }
  return [...addresses];
}
