import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { POOL_FAMILIES, type PoolFamily } from "../../schema/pool-families.ts";
import { FAMILIES } from "./swap-families.ts";

/**
 * Contracts that emit the events of a family's pools, for families whose pools do not emit events themselves.
 */
export type Emitters = ReadonlyMap<PoolFamily, ReadonlySet<Hex>>;

export function emittersOf({ deployments }: Chain): Emitters {
  const emitters = new Map<PoolFamily, Set<Hex>>();
  for (const { family, factory, vault = factory } of deployments) {
    if (POOL_FAMILIES[family].identity === "contract") continue;
    emitters.set(family, (emitters.get(family) ?? new Set()).add(vault));
  }
  return emitters;
}

/**
 * Returns the address or id of the pool that a pool event belongs to. It is the address of the emitting
 * contract or, in a singleton or vault, the id or address that the event names. Returns null for a singleton
 * or vault that the chain does not list.
 */
export function poolIdOf(log: Log, family: PoolFamily, emitters: Emitters): Hex | null {
  if (POOL_FAMILIES[family].identity === "contract") return log.address;
  return emitters.get(family)?.has(log.address) ? (FAMILIES[family].poolIdOf?.(log) ?? null) : null;
}
