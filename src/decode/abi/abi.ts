import type { Hex } from "../../lib/hex.ts";

/** Number of bytes in an ABI word. */
const WORD_BYTES = 32;
const WORD_DIGITS = 2 * WORD_BYTES;
const ADDRESS_PADDING = "0".repeat(24);
const TWO_256 = 1n << 256n;
const SIGN_BIT = 1n << 255n;

/** Returns the number of bytes in `0x…` text. */
export function byteLength(data: Hex): number {
  return (data.length - 2) / 2;
}

/** Returns true if the data has exactly this number of words. */
export function isWords(data: Hex, words: number): boolean {
  return data.length === 2 + words * WORD_DIGITS;
}

/** Returns true if the data has whole words only, and at least this number of them. */
export function hasWords(data: Hex, words: number): boolean {
  const count = (data.length - 2) / WORD_DIGITS;
  return Number.isInteger(count) && count >= words;
}

/** Returns the word at an index, as `0x…`. The word is incomplete or empty if the data is too short. */
export function wordAt(data: Hex, index: number): Hex {
  const start = 2 + index * WORD_DIGITS;
  return `0x${data.slice(start, start + WORD_DIGITS)}`;
}

/** Reads the unsigned integer at a word index. The data must be long enough. */
export function uintAt(data: Hex, index: number): bigint {
  return BigInt(wordAt(data, index));
}

/** Reads the two's complement integer at a word index. The data must be long enough. */
export function intAt(data: Hex, index: number): bigint {
  const unsigned = uintAt(data, index);
  return unsigned >= SIGN_BIT ? unsigned - TWO_256 : unsigned;
}

/**
 * Reads the address in a word. Returns null if the word is incomplete or the 12 bytes before the address are
 * not zero.
 */
export function addressOf(word: Hex | undefined): Hex | null {
  if (word === undefined || !isWords(word, 1) || !word.startsWith(ADDRESS_PADDING, 2)) return null;
  return `0x${word.slice(2 + ADDRESS_PADDING.length)}`;
}

/** Reads the address that a call returned. Returns null if the call reverted or returned something else. */
export function addressResult(result: Hex | null | undefined): Hex | null {
  return result ? addressOf(wordAt(result, 0)) : null;
}

/**
 * Reads a value below 2^53 from a word. Returns null if the word is incomplete or the value is 2^53 or more.
 */
export function smallUintOf(word: Hex | undefined): number | null {
  if (word === undefined || !isWords(word, 1)) return null;
  const value = BigInt(word);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : null;
}

/** Encodes an address as an ABI word. */
export function addressWord(address: Hex): string {
  return ADDRESS_PADDING + address.slice(2);
}

/** Encodes a whole number below 2^53 as an ABI word. */
export function uintWord(value: number): string {
  return value.toString(16).padStart(WORD_DIGITS, "0");
}

/**
 * Reads the addresses of the ABI-encoded `address[]` whose offset is the first word. Returns null if it is
 * malformed or longer than `limit`.
 */
export function addressesIn(data: Hex, limit: number): Hex[] | null {
  const offset = smallUintOf(wordAt(data, 0));
  if (offset === null || offset % WORD_BYTES !== 0) return null;
  const start = offset / WORD_BYTES;
  const length = smallUintOf(wordAt(data, start));
  if (length === null || length > limit) return null;
  const addresses = Array.from({ length }, (_, i) => addressOf(wordAt(data, start + 1 + i)));
  return addresses.every((address) => address !== null) ? addresses : null;
}
