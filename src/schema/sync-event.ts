import type { Hex } from "../lib/hex.ts";

/** Sync(uint112,uint112): the reserves of a Uniswap V2 pair after the event, one word each. */
export const SYNC_TOPIC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

/** Size of the data of a Sync event, in bytes. */
export const SYNC_BYTES = 64;

/** Length of a Sync event's data as hex text. */
const SYNC_TEXT = 2 + 2 * SYNC_BYTES;

/** Returns whether a log reports the reserves of a Uniswap V2 pair. */
export function isSync({ topic_0, data }: { topic_0: Hex | null; data: Hex }): boolean {
  return topic_0 === SYNC_TOPIC && data.length === SYNC_TEXT;
}
