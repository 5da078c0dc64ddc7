import type { Log } from "../../schema/block.ts";
import { addressOf, wordAt } from "../abi/abi.ts";
import type { AnnouncedPool } from "./swap-family.ts";

/**
 * Returns the pool that an event announces with its tokens as the second and third topics. Returns null if a
 * token or the pool is not a valid address.
 *
 * @param addressIndex word index of the pool's address
 * @param fee in millionths, or null if the event does not have it
 */
export function announcedPair(
  { topics, data }: Log,
  addressIndex: number,
  fee: number | null,
): AnnouncedPool | null {
  const token0 = addressOf(topics[1]);
  const token1 = addressOf(topics[2]);
  const address = addressOf(wordAt(data, addressIndex));
  return token0 && token1 && address && { address, token0, token1, fee };
}
