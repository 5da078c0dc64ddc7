import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, join, type Sql, sql, text, time } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { isTradePrice, type PriceType, type TradePrice } from "../../schema/trade-price.ts";
import { monthsTable } from "../../storage/tables/summary-tables.ts";
import { newestFirst, RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { ofTokens, TOKEN_LIST, tradesWith, withTokenList } from "../trades/trade-conditions.ts";
import { readSummary, requireCheckpoint } from "./price-summary.ts";

export interface TokenPrice {
  tokenAddress: Hex;
  price: number;
}

/** The columns of a TokenPrice. */
export const TOKEN_PRICE: Sql = sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress, price`;

/**
 * Reads the price of each token's last priced trade at or before a time, USD per token; tokens without a
 * price are left out.
 *
 * @param at unix seconds
 */
export async function readPricesInForce(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
  at: number,
): Promise<Map<Hex, number>> {
  if (at < 0 || tokens.length === 0) return new Map();
  const isNow = at >= snapshot.commit.timestamp;
  const prices = await (isNow
    ? readNewestPrices(snapshot, tokens, priceType)
    : readPricesAt(snapshot, tokens, priceType, at));
  return new Map(prices.map(({ tokenAddress, price }) => [tokenAddress, price]));
}

/** Like `readPricesInForce`, but for any price type. */
export async function readPriceTypeInForce(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: PriceType,
  at: number,
): Promise<Map<Hex, number>> {
  if (isTradePrice(priceType)) return readPricesInForce(snapshot, tokens, priceType, at);
  return readNewestTraded(snapshot, tokens, priceType, Math.min(at, snapshot.commit.timestamp));
}

/**
 * Like `readPriceTypeInForce`, but reads only trades. The newest periods before a time are searched first.
 *
 * @param until unix seconds
 */
export function readNewestTraded(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: PriceType,
  until: number,
): Promise<Map<Hex, number>> {
  return newestFirst(tokens, RECENT_SECONDS, async (left, period) => {
    const from = period === null ? 0 : Math.max(0, until - period);
    const trades = tradesWith(snapshot, { tokens: TOKEN_LIST, from, until, priced: priceType });
    const price = sql`argMax(assumeNotNull(${identifier(priceType)}), trades.record_index)`;
    const rows = await snapshot.query<TokenPrice>(sql`${withTokenList(left)} SELECT ${TOKEN_PRICE} FROM
      (SELECT token_address, ${price} AS price FROM ${trades} GROUP BY token_address)`);
    return new Map(rows.map((row) => [row.tokenAddress, row.price]));
  });
}

function readNewestPrices(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
): Promise<TokenPrice[]> {
  return readSummary(snapshot, { tokens, priceType, extremes: ["closed"], select: TOKEN_PRICE });
}

/**
 * Reads prices from the trades of the month that contains the time, up to the time. For tokens without a
 * price there, reads the last prices of earlier months.
 */
async function readPricesAt(
  snapshot: Snapshot,
  tokens: readonly Hex[],
  priceType: TradePrice,
  at: number,
): Promise<TokenPrice[]> {
  const checkpoint = await requireCheckpoint(snapshot);
  const price = identifier(priceType);
  const until = Math.min(at, snapshot.commit.timestamp);
  const monthStart = startOfMonth(until);
  const tradesOf = (from: number, to: number) =>
    sql`SELECT token_address, assumeNotNull(${price}) AS price, record_index
      FROM ${tradesWith(snapshot, { tokens: TOKEN_LIST, from, until: to, priced: priceType })}`;
  const parts =
    checkpoint.complete === null
      ? [tradesOf(0, until)]
      : [
          tradesOf(monthStart, until),
          sql`${tradesOf(0, Math.max(0, monthStart - 1))} AND trades.block_number > ${integer(checkpoint.complete)}`,
          sql`SELECT token_address, price, record_index FROM ${monthsTable(snapshot.chain.name)}
            WHERE price_type = ${text(priceType)} AND ${ofTokens(TOKEN_LIST)}
            AND month < toYYYYMM(${time(monthStart)})`,
        ];
  return snapshot.query<TokenPrice>(sql`${withTokenList(tokens)} SELECT ${TOKEN_PRICE} FROM
    (SELECT token_address, argMax(parts.price, parts.record_index) AS price
      FROM (${join(parts, " UNION ALL ")}) AS parts GROUP BY token_address)`);
}

/** Returns the start of the month that contains a time, in UTC, as the tables are partitioned. */
function startOfMonth(timestamp: number): number {
  const date = new Date(timestamp * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}
