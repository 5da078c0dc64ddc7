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

export function mayChangeAmounts(hooks: Hex): boolean {
  return (hookFlags(hooks) & SWAP_DELTA_FLAGS) !== 0;
}
