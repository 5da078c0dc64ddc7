import type { Hex } from "../../lib/hex.ts";

/** Sync(uint112,uint112): the reserves of a Uniswap V2 pair after the event, one word each. */
export const SYNC_TOPIC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

/** Size of the data of a Sync event, in bytes. */
export const SYNC_BYTES = 64;

/** Length of a Sync event's data as hex text. */
const SYNC_TEXT = 2 + 2 * SYNC_BYTES;

interface SomeLog {
  topic_0: Hex | null;
  data: Hex;
}

/** Returns whether a log reports the reserves of a Uniswap V2 pair. */
export function isSync({ topic_0, data }: SomeLog): boolean {
  return topic_0 === SYNC_TOPIC && data.length === SYNC_TEXT;
}

/**
 * Sync(uint256,uint256) of Trident: the reserves of a pool after the event. In stable pools, they are amounts
 * of the tokens; in constant-product pools, they are shares of the BentoBox.
 */
export const TRIDENT_SYNC_TOPIC: Hex = "0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a";

/** Returns whether a log reports the reserves of a Trident pool. */
export function isTridentSync({ topic_0, data }: SomeLog): boolean {
  return topic_0 === TRIDENT_SYNC_TOPIC && data.length === SYNC_TEXT;
}
