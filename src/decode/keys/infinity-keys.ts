import { ZERO_ADDRESS } from "../../lib/hex.ts";
import { addressWord, intAt, smallUintOf, uintWord, wordAt } from "../abi/abi.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { currencyAt, digitsOf, WORD } from "./calldata-words.ts";
import { likelyPairs, type Pair } from "./currency-pairs.ts";
import { LIKELY_PAIRS } from "./v4-keys.ts";

/**
 * Maximum number of occurrences of the pool manager's address to examine in the calldata. A real swap has
 * only a few.
 */
const MAX_PLACES = 32;
const MILLION = 1_000_000;

/** Differences between pools with ticks and pools with bins. */
export interface InfinityRules {
  /** Word index of the fee in a Swap event. The next word is the protocol's part of the fee. */
  feeWord: number;
  /** Usual fees of pools without hooks. */
  usualFees: readonly number[];
  /** Returns possible tick spacings or bin steps for a fee, the most likely first. */
  stepsOf(fee: number): readonly number[];
}

/** The last four words of a key. */
interface KeyEnd {
  hooks: string;
  manager: string;
  fee: string;
  parameters: string;
}

/**
 * Yields keys of PancakeSwap Infinity's pools (six words: currency0, currency1, hooks, poolManager, fee,
 * parameters) that a transaction suggests, the most likely first. The pool manager's address marks a key in
 * the calldata, or parts of a key (PathKey: currency, fee, hooks, poolManager, offset, parameters).
 */
export function* suggestedInfinityKeys(swap: UnknownSwap, rules: InfinityRules): Iterable<string> {
  const digits = digitsOf(swap.transaction.input);
  const manager = addressWord(swap.log.address);
  const places = placesOf(manager, digits);
  yield* places.map((at) => digits.slice(at - 3 * WORD, at + 3 * WORD));
  const amounts = [intAt(swap.log.data, 0), intAt(swap.log.data, 1)];
  const named = places.flatMap((at) => currencyAt(digits, at - 3 * WORD) ?? []);
  const pairs = likelyPairs(swap, amounts, named);
  const word = (at: number) => digits.slice(at, at + WORD);
  for (const at of places) {
    const end = {
      hooks: word(at - WORD),
      manager,
      fee: word(at - 2 * WORD),
      parameters: word(at + 2 * WORD),
    };
    yield* keysOf(pairs.slice(0, LIKELY_PAIRS), end);
  }
  const fees = [...poolFees(swap, rules), ...rules.usualFees];
  for (const fee of fees) {
    for (const [i, step] of rules.stepsOf(fee).entries()) {
      yield* keysOf(i === 0 ? pairs : pairs.slice(0, LIKELY_PAIRS), withoutHooks(manager, fee, step));
    }
  }
}

/**
 * Returns the end of a key without hooks. The lowest 16 bits of the parameters are the hooks' permissions and
 * stay zero.
 */
function withoutHooks(manager: string, fee: number, step: number): KeyEnd {
  return {
    hooks: addressWord(ZERO_ADDRESS),
    manager,
    fee: uintWord(fee),
    parameters: uintWord(step * 0x10000),
  };
}

function keysOf(pairs: readonly Pair[], { hooks, manager, fee, parameters }: KeyEnd): string[] {
  return pairs.map(([currency0, currency1]) =>
    [addressWord(currency0), addressWord(currency1), hooks, manager, fee, parameters].join(""),
  );
}

function placesOf(word: string, digits: string): number[] {
  const places: number[] = [];
  for (let at = digits.indexOf(word); at >= 0; at = digits.indexOf(word, at + 1)) {
    const isWhole = at % 2 === 0 && at >= 3 * WORD && at + 3 * WORD <= digits.length;
    if (isWhole) places.push(at);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

/**
 * Returns the pool fees that result in the swap's fee. The protocol takes its part first, and the pool takes
 * its fee from the rest (ProtocolFeeLibrary.calculateSwapFee). Rounding can allow several pool fees.
 */
function poolFees({ log: { data } }: UnknownSwap, { feeWord }: InfinityRules): number[] {
  const total = smallUintOf(wordAt(data, feeWord)) ?? 0;
  const protocol = smallUintOf(wordAt(data, feeWord + 1)) ?? 0;
  if (total >= MILLION || protocol >= MILLION) return [];
  const near = Math.floor(((total - protocol) * MILLION) / (MILLION - protocol));
  const isRight = (fee: number) =>
    fee >= 0 && protocol + fee - Math.floor((protocol * fee) / MILLION) === total;
  return [near - 1, near, near + 1].filter(isRight);
}
