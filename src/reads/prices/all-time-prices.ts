import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, integer, join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import {
  extremePrices,
  HIGHEST_RANK,
  PRICE_EXTREMES,
  type PriceExtreme,
} from "../../storage/summaries/price-extremes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { ofTokens, TOKEN_LIST, withTokenList } from "../trades/trade-conditions.ts";
import type { TradePrice } from "../trades/trade-price.ts";
import { readSummary } from "./price-summary.ts";

/** A trade that has a price. */
export interface PricedTrade {
  tokenAddress: Hex;
  /** Unix seconds. */
  tradedAt: number;
  transactionHash: Hex;
  /** USD per token. */
  price: number;
}

/** A token's first, highest, lowest and newest priced trade; of equal prices the first. */
export interface AllTimePrices {
  open: PricedTrade;
  high: PricedTrade;
  low: PricedTrade;
  close: PricedTrade;
}

/** All-time prices of each token that ever had a price of the type. */
export async function readAllTime(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  pool: Hex | "all",
  priceType: TradePrice,
): Promise<Map<Hex, AllTimePrices>> {
  const trades = await (pool === "all"
    ? readSummary<ExtremeTrade>(snapshot, {
        tokens,
        priceType,
        extremes: PRICE_EXTREMES,
        select: EXTREME_TRADE,
      })
    : readPool(snapshot, tokens, pool, priceType));
  const found = new Map<Hex, Partial<Record<PriceExtreme, PricedTrade>>>();
  for (const { extreme, ...trade } of trades) {
    const known = found.get(trade.tokenAddress) ?? {};
    known[extreme] = trade;
    found.set(trade.tokenAddress, known);
  }
  return new Map(
    [...found].flatMap(([token, { opened, highest, lowest, closed }]) =>
      opened && highest && lowest && closed
        ? [[token, { open: opened, high: highest, low: lowest, close: closed }]]
        : [],
    ),
  );
}

type ExtremeTrade = PricedTrade & { extreme: PriceExtreme };

const EXTREME_TRADE = join([
  sql`extreme`,
  sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`,
  sql`${answerExpression("time", sql`traded_at`, "rest")} AS tradedAt`,
  sql`${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash`,
  sql`price`,
]);

/** Reads the trades of one pool; the summary covers only all pools together. */
function readPool(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  pool: Hex,
  priceType: TradePrice,
): Promise<ExtremeTrade[]> {
  const condition = sql`${ofTokens(TOKEN_LIST)} AND pool_address = ${hexBytes(pool)}
    AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const { name: chain } = snapshot.chain;
  const prices = extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition });
  return snapshot.query(
    sql`${withTokenList(tokens)} SELECT ${EXTREME_TRADE} FROM (${prices}) ${HIGHEST_RANK}`,
  );
}
