/** Permissions of a Uniswap V4 hook, from the highest to the lowest flag (v4-core, `Hooks.sol`). */
const PERMISSIONS = [
  { name: "before initialize", meaning: "called before the pool is created" },
  { name: "after initialize", meaning: "called after the pool is created" },
  { name: "before add liquidity", meaning: "called before liquidity is added" },
  { name: "after add liquidity", meaning: "called after liquidity is added" },
  { name: "before remove liquidity", meaning: "called before liquidity is removed" },
  { name: "after remove liquidity", meaning: "called after liquidity is removed" },
  { name: "before swap", meaning: "called before each swap; may set its fee or reject it" },
  { name: "after swap", meaning: "called after each swap; may reject it" },
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

/**
 * The value stored for Ekubo extensions and Balancer V3 hooks, whose permissions are not stored. No hook of
 * another protocol has this flag alone, because the flag requires the permission "after swap".
 */
const NOT_STORED = 0x04;

/** Returns the permissions in a hook's flags, one for each of the 14 bits that is set; null if unknown. */
export function hookPermissions(flags: number): HookPermission[] | null {
  if (flags === NOT_STORED) return null;
  return PERMISSIONS.filter((_, i) => (flags & (1 << (PERMISSIONS.length - 1 - i))) !== 0);
}

/** The flags "before swap returns delta" and "after swap returns delta". */
const CHANGES_AMOUNTS = 0x0c;

/** Returns whether the amounts of a swap may differ from those in the pool's event. */
export function mayChangeAmounts(flags: number): boolean {
  return (flags & CHANGES_AMOUNTS) !== 0;
}

/** Explains what it means for trades that a hook may change amounts. */
export function amountsText(protocol: string): string {
  const change = "This hook may change what swappers pay and receive.";
  if (protocol.startsWith("pancakeswap_infinity")) return `${change} The amounts of trades are unknown.`;
  return `${change} The amounts of trades therefore come from the transfers in the same transaction, and are unknown if the transfers do not show them.`;
}
