import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, integer, join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { ExtremeTrades, PricedTrade } from "../../serving/tokens/price-extremes.ts";
import {
  extremePrices,
  HIGHEST_RANK,
  PRICE_EXTREMES,
  type PriceExtreme,
} from "../../storage/summaries/price-extremes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { ofTokens, TOKEN_LIST, withTokenList } from "../trades/trade-conditions.ts";
import { readSummary } from "./price-summary.ts";

/**
 * Reads the all-time prices, across all pools or in one, of each token that ever had a price of this type
 * there.
 */
export async function readAllTime(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  pool: Hex | "all",
  priceType: TradePrice,
): Promise<Map<Hex, ExtremeTrades>> {
  const trades = await (pool === "all"
    ? readSummary<ExtremeTrade>(snapshot, {
        tokens,
        priceType,
        extremes: PRICE_EXTREMES,
        select: EXTREME_TRADE,
      })
    : readPool(snapshot, tokens, pool, priceType));
  const found = new Map<Hex, FoundTrades>();
  for (const { extreme, tokenAddress, ...trade } of trades) {
    const known = found.get(tokenAddress) ?? {};
    known[extreme] = trade;
    found.set(tokenAddress, known);
  }
  return new Map([...found].flatMap(([token, known]) => (isWhole(known) ? [[token, known]] : [])));
}

function isWhole(known: FoundTrades): known is ExtremeTrades {
  return PRICE_EXTREMES.every((extreme) => known[extreme] !== undefined);
}

type FoundTrades = { [E in PriceExtreme]?: PricedTrade };

type ExtremeTrade = PricedTrade & { tokenAddress: Hex; extreme: PriceExtreme };

const EXTREME_TRADE = join([
  sql`extreme`,
  sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`,
  sql`${answerExpression("time", sql`traded_at`, "rest")} AS tradedAt`,
  sql`block_number AS blockNumber`,
  sql`${answerExpression("hash", sql`transaction_hash`, "rest")} AS transactionHash`,
  sql`price`,
  sql`price_eth AS priceEth`,
]);

/** Reads the trades of one pool; the summary has only prices across all pools. */
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
