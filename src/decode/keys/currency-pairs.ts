import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { calldataAddresses } from "./calldata-words.ts";

/** Number of the most likely currencies that are combined with each other. They make 66 pairs. */
const MAX_CURRENCIES = 12;

export type Pair = readonly [currency0: Hex, currency1: Hex];

/**
 * Lists pairs of currencies that may be the pool's pair, the most likely first. The order of currencies is:
 * tokens that moved in the swap's exact amounts, currencies that calldata names in a key, the native coin,
 * tokens that the singleton moved, other tokens, other addresses.
 *
 * @param amounts the event's amounts, with any sign
 * @param named currencies that calldata names in a key
 */
export function likelyPairs(
  { log, transfers, transaction }: UnknownSwap,
  amounts: readonly bigint[],
  named: readonly Hex[],
): Pair[] {
  const singleton = log.address;
  const sizes = amounts.map((amount) => (amount < 0n ? -amount : amount));
  const exact = transfers.filter(({ value }) => sizes.includes(value));
  const moved = transfers.filter(({ from, to }) => from === singleton || to === singleton);
  const ordered = [
    ...exact.map(({ token }) => token),
    ...named,
    // The zero address denotes the native coin in a key.
    ZERO_ADDRESS,
    ...[...moved, ...transfers].map(({ token }) => token),
    ...calldataAddresses(transaction.input),
  ];
  return pairsOf([...new Set(ordered)].filter((address) => address !== singleton).slice(0, MAX_CURRENCIES));
}

/**
 * Makes pairs of currencies, with pairs of likely currencies first. The currencies of a pair are in ascending
 * order, as in keys.
 */
function pairsOf(currencies: readonly Hex[]): Pair[] {
  const ranked = currencies.flatMap((one, i) =>
    currencies.slice(i + 1).map((other, j) => ({ rank: 2 * i + j, pair: [one, other] as const })),
  );
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ pair: [one, other] }) => (one < other ? [one, other] : [other, one]));
}
