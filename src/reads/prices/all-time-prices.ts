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
import { ASKED, askedTokens, ofTokens } from "../trades/trade-conditions.ts";
import type { TradePrice } from "../trades/trade-price.ts";
import { readSummary } from "./price-summary.ts";

/** A trade that stands out in the history of its token. */
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

interface AllTimeQuestion {
  tokens: readonly Hex[];
  pool: Hex | "all";
  priceType: TradePrice;
}

/** For each token that ever had a price of that type. */
export async function readAllTime(
  snapshot: Snapshot,
  question: AllTimeQuestion,
): Promise<Map<Hex, AllTimePrices>> {
  const trades = await (question.pool === "all"
    ? readSummary<ExtremeTrade>(snapshot, { ...question, extremes: PRICE_EXTREMES, select: EXTREME_TRADE })
    : readPool(snapshot, { ...question, pool: question.pool }));
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

/** The prices of one pool, out of its trades. */
function readPool(
  snapshot: Snapshot,
  { tokens, pool, priceType }: AllTimeQuestion & { pool: Hex },
): Promise<ExtremeTrade[]> {
  const condition = sql`${ofTokens(ASKED)} AND pool_address = ${hexBytes(pool)}
    AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const question = { chain: snapshot.chain.name, priceType, extremes: PRICE_EXTREMES, condition };
  return snapshot.query(
    sql`${askedTokens(tokens)} SELECT ${EXTREME_TRADE} FROM (${extremePrices(question)}) ${HIGHEST_RANK}`,
  );
}
