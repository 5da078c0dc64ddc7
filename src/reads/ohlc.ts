import type { Hex } from "../lib/hex.ts";
import { hexBytes, identifier, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import {
  type Candle,
  type CandleWindow,
  candleWindow,
  fillCandles,
  type OpenMethod,
  type TradedInterval,
} from "./candles.ts";
import type { Snapshot } from "./snapshot.ts";
import type { TradePrice } from "./trade-price.ts";

export interface OhlcQuestion {
  token: Hex;
  pool: Hex | "all";
  priceType: TradePrice;
  intervalSeconds: number;
  /** Bounds of the candles' starts, inclusive, unix seconds. */
  from: number;
  until: number;
  maxSize: number;
  order: "asc" | "desc";
  fill: boolean;
  openMethod: OpenMethod;
}

/** The engine's times end here (2106-02-07). */
const MAX_TIMESTAMP = 2 ** 32 - 1;

/** A token's price history, in the order asked for; empty when it never traded. */
export async function readOhlc(snapshot: Snapshot, question: OhlcQuestion): Promise<Candle[]> {
  const firstTrade = await readFirstTrade(snapshot, question);
  if (firstTrade === null) return [];
  const window = candleWindow(question, firstTrade);
  if (window === null) return [];
  const [traded, previousClose] = await Promise.all([
    readIntervals(snapshot, question, window),
    firstTrade < window.firstOpen ? readCloseBefore(snapshot, question, window.firstOpen) : null,
  ]);
  const { fill, openMethod } = question;
  const candles = fillCandles(window, traded, { previousClose, fill, openMethod });
  return question.order === "asc" ? candles : candles.reverse();
}

async function readFirstTrade(snapshot: Snapshot, question: OhlcQuestion): Promise<number | null> {
  const [first] = await snapshot.query<{ first: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS first FROM ${snapshot.table("dex_trades")} WHERE ${tradesOf(snapshot, question)} ORDER BY token_address, ${chainOrder(sql`ASC`)} LIMIT 1`,
  );
  return first?.first ?? null;
}

async function readCloseBefore(
  snapshot: Snapshot,
  question: OhlcQuestion,
  before: number,
): Promise<number | null> {
  const price = identifier(question.priceType);
  const [last] = await snapshot.query<{ price: number }>(
    sql`SELECT ${price} AS price FROM ${snapshot.table("dex_trades")} WHERE ${tradesOf(snapshot, question)} AND timestamp < ${time(before)} AND ${price} IS NOT NULL ORDER BY token_address DESC, ${chainOrder(sql`DESC`)} LIMIT 1`,
  );
  return last?.price ?? null;
}

/** Sums are compensated (Kahan), so that they do not depend on how the engine splits the work. */
function readIntervals(
  snapshot: Snapshot,
  question: OhlcQuestion,
  { intervalSeconds, firstOpen, lastOpen }: CandleWindow,
): Promise<TradedInterval[]> {
  const price = identifier(question.priceType);
  const seconds = integer(intervalSeconds);
  const select = join([
    sql`intDiv(toUnixTimestamp(timestamp), ${seconds}) * ${seconds} AS timestampOpen`,
    sql`argMin(${price}, record_index) AS first`,
    sql`argMax(${price}, record_index) AS last`,
    sql`max(${price}) AS high`,
    sql`min(${price}) AS low`,
    sql`ifNull(sumKahan(amount_usd), 0) AS volumeUsd`,
    sql`count() AS numTrades`,
  ]);
  const end = lastOpen + intervalSeconds - 1;
  return snapshot.query(
    sql`SELECT ${select} FROM ${snapshot.table("dex_trades")} WHERE ${tradesOf(snapshot, question)} AND timestamp >= ${time(firstOpen)} AND timestamp <= ${time(end)} GROUP BY timestampOpen`,
  );
}

function tradesOf({ commit }: Snapshot, { token, pool }: OhlcQuestion): Sql {
  const conditions = [
    sql`token_address = ${hexBytes(token)}`,
    sql`block_number <= ${integer(commit.blockNumber)}`,
  ];
  if (pool !== "all") conditions.push(sql`pool_address = ${hexBytes(pool)}`);
  return join(conditions, " AND ");
}

function chainOrder(direction: Sql): Sql {
  return sql`timestamp ${direction}, record_index ${direction}`;
}

function time(timestamp: number): Sql {
  return sql`toDateTime(${integer(Math.min(timestamp, MAX_TIMESTAMP))}, 'UTC')`;
}
