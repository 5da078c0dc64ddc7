import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import { hookFlags } from "../../schema/hooks.ts";
import { addressWord, intAt, smallUintOf, uintWord, wordAt } from "../abi/abi.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { calldataKeys, type KeyHint } from "./calldata-keys.ts";
import { calldataAddresses } from "./calldata-words.ts";
import { likelyPairs, type Pair } from "./currency-pairs.ts";

/** Fee value of a pool whose hooks set the fee of each swap. */
export const DYNAMIC_FEE = 0x800000;
/** Number of pairs to try for less likely combinations. Eight currencies make this many pairs. */
export const LIKELY_PAIRS = 28;
/** Number of addresses to try as hooks, and number of pairs to try with each. */
const MAX_HOOKS = 6;
const HOOKED_PAIRS = 6;
/** Word index of the fee in the data of a Swap event. */
const FEE_WORD = 5;
/** Fees that Uniswap's interface offers, with their tick spacings. */
export const USUAL_FEES: readonly (readonly [fee: number, tickSpacing: number])[] = [
  [3000, 60],
  [500, 10],
  [100, 1],
  [10_000, 200],
];
const MAX_FEE = 1_000_000;

/** Yields keys of Uniswap V4 pools that a transaction suggests, the most likely first. */
export function* suggestedV4Keys(swap: UnknownSwap): Iterable<string> {
  const fee = smallUintOf(wordAt(swap.log.data, FEE_WORD)) ?? 0;
  const { keys, hints } = calldataKeys(swap.transaction.input, [fee, DYNAMIC_FEE]);
  yield* keys;
  const amounts = [intAt(swap.log.data, 0), intAt(swap.log.data, 1)];
  const named = hints.flatMap(({ currencies }) => currencies);
  const pairs = likelyPairs(swap, amounts, named);
  const likely = pairs.slice(0, LIKELY_PAIRS);
  for (const { tickSpacing, hooks, fee: hinted } of hints) {
    for (const pair of likely) yield keyOf(pair, hinted, tickSpacing, hooks);
    for (const pair of likely) yield keyOf(pair, hinted, tickSpacing, ZERO_ADDRESS);
  }
  const spacings = tickSpacings(
    fee,
    hints.map(({ tickSpacing }) => tickSpacing),
  );
  for (const [i, tickSpacing] of spacings.entries()) {
    for (const pair of i === 0 ? pairs : likely) yield keyOf(pair, fee, tickSpacing, ZERO_ADDRESS);
  }
  // The pool's own fee may be a usual one, because the event's fee includes the protocol's fee.
  for (const [usual, tickSpacing] of USUAL_FEES) {
    for (const pair of likely) yield keyOf(pair, usual, tickSpacing, ZERO_ADDRESS);
  }
  yield* hookedKeys(candidateHooks(swap, hints), pairs, fee, spacings);
}

function* hookedKeys(
  hooks: readonly Hex[],
  pairs: readonly Pair[],
  fee: number,
  spacings: readonly number[],
): Iterable<string> {
  for (const tickSpacing of spacings) {
    for (const hook of hooks) {
      for (const pair of pairs.slice(0, HOOKED_PAIRS)) {
        yield keyOf(pair, DYNAMIC_FEE, tickSpacing, hook);
        // Only a pool with a dynamic fee may have a hook without permissions.
        if (hookFlags(hook) !== 0) yield keyOf(pair, fee, tickSpacing, hook);
      }
    }
  }
}

/**
 * Returns possible tick spacings for a fee: first the one that Uniswap's interface derives from the fee, then
 * hinted, other derived and usual ones.
 */
export function tickSpacings(fee: number, hinted: readonly number[]): number[] {
  const usual = USUAL_FEES.find(([listed]) => listed === fee)?.[1];
  const derived = [Math.round(fee / 50), Math.floor(fee / 50), Math.round(fee / 100)].map((spacing) =>
    Math.max(1, spacing),
  );
  const all = [usual ?? derived[0] ?? 1, ...hinted, ...derived];
  const listed = USUAL_FEES.map(([, tickSpacing]) => tickSpacing);
  return [...new Set([...all, ...listed])].filter((spacing) => spacing <= MAX_FEE / 50);
}

/** Returns contracts that may be the pool's hooks, because they emitted logs or occur in the calldata. */
function candidateHooks({ log, transaction, transfers }: UnknownSwap, hints: readonly KeyHint[]): Hex[] {
  const tokens = new Set(transfers.map(({ token }) => token));
  const emitters = transaction.logs.map(({ address }) => address);
  const named = hints.map(({ hooks }) => hooks);
  const all = new Set([...named, ...emitters, ...calldataAddresses(transaction.input)]);
  const isHook = (address: Hex) =>
    address !== ZERO_ADDRESS && address !== log.address && !tokens.has(address);
  return [...all].filter(isHook).slice(0, MAX_HOOKS);
}

/** Returns the ABI encoding of a PoolKey, without `0x`. */
function keyOf([currency0, currency1]: Pair, fee: number, tickSpacing: number, hooks: Hex): string {
  return [
    ...[addressWord(currency0), addressWord(currency1)],
    ...[uintWord(fee), uintWord(tickSpacing), addressWord(hooks)],
  ].join("");
}
