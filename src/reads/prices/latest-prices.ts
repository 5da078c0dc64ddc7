import { answerExpression } from "../../engine-sql/column-types.ts";
import { join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { PricedTrade } from "../../serving/tokens/price-extremes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readSummary } from "./price-summary.ts";

/** Reads each token's newest trade with a price of this type; tokens without such a trade are left out. */
export async function readLatestPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
): Promise<Map<Hex, PricedTrade>> {
  const query = { tokens, priceType, extremes: ["closed"], select: LATEST } as const;
  const trades = await readSummary<PricedTrade & { tokenAddress: Hex }>(snapshot, query);
  return new Map(trades.map(({ tokenAddress, ...trade }) => [tokenAddress, trade]));
}

const LATEST = join([
  sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`,
  sql`price`,
  sql`price_eth AS priceEth`,
  sql`${answerExpression("time", sql`traded_at`, "rest")} AS tradedAt`,
  sql`block_number AS blockNumber`,
  sql`${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash`,
]);
