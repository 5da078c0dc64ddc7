import type { Hex } from "../lib/hex.ts";
import type { PoolFamily } from "./pool-families.ts";
import type { Pool } from "./swap.ts";

/** Mask of a Uniswap V4 hook's permissions: the lowest 14 bits of its address (v4-core, `Hooks.sol`). */
const HOOK_FLAGS = 0x3fff;

/**
 * BEFORE_SWAP_RETURNS_DELTA (bit 3) and AFTER_SWAP_RETURNS_DELTA (bit 2). With either, the amounts that the
 * swapper pays and receives may differ from the amounts in the Swap event, which are the pool's. Without
 * them, a hook cannot change amounts.
 */
export const SWAP_DELTA_FLAGS = 0x0c;

/** AFTER_SWAP_RETURNS_DELTA (bit 2). */
const AFTER_SWAP_DELTA = 0x04;

/**
 * Families whose pools name a hook only if it may change the amounts of swaps, whatever its address is:
 * Balancer V3, and Ekubo, where any extension can do so.
 */
const CHANGING_HOOKS: readonly PoolFamily[] = ["balancer-v3", "ekubo"];

/** Returns the permissions of a Uniswap V4 hook; 0 for the zero address, which means no hook. */
export function hookFlags(hooks: Hex): number {
  return Number.parseInt(hooks.slice(-4), 16) & HOOK_FLAGS;
}

/** Returns the permissions of a pool's hook, as Uniswap V4 numbers them; null for a family without hooks. */
export function hookFlagsOf({ family, hooks }: Pick<Pool, "family" | "hooks">): number | null {
  if (hooks === null) return null;
  if (!CHANGING_HOOKS.includes(family)) return hookFlags(hooks);
  return BigInt(hooks) === 0n ? 0 : AFTER_SWAP_DELTA;
}

/** Returns whether the amounts of swaps in a pool may differ from those in its events. */
export function mayChangeAmounts(pool: Pick<Pool, "family" | "hooks">): boolean {
  return ((hookFlagsOf(pool) ?? 0) & SWAP_DELTA_FLAGS) !== 0;
}
