import type { Hex } from "../../../lib/hex.ts";
import { BIN_EVENTS } from "../../../schema/events/bin-events.ts";
import { placeOf, signed, UNREADABLE, type VaultChange, type VaultLog } from "./vault-change.ts";

/** Number of words in the data of these events. */
export const BIN_WORDS = { swap: 5, donated: 3 } as const;
/**
 * Number of words in the data of these events before their two lists, which have the same length. The first
 * word is the offset of the list of bins, the third that of the list of amounts.
 */
export const BIN_HEADS = { minted: 5, burned: 3 } as const;
/** Fees are in millionths. */
export const FEE_UNITS = 1_000_000n;

const TOPICS: ReadonlySet<Hex | null> = new Set(Object.values(BIN_EVENTS));

/** Returns whether a log has the topic of an event of the BinPoolManager. */
export function isOfBin({ topic_0 }: Pick<VaultLog, "topic_0">): boolean {
  return TOPICS.has(topic_0);
}

/** Returns the changes that a log makes to the amounts in the bins of the log's pool. */
export function binChangesOf({ topic_0, data }: Pick<VaultLog, "topic_0" | "data">): VaultChange[] {
  const words = wordsOf(data);
  if (words === null) return [UNREADABLE];
  switch (topic_0) {
    case BIN_EVENTS.swap:
      return swapChanges(words);
    case BIN_EVENTS.donated:
      // The manager states amounts as changes of the caller's balance.
      return words.length === BIN_WORDS.donated ? pairOf(-signed(words[0]), -signed(words[1])) : [UNREADABLE];
    case BIN_EVENTS.minted:
      // These amounts include the fee for providers of the bin, but not the protocol's part of it.
      return listChanges(words, BIN_HEADS.minted, 1n);
    case BIN_EVENTS.burned:
      return listChanges(words, BIN_HEADS.burned, -1n);
    default:
      return [];
  }
}

/** Returns the words of the data; null if the data does not consist of whole words. */
function wordsOf(data: Hex): string[] | null {
  return data.length % 64 === 2 ? (data.slice(2).match(/.{64}/g) ?? []) : null;
}

function swapChanges(words: readonly string[]): VaultChange[] {
  const [amount0, amount1, , fee, protocolFee] = words.map(signed) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const hasFees =
    words.length === BIN_WORDS.swap && protocolFee >= 0n && protocolFee <= fee && fee <= FEE_UNITS;
  if (!hasFees) return [UNREADABLE];
  const kept = (amount: bigint) => -amount - protocolFeeOf(-amount, fee, protocolFee);
  return pairOf(kept(amount0), kept(amount1));
}

/**
 * Returns the part of a paid amount that goes to the protocol; zero for a received amount. `fee` is the whole
 * fee, `protocolFee` the protocol's part of it, both in millionths. The manager rounds the whole fee up and
 * the protocol's part down in every bin that the swap crosses, and the event does not show these bins. This
 * function rounds once. The result is exact for a swap within one bin. Otherwise, it differs from the
 * manager's amount by at most one base unit for each change from one bin to the next.
 *
 * @internal Exported for tests.
 */
export function protocolFeeOf(paid: bigint, fee: bigint, protocolFee: bigint): bigint {
  if (paid <= 0n || fee === 0n) return 0n;
  const wholeFee = (paid * fee + FEE_UNITS - 1n) / FEE_UNITS;
  return (wholeFee * protocolFee) / fee;
}

function listChanges(words: readonly string[], head: number, sign: bigint): VaultChange[] {
  const count = (words.length - head - 2) / 2;
  const at = (index: number) => signed(words[index]);
  const isList =
    Number.isInteger(count) &&
    count >= 0 &&
    at(0) === BigInt(32 * head) &&
    at(2) === BigInt(32 * (head + 1 + count)) &&
    at(head) === BigInt(count) &&
    at(head + 1 + count) === BigInt(count);
  if (!isList) return [UNREADABLE];
  return words.slice(head + 2 + count).flatMap((word) => {
    const half = (from: number) => sign * BigInt(`0x${word.slice(from, from + 32)}`);
    return pairOf(half(32), half(0));
  });
}

function pairOf(change0: bigint, change1: bigint): VaultChange[] {
  return [change0, change1].map((change, index) => ({ token: placeOf(2, index), change }));
}
