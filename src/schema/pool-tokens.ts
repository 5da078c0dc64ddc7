import type { Hex } from "../lib/hex.ts";

/** All tokens of a pool, in its order; null for one that is not known. */
type PoolTokens = readonly (Hex | null)[];

/** The value of `pool_metadata.token_addresses`. */
export function poolTokensText(tokens: PoolTokens): string {
  return tokens.map((token) => token ?? "").join(",");
}

/** The tokens of a value of `pool_metadata.token_addresses`. */
export function poolTokens(text: string): PoolTokens {
  return text.split(",").map((token) => (token === "" ? null : (token as Hex)));
}
