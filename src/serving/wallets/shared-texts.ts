import type { Hex } from "../../lib/hex.ts";

/** Texts that are kept for sharing: 12 MB. Nearly all trades are of fewer tokens. */
const MAX_SHARED = 100_000;

const shared = new Map<Hex, Hex>();

/**
 * The same text for equal tokens, so that the tokens of many wallets take one text each instead of one for
 * each wallet. Starts again when it is full; texts in use stay.
 */
export function sharedText(token: Hex): Hex {
  const known = shared.get(token);
  if (known !== undefined) return known;
  if (shared.size === MAX_SHARED) shared.clear();
  shared.set(token, token);
  return token;
}
