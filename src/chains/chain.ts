import type { Hex } from "../lib/hex.ts";
import { isSingleton, type PoolFamily } from "../schema/swap.ts";

/** A DEX on a chain: one factory and what identifies the pools it creates. Forks differ only here. */
export interface Deployment {
  /** Protocol identifier, e.g. `uniswap_v2`. */
  protocol: string;
  family: PoolFamily;
  /** Of `uniswap-v4`: the PoolManager, which is a factory and holds all pools. */
  factory: Hex;
  /** Of `uniswap-v4`, a contract that tells the keys of pools: the PositionManager, through which most are used. */
  positionManager?: Hex;
  /** Address that CREATE2 counts as the creator, where it is not the factory (PancakeSwap V3). */
  deployer?: Hex;
  /** Hash of the pools' creation code; null where pools have no single one: then the factory is asked. */
  initCodeHash: Hex | null;
  /**
   * What a pool's address follows from besides its tokens, where that is not its fee: tick spacings (Aerodrome
   * Slipstream), or null alone for nothing (Algebra). Fees of such pools change, so that none is told.
   */
  keys?: (number | null)[];
  /** Swap fee in millionths, where the pool itself does not tell it (V2: 3000). */
  fee: number | null;
  /** Block of the factory's creation. */
  firstBlock: number;
}

/** When a block cannot be undone any more: the node's `finalized` tag, or so many blocks below the head. */
export type Finality = { kind: "tag" } | { kind: "depth"; blocks: number };

/** Nodes count the native coin of every EVM chain in wei: the EVM's amounts, and EIP-3085, leave no other choice. */
export const NATIVE_DECIMALS = 18;

/** What Quarry needs to know of a chain. Plain data: a configuration file can add or override one. */
export interface Chain {
  /** Name in the `chain` parameter and prefix of the SQL tables: lower-case letters and digits. */
  name: string;
  chainId: number;
  /** What the coin is called that fees are paid in. */
  nativeSymbol: string;
  wrappedNative: Hex;
  /** US-dollar stable coins, best first. Cash is these, then the wrapped native coin, in this order. */
  stableCoins: Hex[];
  /** Deep pools of the native or the wrapped native coin against stable coins; the reference price comes from them. */
  referencePools: Hex[];
  deployments: Deployment[];
  finality: Finality;
  /** Usual time between two blocks: how often the head is asked for. */
  blockTimeMs: number;
}

/** The contracts that hold all pools of a family. */
export function singletonsOf({ deployments }: Chain): Hex[] {
  return deployments.filter(({ family }) => isSingleton(family)).map(({ factory }) => factory);
}

export type CashKind = "stable" | "native";

/** What is paid with on a chain, best first: its stable coins, then its wrapped native coin. */
export function cashOf({ stableCoins, wrappedNative }: Chain): Map<Hex, CashKind> {
  return new Map([
    ...stableCoins.map((token): [Hex, CashKind] => [token, "stable"]),
    [wrappedNative, "native"],
  ]);
}
