import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { tradesWith } from "../trades/trade-conditions.ts";
import type { TradePrice } from "../trades/trade-price.ts";
import {
  type Candle,
  type CandleWindow,
  candleWindow,
  fillCandles,
  type OpenMethod,
  type TradedInterval,
} from "./candles.ts";
import { readSummarizedFirstTrade } from "./price-summary.ts";
import { readPricesInForce } from "./prices-in-force.ts";

export interface OhlcQuery {
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

/** A token's price history, in the requested order; empty when it was never traded. */
export async function readOhlc(snapshot: Snapshot, query: OhlcQuery): Promise<Candle[]> {
  const { order, fill, openMethod } = query;
  const [firstTrade, early] = await Promise.all([
    readFirstTrade(snapshot, query),
    // The window of the newest candles rarely depends on the first trade, so both are read at the same time.
    order === "desc" ? readWindow(snapshot, query, candleWindow(query, 0)) : null,
  ]);
  const window = firstTrade === null ? null : candleWindow(query, firstTrade);
  if (window === null) return [];
  const { traded, previousClose } = early ?? (await readWindow(snapshot, query, window)) ?? NOTHING_TRADED;
  const candles = fillCandles(window, traded, { previousClose, fill, openMethod });
  return order === "asc" ? candles : candles.reverse();
}

interface WindowTrades {
  traded: TradedInterval[];
  previousClose: number | null;
}

const NOTHING_TRADED: WindowTrades = { traded: [], previousClose: null };

async function readWindow(
  snapshot: Snapshot,
  query: OhlcQuery,
  window: CandleWindow | null,
): Promise<WindowTrades | null> {
  if (window === null) return null;
  const [traded, previousClose] = await Promise.all([
    readIntervals(snapshot, query, window),
    window.firstOpen > 0 ? readCloseBefore(snapshot, query, window.firstOpen) : null,
  ]);
  return { traded, previousClose };
}

/** Time of the first trade, with or without a price. */
async function readFirstTrade(snapshot: Snapshot, query: OhlcQuery): Promise<number | null> {
  const { token, pool } = query;
  const summarized = await readSummarizedFirstTrade(snapshot, token, pool);
  if (summarized.first !== null) return summarized.first;
  const newer = summarized.upTo === null ? sql`1` : sql`trades.block_number > ${integer(summarized.upTo)}`;
  const [first] = await snapshot.query<{ first: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS first FROM ${tradesWith(snapshot, tradesOf(query))} AND ${newer}
      ORDER BY token_address, ${chainOrder(sql`ASC`)} LIMIT 1`,
  );
  return first?.first ?? null;
}

/**
 * The search for a close starts with this period, which takes few reads and is enough for tokens traded
 * daily.
 */
const RECENT_CLOSE_SECONDS = DAY_SECONDS;

async function readCloseBefore(snapshot: Snapshot, query: OhlcQuery, before: number): Promise<number | null> {
  const { token, pool, priceType } = query;
  const recent = { from: Math.max(0, before - RECENT_CLOSE_SECONDS), until: before - 1 };
  const close = await readLastPrice(snapshot, query, recent);
  if (close !== null || recent.from === 0) return close;
  if (pool !== "all") return readLastPrice(snapshot, query, { from: 0, until: recent.from - 1 });
  const prices = await readPricesInForce(snapshot, [token], priceType, before - 1);
  return prices.get(token) ?? null;
}

async function readLastPrice(
  snapshot: Snapshot,
  query: OhlcQuery,
  span: { from: number; until: number },
): Promise<number | null> {
  const { priceType } = query;
  const trades = { ...tradesOf(query), ...span, priced: priceType };
  const [last] = await snapshot.query<{ price: number }>(
    sql`SELECT ${identifier(priceType)} AS price FROM ${tradesWith(snapshot, trades)}
      ORDER BY token_address DESC, ${chainOrder(sql`DESC`)} LIMIT 1`,
  );
  return last?.price ?? null;
}

/** Sums are compensated (Kahan), so that they do not depend on how the engine parallelizes the query. */
function readIntervals(
  snapshot: Snapshot,
  query: OhlcQuery,
  { intervalSeconds, firstOpen, lastOpen }: CandleWindow,
): Promise<TradedInterval[]> {
  const price = identifier(query.priceType);
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
  const trades = { ...tradesOf(query), from: firstOpen, until: lastOpen + intervalSeconds - 1 };
  return snapshot.query(sql`SELECT ${select} FROM ${tradesWith(snapshot, trades)} GROUP BY timestampOpen`);
}

function tradesOf({ token, pool }: OhlcQuery) {
  return { tokens: token, pools: pool === "all" ? pool : [pool] } as const;
}

function chainOrder(direction: Sql): Sql {
  return sql`timestamp ${direction}, record_index ${direction}`;
}
