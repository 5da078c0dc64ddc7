interface FamilyTraits {
  /**
   * What identifies a pool:
   *
   * - `contract`: its own contract, which emits its events
   * - `named`: its own contract, which another contract, the vault, names in the pool's events
   * - `key`: an id of 32 bytes, the hash of its key; all pools are inside one contract, their factory
   */
  identity: "contract" | "named" | "key";
  /** Whether the pool's own contract holds the pool's tokens. */
  holdsTokens: boolean;
  /**
   * Whether the pool's events omit part of the amounts, or round them. The amounts then come from the
   * transfers of the transaction, or are unknown. Default: false.
   */
  inexact?: true;
  /**
   * Whether swaps may exchange tokens that `pool_metadata` does not list: a market maker exchanges any
   * tokens, a buffer exchanges the tokens inside wrapped tokens, and a pool that is known only from a swap
   * may have more tokens than that swap. Default: false.
   */
  open?: true;
  /**
   * For a singleton whose logs, in `singleton_logs`, determine the prices and positions of its pools:
   *
   * - `always`: the table has had these logs from the start
   * - `marked`: it has them for blocks whose `logged_singletons` names the singleton
   */
  logged?: "always" | "marked";
}

/**
 * Families of pools. A family determines how a pool computes its price and reports its swaps; forks of a
 * protocol share its family.
 */
export const POOL_FAMILIES = {
  "uniswap-v2": { identity: "contract", holdsTokens: true },
  "uniswap-v3": { identity: "contract", holdsTokens: true },
  "uniswap-v4": { identity: "key", holdsTokens: false, logged: "always" },
  "balancer-v1": { identity: "contract", holdsTokens: true, open: true },
  "balancer-v2": { identity: "named", holdsTokens: false, open: true },
  "balancer-v3": { identity: "named", holdsTokens: false, open: true },
  "maverick-v1": { identity: "contract", holdsTokens: true },
  "maverick-v2": { identity: "contract", holdsTokens: true },
  "dodo-v1": { identity: "contract", holdsTokens: true },
  "dodo-v2": { identity: "contract", holdsTokens: true },
  ekubo: { identity: "key", holdsTokens: false },
  "pancake-infinity-cl": { identity: "key", holdsTokens: false, logged: "marked" },
  "pancake-infinity-bin": { identity: "key", holdsTokens: false },
  tessera: { identity: "contract", holdsTokens: false, open: true },
  elfomofi: { identity: "contract", holdsTokens: false, open: true },
  trident: { identity: "contract", holdsTokens: false },
  woofi: { identity: "contract", holdsTokens: true, open: true },
  solidly: { identity: "contract", holdsTokens: true },
  "curve-stable": { identity: "contract", holdsTokens: true },
  "curve-crypto": { identity: "contract", holdsTokens: true },
  fluid: { identity: "contract", holdsTokens: false },
  "fluid-dex-lite": { identity: "key", holdsTokens: false, inexact: true },
  "euler-swap-v1": { identity: "contract", holdsTokens: false, inexact: true },
  "euler-swap-v2": { identity: "contract", holdsTokens: false },
  "algebra-integral": { identity: "contract", holdsTokens: true },
  smardex: { identity: "contract", holdsTokens: true },
  metric: { identity: "contract", holdsTokens: true },
  "metric-v0": { identity: "contract", holdsTokens: true },
  saddle: { identity: "contract", holdsTokens: true },
  smoothy: { identity: "contract", holdsTokens: false },
} as const satisfies Record<string, FamilyTraits>;

export type PoolFamily = keyof typeof POOL_FAMILIES;

export const POOL_FAMILY_NAMES = Object.keys(POOL_FAMILIES) as [PoolFamily, ...PoolFamily[]];

/** Families whose swaps may have unknown amounts because their events are inexact. */
export const INEXACT_FAMILIES: readonly PoolFamily[] = POOL_FAMILY_NAMES.filter(
  (family) => "inexact" in POOL_FAMILIES[family],
);

const OPEN: ReadonlySet<string> = new Set(
  POOL_FAMILY_NAMES.filter((family) => "open" in POOL_FAMILIES[family]),
);

/** Returns whether swaps in a family's pools may exchange tokens that `pool_metadata` does not list. */
export function isOpen(family: string): boolean {
  return OPEN.has(family);
}

const LOGGED: ReadonlyMap<string, FamilyTraits["logged"]> = new Map(
  Object.entries<FamilyTraits>(POOL_FAMILIES).map(([family, { logged }]) => [family, logged]),
);

/** Returns whether `singleton_logs` has the logs of a family's singletons. */
export function isLogged(family: string): boolean {
  return LOGGED.get(family) !== undefined;
}

/** Returns whether blocks name the singletons of a family in `logged_singletons`. */
export function isMarked(family: string): boolean {
  return LOGGED.get(family) === "marked";
}

type FamilyWith<I extends FamilyTraits["identity"]> = {
  [F in PoolFamily]: (typeof POOL_FAMILIES)[F]["identity"] extends I ? F : never;
}[PoolFamily];

/** Families whose pools are all inside their factory, a singleton, and have ids instead of addresses. */
export type SingletonFamily = FamilyWith<"key">;

export function isSingleton(family: PoolFamily): family is SingletonFamily {
  return POOL_FAMILIES[family].identity === "key";
}
