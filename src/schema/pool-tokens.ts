import type { Hex } from "../lib/hex.ts";

/** Tokens of a pool, in its order; null for one that is not known. */
export type PoolTokens = readonly (Hex | null)[];

/** What identifies the tokens of a pool. */
export interface TokensOfPool {
  token0: Hex;
  token1: Hex;
  /** All tokens, in the pool's order; null for one that is not known. */
  tokens: PoolTokens;
  /** What swaps may exchange in place of the tokens. */
  underlying: PoolTokens;
}

/** The tokens that trades in a pool may have, without duplicates. */
export function tradedTokens({ token0, token1, tokens, underlying }: TokensOfPool): Hex[] {
  const known = [...tokens, ...underlying].filter((token) => token !== null);
  return [...new Set([token0, token1, ...known])];
}

/** The value of `token_addresses` and `underlying_token_addresses` in `pool_metadata`. */
export function poolTokensText(tokens: PoolTokens): string {
  return tokens.map((token) => token ?? "").join(",");
}

/** The tokens of such a value. */
export function poolTokens(text: string): PoolTokens {
  if (text === "") return [];
  return text.split(",").map((token) => (token === "" ? null : (token as Hex)));
}

/** The known tokens of such a value. */
export function knownTokens(text: string): Hex[] {
  return poolTokens(text).filter((token) => token !== null);
}
