import type { Hex } from "../lib/hex.ts";
import { isOpen } from "./pool-families.ts";

/** Tokens of a pool, in the pool's order; null for an unknown token. */
export type PoolTokens = readonly (Hex | null)[];

/** The tokens of a pool, and the tokens that swaps may exchange in their place. */
export interface TokensOfPool {
  token0: Hex;
  token1: Hex;
  /** All tokens, in the pool's order; null for an unknown token. */
  tokens: PoolTokens;
  /** Tokens that swaps may exchange in place of `tokens`. */
  underlying: PoolTokens;
}

interface TradingPool extends TokensOfPool {
  family: string;
}

/**
 * Returns the tokens that trades in a pool may have, without duplicates; null if they may have other tokens.
 */
export function tradedTokens({ family, token0, token1, tokens, underlying }: TradingPool): Hex[] | null {
  const all = [...tokens, ...underlying];
  if (isOpen(family) || all.includes(null)) return null;
  return [...new Set([token0, token1, ...all.filter((token) => token !== null)])];
}

/** Returns tokens as text, for `token_addresses` and `underlying_token_addresses` in `pool_metadata`. */
export function poolTokensText(tokens: PoolTokens): string {
  return tokens.map((token) => token ?? "").join(",");
}

/** Returns the tokens in a string from `poolTokensText`. */
export function poolTokens(text: string): PoolTokens {
  if (text === "") return [];
  return text.split(",").map((token) => (token === "" ? null : (token as Hex)));
}

/** Returns the known tokens in a string from `poolTokensText`. */
export function knownTokens(text: string): Hex[] {
  return poolTokens(text).filter((token) => token !== null);
}
