/** Permissions of a Uniswap V4 hook, from the highest to the lowest flag (v4-core, `Hooks.sol`). */
const PERMISSIONS = [
  { name: "before initialize", meaning: "called before the pool is created" },
  { name: "after initialize", meaning: "called after the pool is created" },
  { name: "before add liquidity", meaning: "called before liquidity is added" },
  { name: "after add liquidity", meaning: "called after liquidity is added" },
  { name: "before remove liquidity", meaning: "called before liquidity is removed" },
  { name: "after remove liquidity", meaning: "called after liquidity is removed" },
  { name: "before swap", meaning: "called before each swap, may set its fee or refuse it" },
  { name: "after swap", meaning: "called after each swap, may refuse it" },
  { name: "before donate", meaning: "called before a donation" },
  { name: "after donate", meaning: "called after a donation" },
  { name: "before swap returns delta", meaning: "may change what the swapper pays and receives" },
  { name: "after swap returns delta", meaning: "may change what the swapper pays or receives" },
  { name: "after add liquidity returns delta", meaning: "may change what adding liquidity costs" },
  { name: "after remove liquidity returns delta", meaning: "may change what removing liquidity returns" },
] as const;

export interface HookPermission {
  name: string;
  meaning: string;
}

/** Returns the permissions of a hook. Each has one of 14 bits. */
export function hookPermissions(flags: number): HookPermission[] {
  return PERMISSIONS.filter((_, i) => (flags & (1 << (PERMISSIONS.length - 1 - i))) !== 0);
}

/** The flags "before swap returns delta" and "after swap returns delta". */
const CHANGES_AMOUNTS = 0x0c;

/** Checks whether the amounts of a swap may differ from those in the pool's event. */
export function mayChangeAmounts(flags: number): boolean {
  return (flags & CHANGES_AMOUNTS) !== 0;
}
