import { NATIVE_COIN } from "../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import { addressWord } from "../abi/abi.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { currencyAt, digitsOf, STEP, WORD } from "./calldata-words.ts";
import { likelyPairs } from "./currency-pairs.ts";

/** Maximum number of keys to read from calldata. A real route has a few. */
const MAX_KEYS = 64;
const NO_SALT = "0".repeat(WORD);

/**
 * Yields keys of Fluid DexLite's pools (three words: token0, token1, salt) that a transaction suggests, the
 * most likely first: keys in the calldata, then pairs of the transaction's tokens without a salt.
 *
 * @param amounts the rounded amounts of the event
 */
export function* suggestedDexLiteKeys(swap: UnknownSwap, amounts: readonly bigint[]): Iterable<string> {
  yield* wholeKeys(digitsOf(swap.transaction.input));
  for (const pair of likelyPairs(swap, amounts, [])) {
    const [token0, token1] = pair.map(denoted).sort();
    if (token0 && token1) yield addressWord(token0) + addressWord(token1) + NO_SALT;
  }
}

/** Returns a currency in the form that Fluid's keys use. */
function denoted(currency: Hex): Hex {
  return currency === ZERO_ADDRESS ? NATIVE_COIN : currency;
}

/** Finds keys: two addresses in ascending order, and the word after them. */
function* wholeKeys(digits: string): Iterable<string> {
  let found = 0;
  for (let at = STEP; at + 3 * WORD <= digits.length && found < MAX_KEYS; at += STEP) {
    const [token0, token1] = [currencyAt(digits, at), currencyAt(digits, at + WORD)];
    if (token0 === null || token1 === null || token0 === ZERO_ADDRESS || token0 >= token1) continue;
    found++;
    yield digits.slice(at, at + 3 * WORD);
  }
}
