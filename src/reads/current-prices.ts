import type { Hex } from "../lib/hex.ts";
import { sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import { readSummary } from "./price-summary.ts";
import type { Snapshot } from "./snapshot.ts";

/** A statement lists its tokens twice, in hex: 830 kB of the engine's 4 MiB. */
const TOKENS_PER_QUERY = 10_000;

/** The latest robust price of each token that has one, USD per token. */
export async function readCurrentPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, number>> {
  const prices = new Map<Hex, number>();
  for (let from = 0; from < tokens.length; from += TOKENS_PER_QUERY) {
    const rows = await readSummary<{ token: Hex; price: number }>(snapshot, {
      tokens: tokens.slice(from, from + TOKENS_PER_QUERY),
      priceType: "price_token_usd_robust_tick_1",
      extremes: ["closed"],
      select: sql`${answerExpression("address", sql`token_address`, "rest")} AS token, price`,
    });
    for (const { token, price } of rows) prices.set(token, price);
  }
  return prices;
}
