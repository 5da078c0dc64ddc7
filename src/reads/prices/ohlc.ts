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
import { readSealedFirstTrade } from "./price-summary.ts";
import { readPricesInForce } from "./prices-in-force.ts";

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

/** A token's price history, in the order asked for; empty when it never traded. */
export async function readOhlc(snapshot: Snapshot, question: OhlcQuestion): Promise<Candle[]> {
  const { order, fill, openMethod } = question;
  const [firstTrade, early] = await Promise.all([
    readFirstTrade(snapshot, question),
    // Counted back from the newest candle, the window hardly depends on the first trade: nothing is waited for.
    order === "desc" ? readWindow(snapshot, question, candleWindow(question, 0)) : null,
  ]);
  const window = firstTrade === null ? null : candleWindow(question, firstTrade);
  if (window === null) return [];
  const { traded, previousClose } = early ?? (await readWindow(snapshot, question, window)) ?? NOTHING_TRADED;
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
  question: OhlcQuestion,
  window: CandleWindow | null,
): Promise<WindowTrades | null> {
  if (window === null) return null;
  const [traded, previousClose] = await Promise.all([
    readIntervals(snapshot, question, window),
    window.firstOpen > 0 ? readCloseBefore(snapshot, question, window.firstOpen) : null,
  ]);
  return { traded, previousClose };
}

/** When the first trade was, with or without a price. */
async function readFirstTrade(snapshot: Snapshot, question: OhlcQuestion): Promise<number | null> {
  const sealed = await readSealedFirstTrade(snapshot, question);
  if (sealed.first !== null) return sealed.first;
  const newer = sealed.upTo === null ? sql`1` : sql`trades.block_number > ${integer(sealed.upTo)}`;
  const [first] = await snapshot.query<{ first: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS first FROM ${tradesWith(snapshot, tradesOf(question))} AND ${newer}
      ORDER BY token_address, ${chainOrder(sql`ASC`)} LIMIT 1`,
  );
  return first?.first ?? null;
}

/** How far back a close is looked for at first: it reads next to nothing, and is enough for what is traded daily. */
const LATELY_SECONDS = DAY_SECONDS;

async function readCloseBefore(
  snapshot: Snapshot,
  question: OhlcQuestion,
  before: number,
): Promise<number | null> {
  const { token, pool, priceType } = question;
  const lately = { from: Math.max(0, before - LATELY_SECONDS), until: before - 1 };
  const close = await readLastPrice(snapshot, question, lately);
  if (close !== null || lately.from === 0) return close;
  if (pool !== "all") return readLastPrice(snapshot, question, { from: 0, until: lately.from - 1 });
  const prices = await readPricesInForce(snapshot, { tokens: [token], priceType, at: before - 1 });
  return prices.get(token) ?? null;
}

async function readLastPrice(
  snapshot: Snapshot,
  question: OhlcQuestion,
  span: { from: number; until: number },
): Promise<number | null> {
  const { priceType } = question;
  const trades = { ...tradesOf(question), ...span, priced: priceType };
  const [last] = await snapshot.query<{ price: number }>(
    sql`SELECT ${identifier(priceType)} AS price FROM ${tradesWith(snapshot, trades)}
      ORDER BY token_address DESC, ${chainOrder(sql`DESC`)} LIMIT 1`,
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
  const trades = { ...tradesOf(question), from: firstOpen, until: lastOpen + intervalSeconds - 1 };
  return snapshot.query(sql`SELECT ${select} FROM ${tradesWith(snapshot, trades)} GROUP BY timestampOpen`);
}

function tradesOf({ token, pool }: OhlcQuestion) {
  return { tokens: token, pools: pool === "all" ? pool : [pool] } as const;
}

function chainOrder(direction: Sql): Sql {
  return sql`timestamp ${direction}, record_index ${direction}`;
}
