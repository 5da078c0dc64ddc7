import type { Hex } from "../../../lib/hex.ts";
import { EKUBO_EVENTS, EKUBO_SWAP_BYTES } from "../../../schema/events/ekubo-events.ts";
import { placeOf, UNREADABLE, type VaultChange, type VaultLog } from "./vault-change.ts";

/** Number of words in each event's data. */
export const EKUBO_WORDS = { positionUpdated: 6, feesCollected: 5, feesAccumulated: 3 } as const;
/** Byte offset of the two balance changes in the data of these events. Each change takes 16 bytes. */
export const EKUBO_CHANGES_AT = { swap: 52, positionUpdated: 4 * 32 } as const;

const TOPICS: ReadonlySet<Hex | null> = new Set([null, ...Object.values(EKUBO_EVENTS)]);

/** Returns whether a log has no topics, or the topic of one of Ekubo's events. */
export function isOfEkubo({ topic_0 }: Pick<VaultLog, "topic_0">): boolean {
  return TOPICS.has(topic_0);
}

/** Returns the changes that a log makes to the balances that Ekubo's Core holds for the log's pool. */
export function ekuboChangesOf({ topic_0, data }: Pick<VaultLog, "topic_0" | "data">): VaultChange[] {
  const bytes = (data.length - 2) / 2;
  const hasWords = (event: keyof typeof EKUBO_WORDS) => bytes === 32 * EKUBO_WORDS[event];
  switch (topic_0) {
    case null:
      return bytes === EKUBO_SWAP_BYTES ? pairOf(data, EKUBO_CHANGES_AT.swap, 16, 1n) : [];
    case EKUBO_EVENTS.positionUpdated:
      return hasWords("positionUpdated")
        ? pairOf(data, EKUBO_CHANGES_AT.positionUpdated, 16, 1n)
        : [UNREADABLE];
    case EKUBO_EVENTS.feesCollected:
      return hasWords("feesCollected") ? pairOf(data, 3 * 32, 32, -1n) : [UNREADABLE];
    case EKUBO_EVENTS.feesAccumulated:
      return hasWords("feesAccumulated") ? pairOf(data, 32, 32, 1n) : [UNREADABLE];
    case EKUBO_EVENTS.positionUpdatedV2:
      return [UNREADABLE];
    default:
      return [];
  }
}

/**
 * Returns the changes of a pair's two tokens, which are signed integers of `bytes` bytes each, times `sign`.
 */
function pairOf(data: Hex, byte: number, bytes: 16 | 32, sign: bigint): VaultChange[] {
  return [0, 1].map((index) => {
    const start = 2 + 2 * (byte + index * bytes);
    const value = BigInt(`0x${data.slice(start, start + 2 * bytes)}`);
    return { token: placeOf(2, index), change: sign * BigInt.asIntN(8 * bytes, value) };
  });
}
