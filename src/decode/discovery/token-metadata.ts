import { type Hex, toBytes } from "../../lib/hex.ts";
import { type CallBlock, type ContractCall, DECIMALS } from "../../schema/contract-call.ts";
import type { Token } from "../../schema/swap.ts";
import { MAX_DECIMALS, MAX_TOKEN_TEXT, storedTokenText } from "../../schema/token-text.ts";
import { byteLength, smallUintOf, wordAt } from "../abi/abi.ts";

const SYMBOL: Hex = "0x95d89b41";
const NAME: Hex = "0x06fdde03";
const SELECTORS = [SYMBOL, NAME, DECIMALS];

/** The result of a call that returns no data. */
const NOTHING: Hex = "0x";

/** Maximum number of bytes of a character in UTF-8. */
const BYTES_PER_CHARACTER = 4;
const WORD_BYTES = 32;

/** A token and the first block with one of its events. The metadata is read from the state of this block. */
export interface FirstSeen {
  address: Hex;
  block: CallBlock | undefined;
}

/** Returns the calls to token contracts whose results `readTokens` needs. */
export function tokenCalls(tokens: readonly FirstSeen[]): ContractCall[] {
  return tokens.flatMap(({ address: to, block }) => SELECTORS.map((data) => ({ to, data, block })));
}

/**
 * Reads tokens from the results of `tokenCalls`. A field is null if the contract reverts or returns invalid
 * data.
 */
export function readTokens(addresses: readonly Hex[], results: readonly (Hex | null)[]): Token[] {
  return addresses.map((address, i) => {
    const [symbol, name, decimals] = results.slice(i * SELECTORS.length, (i + 1) * SELECTORS.length);
    return { address, symbol: readText(symbol), name: readText(name), decimals: readDecimals(decimals) };
  });
}

/**
 * Returns the addresses for which all of `tokenCalls` succeeded but returned nothing, as calls do if there is
 * no contract.
 */
export function silentAddresses(addresses: readonly Hex[], results: readonly (Hex | null)[]): Set<Hex> {
  const isSilent = (_: Hex, i: number) =>
    SELECTORS.every((__, call) => results[i * SELECTORS.length + call] === NOTHING);
  return new Set(addresses.filter(isSilent));
}

function readDecimals(result: Hex | null | undefined): number | null {
  const decimals = result ? smallUintOf(wordAt(result, 0)) : null;
  return decimals === null || decimals > MAX_DECIMALS ? null : decimals;
}

/**
 * Reads text that is encoded as an ABI string, or as bytes32 in tokens older than the standard (MKR). Returns
 * null for blank text.
 */
function readText(result: Hex | null | undefined): string | null {
  if (!result) return null;
  const bytes = textBytes(result);
  return bytes === null ? null : storedTokenText(new TextDecoder().decode(bytes));
}

function textBytes(result: Hex): Uint8Array | null {
  const length = byteLength(result);
  if (length === WORD_BYTES) return toBytes(result);
  const offset = smallUintOf(wordAt(result, 0));
  if (offset === null || offset + WORD_BYTES > length) return null;
  const tail: Hex = `0x${result.slice(2 + 2 * offset)}`;
  const size = smallUintOf(wordAt(tail, 0));
  if (size === null || WORD_BYTES + size > byteLength(tail)) return null;
  const end = WORD_BYTES + Math.min(size, MAX_TOKEN_TEXT * BYTES_PER_CHARACTER);
  return toBytes(tail.slice(0, 2 + 2 * end)).subarray(WORD_BYTES);
}
