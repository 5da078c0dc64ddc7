import { type Hex, toBytes } from "../lib/hex.ts";
import type { ContractCall } from "../schema/contract-call.ts";
import type { Token } from "../schema/swap.ts";
import { byteLength, smallUintOf, wordAt } from "./abi.ts";

const SYMBOL: Hex = "0x95d89b41";
const NAME: Hex = "0x06fdde03";
const DECIMALS: Hex = "0x313ce567";
const QUESTIONS = [SYMBOL, NAME, DECIMALS];

/** 10^78 exceeds every 256-bit amount: a token with more decimals could not even hold one. */
const DECIMALS_LIMIT = 77;
/** Some tokens call themselves whole books, and the text stands in every row of their transfers. */
const TEXT_LIMIT = 256;
/** No character takes more bytes in UTF-8. */
const BYTES_PER_CHARACTER = 4;
const WORD_BYTES = 32;

/** What to ask token contracts, for `readTokens`. */
export function tokenQuestions(addresses: readonly Hex[]): ContractCall[] {
  return addresses.flatMap((to) => QUESTIONS.map((data) => ({ to, data })));
}

/** Tokens from the answers to `tokenQuestions`: null wherever a contract reverts or answers nonsense. */
export function readTokens(addresses: readonly Hex[], answers: readonly (Hex | null)[]): Token[] {
  return addresses.map((address, i) => {
    const [symbol, name, decimals] = answers.slice(i * QUESTIONS.length, (i + 1) * QUESTIONS.length);
    return { address, symbol: readText(symbol), name: readText(name), decimals: readDecimals(decimals) };
  });
}

function readDecimals(answer: Hex | null | undefined): number | null {
  const decimals = answer ? smallUintOf(wordAt(answer, 0)) : null;
  return decimals === null || decimals > DECIMALS_LIMIT ? null : decimals;
}

/** Text as an ABI string, or as the bytes32 of tokens older than the standard (MKR). Empty text says nothing: null. */
function readText(answer: Hex | null | undefined): string | null {
  if (!answer) return null;
  const bytes = textBytes(answer);
  if (bytes === null) return null;
  const characters = [...printable(bytes)].slice(0, TEXT_LIMIT);
  const text = characters.join("");
  return text.trim() === "" ? null : text;
}

function textBytes(answer: Hex): Uint8Array | null {
  const length = byteLength(answer);
  if (length === WORD_BYTES) return toBytes(answer);
  const offset = smallUintOf(wordAt(answer, 0));
  if (offset === null || offset + WORD_BYTES > length) return null;
  const tail: Hex = `0x${answer.slice(2 + 2 * offset)}`;
  const size = smallUintOf(wordAt(tail, 0));
  if (size === null || WORD_BYTES + size > byteLength(tail)) return null;
  const end = WORD_BYTES + Math.min(size, TEXT_LIMIT * BYTES_PER_CHARACTER);
  return toBytes(tail.slice(0, 2 + 2 * end)).subarray(WORD_BYTES);
}

/**
 * What must not reach a terminal, a log or a page: control characters, line separators, marks that turn the
 * direction of the text around them, and the replacement of bytes that are no UTF-8.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu;

function printable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(UNPRINTABLE, "");
}
