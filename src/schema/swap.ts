import type { Hex } from "../lib/hex.ts";
import type { PoolFamily } from "./pool-families.ts";

/** A genuine pool: one that a factory listed in chains/ created, or that is itself listed there. */
export interface Pool {
  /** Address of 20 bytes, or the 32-byte id of a singleton's pool (such as Uniswap V4). */
  address: Hex;
  family: PoolFamily;
  /** Protocol identifier of the deployment, e.g. `uniswap_v2`, `sushiswap_v2`. */
  protocol: string;
  factory: Hex;
  /** The pool's first two tokens. Here and in `tokens`, the wrapped native coin replaces the native coin. */
  token0: Hex;
  token1: Hex;
  /** All tokens, in the pool's order; null for an unknown token. */
  tokens: readonly (Hex | null)[];
  /**
   * Tokens that swaps may exchange in place of `tokens`, in the order of the pool's events: the tokens that
   * lending pools lend, and a metapool's coin and the tokens of its base pool (Curve). Empty for all other
   * pools.
   */
  underlying: readonly (Hex | null)[];
  /** Fee in millionths of the input amount (3000 = 0.3 %); null if the protocol does not fix it. */
  fee: number | null;
  /** The pool's hook; the zero address if it has none, null if it is unknown or the family has no hooks. */
  hooks: Hex | null;
  /** The hook's permissions, as the flags of Uniswap V4 (see hooks.ts); null if `hooks` is null. */
  hookFlags: number | null;
  /** Block and unix time of the creation; null if no creation event of the pool was indexed. */
  createdBlock: number | null;
  createdTimestamp: number | null;
}

/**
 * What a token contract reports about itself. A field is null if its call fails or returns no valid value.
 */
export interface Token {
  address: Hex;
  symbol: string | null;
  name: string | null;
  decimals: number | null;
}

/** An ERC-20 transfer. `value` is in base units. */
export interface Erc20Transfer {
  kind: "erc20";
  logIndex: number;
  token: Hex;
  from: Hex;
  to: Hex;
  value: bigint;
}

/** An ERC-721 transfer. */
export interface Erc721Transfer {
  kind: "erc721";
  logIndex: number;
  token: Hex;
  from: Hex;
  to: Hex;
  tokenId: bigint;
}

/**
 * Why the amounts of a swap are unknown: the pool's hook may change them, or its event is inexact and the
 * transfers of the transaction do not show the exact amounts.
 */
export type AmountsUnknown = "hook_may_change_amounts" | "event_is_inexact";

/** A swap in one pool, from the pool's perspective: positive amounts entered it, negative amounts left it. */
export interface Swap {
  kind: "swap";
  logIndex: number;
  pool: Pool;
  /** The two tokens exchanged. */
  token0: Hex;
  token1: Hex;
  /**
   * Base units of token0 and token1. If the amounts are unknown, these are 1 or -1 and show only the
   * directions.
   */
  amount0: bigint;
  amount1: bigint;
  /** Null if the amounts are known. */
  amountsUnknown: AmountsUnknown | null;
}

/** A pool's creation, announced by its factory. */
export interface PoolCreation {
  kind: "pool-creation";
  logIndex: number;
  pool: Pool;
}

/** The reserves of a V2 pair after the log. */
export interface ReserveSync {
  kind: "sync";
  logIndex: number;
  pool: Pool;
  reserve0: bigint;
  reserve1: bigint;
}

/**
 * Liquidity added to or removed from a pool, in base units; `collect` pays out the proceeds of burns and
 * fees.
 */
export interface LiquidityChange {
  kind: "mint" | "burn" | "collect";
  logIndex: number;
  pool: Pool;
  amount0: bigint;
  amount1: bigint;
}

export type DecodedEvent =
  | Erc20Transfer
  | Erc721Transfer
  | Swap
  | PoolCreation
  | ReserveSync
  | LiquidityChange;
