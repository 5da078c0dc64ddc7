import type { Hex } from "../../lib/hex.ts";
import type { Erc20Transfer } from "../../schema/swap.ts";

/**
 * Returns the token of the transfers that qualify. Returns null if no transfer qualifies, or if transfers of
 * several tokens do.
 */
export function onlyToken(
  transfers: readonly Erc20Transfer[],
  qualifies: (transfer: Erc20Transfer) => boolean,
): Hex | null {
  const [token, ...others] = new Set(transfers.filter(qualifies).map((one) => one.token));
  return token === undefined || others.length > 0 ? null : token;
}
