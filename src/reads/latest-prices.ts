import type { Hex } from "../lib/hex.ts";
import { identifier, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import { dexTrades } from "../schema/tables/dex-trades.ts";
import { readNewest } from "./newest-trades.ts";
import type { Snapshot } from "./snapshot.ts";
import { tradesWith } from "./trade-conditions.ts";
import type { TradePrice } from "./trade-price.ts";

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

interface LatestQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
}

/** The newest trade with a price of that type for each token that has one, in no particular order. */
export function readLatestPrices(
  snapshot: Snapshot,
  { tokens, priceType }: LatestQuestion,
): Promise<LatestPrice[]> {
  return readNewest({
    tokens,
    until: snapshot.commit.timestamp,
    readSince: (missing, from) => readSince(snapshot, { tokens: missing, from, priced: priceType }),
  });
}

interface PricedTrades {
  tokens: readonly Hex[];
  from: number;
  priced: TradePrice;
}

/** Finds the trades by their keys first: rows are wide, and only one a token is wanted. */
function readSince(snapshot: Snapshot, trades: PricedTrades): Promise<LatestPrice[]> {
  const places = sql`SELECT token_address, (max(timestamp), max(record_index)) AS place FROM ${tradesWith(snapshot, trades)} GROUP BY token_address`;
  const keys = sql`SELECT token_address, tupleElement(place, 1), tupleElement(place, 2) FROM (${places})`;
  const known = sql`block_number <= ${integer(snapshot.commit.blockNumber)}`;
  return snapshot.query(
    sql`SELECT ${selectList(identifier(trades.priced))} FROM ${snapshot.table("dex_trades")} WHERE (token_address, timestamp, record_index) IN (${keys}) AND ${known}`,
  );
}

function selectList(price: Sql): Sql {
  const { token_address, transaction_hash, timestamp } = dexTrades.columns;
  return join([
    sql`${answerExpression(token_address.kind, sql`token_address`, "rest")} AS tokenAddress`,
    sql`token_symbol AS tokenSymbol`,
    sql`token_name AS tokenName`,
    sql`block_number AS blockNumber`,
    sql`${answerExpression(timestamp.kind, sql`timestamp`, "rest")} AS tradedAt`,
    sql`${answerExpression(transaction_hash.kind, sql`transaction_hash`, "rest")} AS transactionHash`,
    sql`price_token_eth AS priceEth`,
    sql`${price} AS priceUsd`,
  ]);
}
