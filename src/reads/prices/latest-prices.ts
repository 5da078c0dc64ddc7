import { answerExpression } from "../../engine-sql/column-types.ts";
import { join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { PricedTrade } from "../../serving/tokens/price-extremes.ts";
import type { TokenFacts } from "../../serving/tokens/token-facts.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { readSummary } from "./price-summary.ts";

/** A token's newest trade that has a price, and the token's names. */
export interface LatestPrice extends PricedTrade, Pick<TokenFacts, "tokenSymbol" | "tokenName"> {}

/** Reads the newest trade with a price of the type, for each token that has one. */
export async function readLatestPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
): Promise<Map<Hex, LatestPrice>> {
  const query = { tokens, priceType, extremes: ["closed"], select: LATEST } as const;
  const [trades, facts] = await Promise.all([
    readSummary<PricedTrade & { tokenAddress: Hex }>(snapshot, query),
    readTokenFacts(snapshot, tokens),
  ]);
  return new Map(
    trades.map(({ tokenAddress, ...trade }) => [
      tokenAddress,
      latestPrice(trade, facts.get(tokenAddress) ?? null),
    ]),
  );
}

/** @param facts null for a token about which nothing is stored */
export function latestPrice(trade: PricedTrade, facts: TokenFacts | null): LatestPrice {
  const { tradedAt, blockNumber, transactionHash, price, priceEth } = trade;
  const names = { tokenSymbol: facts?.tokenSymbol ?? null, tokenName: facts?.tokenName ?? null };
  return { tradedAt, blockNumber, transactionHash, price, priceEth, ...names };
}

const LATEST = join([
  sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`,
  sql`price`,
  sql`price_eth AS priceEth`,
  sql`${answerExpression("time", sql`traded_at`, "rest")} AS tradedAt`,
  sql`block_number AS blockNumber`,
  sql`${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash`,
]);
