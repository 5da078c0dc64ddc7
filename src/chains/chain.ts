import type { Hex } from "../lib/hex.ts";
import type { PoolFamily } from "../schema/pool-families.ts";

/** How pools denote the native coin that they hold themselves. */
export const NATIVE_COIN: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** A pool and its tokens, known from published lists. */
export interface ListedPool {
  address: Hex;
  /** All of them, in the pool's order; 0xeeee… is the native coin, which the pool holds itself. */
  tokens: readonly Hex[];
  /** What swaps may exchange in place of the tokens, in the order of the pool's events (Curve). */
  underlying?: readonly Hex[];
  /** The token of the pool's shares, if other pools exchange it. */
  shares?: Hex;
}

/** A DEX on a chain: one factory and what identifies the pools it creates. Forks differ only here. */
export interface Deployment {
  /** Protocol identifier, e.g. `uniswap_v2`. */
  protocol: string;
  family: PoolFamily;
  /**
   * For pools in a singleton: the singleton itself (the PoolManager, the Core). For a market maker: its only
   * contract. For pools that no factory created: the registry that lists them.
   */
  factory: Hex;
  /** For `uniswap-v4` the PositionManager: most pools are used through it, and it returns their keys. */
  positionManager?: Hex;
  /**
   * The contract that holds the tokens of all pools, where it is neither the pool nor the factory: Balancer's
   * Vault, which also emits the pools' events, and Fluid's Liquidity layer.
   */
  vault?: Hex;
  /**
   * Number of contracts, from the first on, that the factory created by CREATE and whose addresses prove
   * them.
   */
  nonces?: number;
  /** Pools of the factory that are known from published lists: their addresses prove nothing. */
  pools?: readonly Hex[];
  /** The same, for pools whose tokens neither calls nor creation events show reliably (Curve). */
  listed?: readonly ListedPool[];
  /** Whether pools may hold the native coin itself where their tokens include the wrapped one. */
  holdsNative?: boolean;
  /** Address that CREATE2 counts as the creator, where it is not the factory (PancakeSwap V3). */
  deployer?: Hex;
  /**
   * Hash of the pools' creation code; null where pools differ in it: the factory must then confirm each pool.
   */
  initCodeHash: Hex | null;
  /**
   * The values that, together with the tokens, determine a pool's address if its present fee does not: tick
   * spacings (Aerodrome Slipstream), fees in another unit (KyberSwap Elastic), first fees (Retro), or only
   * null for none (Algebra). No fee is reported for such pools, because it differs or changes.
   */
  keys?: (number | null)[];
  /** Swap fee in millionths, where the pool itself does not report it (V2: 3000); null if pools differ. */
  fee: number | null;
  /** Block of the factory's creation; 0 if it is not known. For `uniswap-v4`, logs are read from there. */
  firstBlock: number;
}

/** When a block is final: by the node's `finalized` tag, or at a number of blocks below the head. */
export type Finality = { kind: "tag" } | { kind: "depth"; blocks: number };

/** Every EVM chain counts its native coin in wei: the EVM's amounts and EIP-3085 require it. */
export const NATIVE_DECIMALS = 18;

/** What Quarry needs to know about a chain. Plain data: a configuration file can add or override one. */
export interface Chain {
  /** Name in the `chain` parameter and prefix of the SQL tables: lower-case letters and digits. */
  name: string;
  chainId: number;
  /** Symbol of the coin that pays fees. */
  nativeSymbol: string;
  wrappedNative: Hex;
  /** US-dollar stable coins, best first. Cash is these, then the wrapped native coin, in this order. */
  stableCoins: Hex[];
  /**
   * Deep pools of the native or the wrapped native coin against stable coins; the reference price comes from
   * them.
   */
  referencePools: Hex[];
  deployments: Deployment[];
  finality: Finality;
  /** Usual time between two blocks. */
  blockTimeMs: number;
}

/** The contracts whose logs determine the balances of the pools inside them: Uniswap V4's PoolManager. */
export function singletonsOf({ deployments }: Chain): Hex[] {
  return deployments.filter(({ family }) => family === "uniswap-v4").map(({ factory }) => factory);
}

/**
 * Whether a pool holds, or may hold, the native coin itself in place of the wrapped one. Transfers do not
 * show which.
 */
export function mayHoldNative({ deployments }: Chain, pool: Hex, factory: Hex): boolean {
  const deployment = deployments.find((one) => one.factory === factory);
  const listed = deployment?.listed?.find(({ address }) => address === pool);
  return listed?.tokens.includes(NATIVE_COIN) ?? deployment?.holdsNative ?? false;
}

export type CashKind = "stable" | "native";

/** The coins that count as cash on a chain, best first: its stable coins, then its wrapped native coin. */
export function cashOf({ stableCoins, wrappedNative }: Chain): Map<Hex, CashKind> {
  return new Map([
    ...stableCoins.map((token): [Hex, CashKind] => [token, "stable"]),
    [wrappedNative, "native"],
  ]);
}
