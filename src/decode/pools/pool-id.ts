import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { isSingleton, type PoolFamily } from "../../schema/swap.ts";

/**
 * What identifies the pool of a pool event: the address of the emitting contract or, in a singleton, the id
 * in the first argument. Null for a singleton that the chain does not list.
 */
export function poolIdOf(log: Log, family: PoolFamily, singletons: readonly Hex[]): Hex | null {
  if (!isSingleton(family)) return log.address;
  return singletons.includes(log.address) ? (log.topics[1] ?? null) : null;
}
