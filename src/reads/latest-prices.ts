import type { Hex } from "../lib/hex.ts";
import { hexBytesArray, identifier, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import { dexTrades } from "../schema/tables/dex-trades.ts";
import type { Snapshot } from "./snapshot.ts";
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

const DAY_SECONDS = 86_400;

/**
 * How far back the newest trade is looked for, one span after the other. Busy tokens are found in the short
 * span, so that their long histories are never read; those left for the last one have few trades.
 */
const SPANS_SECONDS = [DAY_SECONDS / 24, DAY_SECONDS, 30 * DAY_SECONDS, Number.POSITIVE_INFINITY];

/** The engine reads at most 256 KiB of SQL, and a token takes 41 bytes of it. */
const TOKENS_PER_QUERY = 5000;

/** The newest trade with a price of that type for each token that has one, in no particular order. */
export async function readLatestPrices(snapshot: Snapshot, question: LatestQuestion): Promise<LatestPrice[]> {
  const found: LatestPrice[] = [];
  for (let start = 0; start < question.tokens.length; start += TOKENS_PER_QUERY) {
    const tokens = question.tokens.slice(start, start + TOKENS_PER_QUERY);
    found.push(...(await readNewest(snapshot, { ...question, tokens })));
  }
  return found;
}

async function readNewest(snapshot: Snapshot, question: LatestQuestion): Promise<LatestPrice[]> {
  const found: LatestPrice[] = [];
  let missing = question.tokens;
  for (const span of SPANS_SECONDS) {
    if (missing.length === 0) break;
    const since = Math.max(0, snapshot.commit.timestamp - span);
    const prices = await readSince(snapshot, { ...question, tokens: missing, since });
    found.push(...prices);
    const known = new Set(prices.map((price) => price.tokenAddress));
    missing = missing.filter((token) => !known.has(token));
  }
  return found;
}

/** Finds the trades by their keys first: rows are wide, and only one a token is wanted. */
function readSince(snapshot: Snapshot, question: LatestQuestion & { since: number }): Promise<LatestPrice[]> {
  const price = identifier(question.priceType);
  const trades = snapshot.table("dex_trades");
  const known = sql`block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const newest = sql`SELECT token_address, max((timestamp, record_index)) AS place FROM ${trades} WHERE token_address IN (SELECT arrayJoin(${hexBytesArray(question.tokens, 20)})) AND timestamp >= toDateTime(${integer(question.since)}, 'UTC') AND ${known} AND ${price} IS NOT NULL GROUP BY token_address`;
  const keys = sql`SELECT token_address, tupleElement(place, 1), tupleElement(place, 2) FROM (${newest})`;
  return snapshot.query(
    sql`SELECT ${selectList(price)} FROM ${trades} WHERE (token_address, timestamp, record_index) IN (${keys}) AND ${known}`,
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
