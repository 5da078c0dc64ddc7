import type { Hex } from "../../lib/hex.ts";
import type { PriceChange } from "../prices/price-changes.ts";

/** The facts that a list shows about a token, in addition to its trades. */
export interface TokenListing {
  symbol: string | null;
  name: string | null;
  /** Time of the block in which the token was first seen, unix seconds; null if that block is not indexed. */
  createdAt: number | null;
  /** As in the column `spam_reasons`. */
  spamReasons: string | null;
}

/** The facts that a list shows about a pool, in addition to its trades. */
export interface PoolListing {
  protocol: string;
  /** Millionths; null if the pool's fee is not fixed. */
  fee: number | null;
  /** The known tokens, in the pool's order. */
  tokens: readonly Hex[];
  /** Unix seconds; null for a pool created before the first indexed block. */
  createdAt: number | null;
}

/** The facts that a list needs about its candidates; null where unknown. */
export interface ScreenFacts {
  token(token: Hex): TokenListing | null;
  pool(pool: Hex): PoolListing | null;
  /** Robust prices at both ends of the window. */
  change(token: Hex): PriceChange | null;
  /** USD value of all tokens of a pool. */
  liquidityUsd(pool: Hex): number | null;
}
