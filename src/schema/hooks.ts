import type { Hex } from "../lib/hex.ts";
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

/** BEFORE_SWAP_RETURNS_DELTA (bit 3). */
const BEFORE_SWAP_DELTA = 0x08;

/** Returns the permissions of a Uniswap V4 hook; 0 for the zero address, which means no hook. */
export function hookFlags(hooks: Hex): number {
  return Number.parseInt(hooks.slice(-4), 16) & HOOK_FLAGS;
}

/** Number of permissions, in Uniswap V4 as in PancakeSwap Infinity. */
const PERMISSIONS = 14;

/**
 * Returns the permissions of a PancakeSwap Infinity hook as the flags of Uniswap V4. A pool's parameters have
 * the same permissions in reverse order, in their lowest bits (infinity-core, `ICLHooks.sol` and
 * `IBinHooks.sol`).
 */
export function infinityHookFlags(parameters: Hex): number {
  const bits = Number.parseInt(parameters.slice(-4), 16);
  return Array.from({ length: PERMISSIONS }, (_, bit) => (bits >> bit) & 1).reduce(
    (flags, isSet) => 2 * flags + isSet,
    0,
  );
}

/**
 * Returns the permissions of a hook whose address does not show them: any hook except the zero address may
 * change the amounts of swaps. This applies to Ekubo, where any extension can do so, and to Balancer V3,
 * where `hooks` is the zero address unless the hook's configuration allows it.
 */
export function changingHookFlags(hooks: Hex): number {
  return BigInt(hooks) === 0n ? 0 : AFTER_SWAP_DELTA;
}

/** Returns whether the amounts of swaps in a pool may differ from those in its events. */
export function mayChangeAmounts({ hookFlags: flags }: Pick<Pool, "hookFlags">): boolean {
  return ((flags ?? 0) & SWAP_DELTA_FLAGS) !== 0;
}

/**
 * Returns whether the hook of a pool may fill swaps by itself. The pool then swaps nothing, and its event has
 * amounts of zero.
 */
export function mayFillSwaps({ hookFlags: flags }: Pick<Pool, "hookFlags">): boolean {
  return ((flags ?? 0) & BEFORE_SWAP_DELTA) !== 0;
}
