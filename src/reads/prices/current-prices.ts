import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readPricesInForce } from "./prices-in-force.ts";

/**
 * Maximum number of tokens in a statement, which lists them in hex: 410 kB of the engine's limit of 4 MiB.
 */
const TOKENS_PER_QUERY = 10_000;

/** Reads the latest robust price of each token that has one, USD per token. */
export async function readCurrentPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, number>> {
  const prices = new Map<Hex, number>();
  for (const part of partsOf(tokens, TOKENS_PER_QUERY)) {
    const now = snapshot.commit.timestamp;
    const known = await readPricesInForce(snapshot, part, "price_token_usd_robust_tick_1", now);
    for (const [token, price] of known) prices.set(token, price);
  }
  return prices;
}
