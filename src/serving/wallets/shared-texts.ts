import type { Hex } from "../../lib/hex.ts";

/**
 * Maximum number of shared strings, which take 12 MB. Fewer distinct tokens account for nearly all trades.
 */
const MAX_SHARED = 100_000;

const shared = new Map<Hex, Hex>();

/**
 * Returns the same string for equal tokens, so that many wallets share one string per token. The map is
 * cleared when it is full; strings in use stay valid.
 */
export function sharedText(token: Hex): Hex {
  const known = shared.get(token);
  if (known !== undefined) return known;
  if (shared.size === MAX_SHARED) shared.clear();
  shared.set(token, token);
  return token;
}
