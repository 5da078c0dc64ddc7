import { type Chain, cashOf } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";

/**
 * Returns the token whose price represents a pool in charts and in the screener: the first token that is
 * neither a stablecoin nor the wrapped native coin, otherwise the wrapped native coin, otherwise the first
 * stablecoin. Null if the pool has no known token.
 */
export function pricedToken(tokens: readonly Hex[], chain: Chain): Hex | null {
  const cash = cashOf(chain);
  const native = tokens.find((token) => cash.get(token) === "native");
  return tokens.find((token) => !cash.has(token)) ?? native ?? tokens[0] ?? null;
}
