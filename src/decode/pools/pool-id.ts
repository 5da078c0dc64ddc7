import { type Chain, singletonsOf } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { isSingleton, type PoolFamily } from "../../schema/swap.ts";

/**
 * What names the pool that a pool's event is about: the address of its contract; of a singleton, the id in the first
 * argument, null unless it is one that the chain lists.
 */
export function poolNamedIn(log: Log, family: PoolFamily, chain: Chain): Hex | null {
  if (!isSingleton(family)) return log.address;
  return singletonsOf(chain).includes(log.address) ? (log.topics[1] ?? null) : null;
}
