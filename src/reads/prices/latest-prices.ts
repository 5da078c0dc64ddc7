import { answerExpression } from "../../engine-sql/column-types.ts";
import { join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readTokenNames } from "../trades/token-names.ts";
import type { TradePrice } from "../trades/trade-price.ts";
import { readSummary } from "./price-summary.ts";

/** A token's newest trade that has a price. */
export interface LatestPrice {
  tokenAddress: Hex;
  tokenSymbol: string | null;
  tokenName: string | null;
  blockNumber: number;
  /** Unix seconds. */
  tradedAt: number;
  transactionHash: Hex;
  priceEth: number | null;
  priceUsd: number;
}

interface SummaryRow extends Omit<LatestPrice, "tokenSymbol" | "tokenName"> {}

/** The newest trade with a price of the type for each token that has one, in no particular order. */
export async function readLatestPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
): Promise<LatestPrice[]> {
  const [trades, names] = await Promise.all([
    readSummary<SummaryRow>(snapshot, { tokens, priceType, extremes: ["closed"], select: LATEST }),
    readTokenNames(snapshot, tokens),
  ]);
  return trades.map((trade) => ({ ...trade, ...(names.get(trade.tokenAddress) ?? NAMELESS) }));
}

const LATEST = join([
  sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`,
  sql`price AS priceUsd`,
  sql`price_eth AS priceEth`,
  sql`${answerExpression("time", sql`traded_at`, "rest")} AS tradedAt`,
  sql`block_number AS blockNumber`,
  sql`${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash`,
]);

const NAMELESS = { tokenSymbol: null, tokenName: null };
