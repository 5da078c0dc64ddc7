import type { Hex } from "../../lib/hex.ts";

/** Hex digits of one ABI word (32 bytes). */
const WORD_DIGITS = 64;
const ADDRESS_PADDING = "0".repeat(24);
const TWO_256 = 1n << 256n;
const SIGN_BIT = 1n << 255n;

/** Number of bytes in `0x…` text. */
export function byteLength(data: Hex): number {
  return (data.length - 2) / 2;
}

/** True if the data has exactly this number of words. */
export function isWords(data: Hex, words: number): boolean {
  return data.length === 2 + words * WORD_DIGITS;
}

/** The word at an index, as `0x…`; shorter or empty if the data ends before it does. */
export function wordAt(data: Hex, index: number): Hex {
  const start = 2 + index * WORD_DIGITS;
  return `0x${data.slice(start, start + WORD_DIGITS)}`;
}

/** The unsigned integer at a word index. The data must be long enough. */
export function uintAt(data: Hex, index: number): bigint {
  return BigInt(wordAt(data, index));
}

/** The two's complement integer at a word index. The data must be long enough. */
export function intAt(data: Hex, index: number): bigint {
  const unsigned = uintAt(data, index);
  return unsigned >= SIGN_BIT ? unsigned - TWO_256 : unsigned;
}

/** The address in a word; null if the word is incomplete or the 12 bytes before the address are not zero. */
export function addressOf(word: Hex | undefined): Hex | null {
  if (word === undefined || !isWords(word, 1) || !word.startsWith(ADDRESS_PADDING, 2)) return null;
  return `0x${word.slice(2 + ADDRESS_PADDING.length)}`;
}

/** A value below 2^53 in a word; null if the word is incomplete or the value larger. */
export function smallUintOf(word: Hex | undefined): number | null {
  if (word === undefined || !isWords(word, 1)) return null;
  const value = BigInt(word);
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : null;
}

/** An address as an ABI word. */
export function addressWord(address: Hex): string {
  return ADDRESS_PADDING + address.slice(2);
}

/** A whole number below 2^53 as an ABI word. */
export function uintWord(value: number): string {
  return value.toString(16).padStart(WORD_DIGITS, "0");
}
