import type { Hex } from "../lib/hex.ts";

/** Mask of a Uniswap V4 hook's permissions: the lowest 14 bits of its address (v4-core, `Hooks.sol`). */
const HOOK_FLAGS = 0x3fff;

/**
 * BEFORE_SWAP_RETURNS_DELTA (bit 3) and AFTER_SWAP_RETURNS_DELTA (bit 2). With either, the amounts that the
 * swapper pays and receives may differ from the amounts in the Swap event, which are the pool's. Without
 * them, a hook cannot change amounts.
 */
export const SWAP_DELTA_FLAGS = 0x0c;

/** Returns the permissions of a hook; 0 for the zero address, which means no hook. */
export function hookFlags(hooks: Hex): number {
  return Number.parseInt(hooks.slice(-4), 16) & HOOK_FLAGS;
}

/** Number of permissions, in Uniswap V4 as in PancakeSwap Infinity. */
const PERMISSIONS = 14;

/**
 * Returns the permissions of a hook of PancakeSwap Infinity as the flags of Uniswap V4. A pool's parameters
 * have the same permissions in reverse order, in their lowest bits (infinity-core, `ICLHooks.sol` and
 * `IBinHooks.sol`).
 */
export function infinityHookFlags(parameters: Hex): number {
  const bits = Number.parseInt(parameters.slice(-4), 16);
  return Array.from({ length: PERMISSIONS }, (_, bit) => (bits >> bit) & 1).reduce(
    (flags, isSet) => 2 * flags + isSet,
    0,
  );
}

/** Returns whether the flags permit a hook to change the amounts of swaps. */
export function mayChangeAmounts(flags: number | null): boolean {
  return ((flags ?? 0) & SWAP_DELTA_FLAGS) !== 0;
}
