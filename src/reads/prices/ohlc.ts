import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import type { IntervalTrades, Series } from "../../serving/candles/candle-chunk.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { tradesWith } from "../trades/trade-conditions.ts";
import {
  type Candle,
  type CandleWindow,
  candleWindow,
  fillCandles,
  type OpenMethod,
  type TradedInterval,
} from "./candles.ts";
import { printVolumeUnits, volumeOf } from "./exact-volume.ts";
import { readFirstPricedOfToken, readSummarizedFirstTrade } from "./price-summary.ts";
import { readPricesInForce } from "./prices-in-force.ts";

export interface OhlcQuery extends Series {
  /** Bounds of the candles' starts, inclusive, unix seconds. */
  from: number;
  until: number;
  maxSize: number;
  order: "asc" | "desc";
  fill: boolean;
  openMethod: OpenMethod;
  /** Whether volume and number of trades exclude wash trades. Default: false. */
  excludeWash?: boolean;
}

/**
 * Reads a token's price history, in the requested order. It begins at the first trade; with `fill`, at the
 * first trade that has a price of the requested type.
 */
export async function readOhlc(snapshot: Snapshot, query: OhlcQuery): Promise<Candle[]> {
  const { order } = query;
  const [first, early] = await Promise.all([
    readFirst(snapshot, query),
    // The window of the newest candles rarely depends on the first trade, so both are read at the same time.
    order === "desc" ? readWindow(snapshot, query, candleWindow(query, 0)) : null,
  ]);
  const window = first === null ? null : candleWindow(query, first);
  if (window === null) return [];
  return candlesOf(window, early ?? (await readWindow(snapshot, query, window)) ?? NOTHING_TRADED, query);
}

/** The trades of a window, and the last price before it. */
export interface WindowTrades {
  traded: TradedInterval[];
  previousClose: number | null;
}

/** Returns the candles of a window, in the requested order. */
export function candlesOf(
  window: CandleWindow,
  { traded, previousClose }: WindowTrades,
  { order, fill, openMethod }: OhlcQuery,
): Candle[] {
  const candles = fillCandles(window, traded, { previousClose, fill, openMethod });
  return order === "asc" ? candles : candles.reverse();
}

const NOTHING_TRADED: WindowTrades = { traded: [], previousClose: null };

async function readWindow(
  snapshot: Snapshot,
  query: OhlcQuery,
  window: CandleWindow | null,
): Promise<WindowTrades | null> {
  if (window === null) return null;
  const span = { from: window.firstOpen, until: window.lastOpen + window.intervalSeconds - 1 };
  const [intervals, honest, previousClose] = await Promise.all([
    readIntervals(snapshot, query, span),
    query.excludeWash ? readHonestVolumes(snapshot, query, span) : null,
    window.firstOpen > 0 ? readCloseBefore(snapshot, query, window.firstOpen) : null,
  ]);
  const counted =
    honest === null
      ? intervals
      : intervals.map((interval) => ({ ...interval, ...(honest.get(interval.timestampOpen) ?? NO_VOLUME) }));
  return { traded: counted.map(tradedInterval), previousClose };
}

export function tradedInterval({ volumeUnits, ...interval }: IntervalTrades): TradedInterval {
  return { ...interval, volumeUsd: volumeOf(volumeUnits) };
}

/** Reads the time before which there is no candle; null if there is no candle at all. */
function readFirst(snapshot: Snapshot, query: OhlcQuery): Promise<number | null> {
  if (!query.fill) return readFirstTrade(snapshot, query);
  // With `fill`, candles before the first price are left out anyway, so the time of that price is needed only
  // in ascending order.
  return query.order === "desc" ? Promise.resolve(0) : readFirstPriced(snapshot, query);
}

/** Reads the time of the first trade of a series that has a price of the series' type. */
export async function readFirstPriced(
  snapshot: Snapshot,
  query: Omit<Series, "intervalSeconds">,
): Promise<number | null> {
  const { token, pool, priceType } = query;
  if (pool === "all") return readFirstPricedOfToken(snapshot, token, priceType);
  const from = await readFirstTrade(snapshot, query);
  if (from === null) return null;
  const trades = tradesWith(snapshot, { ...tradesOf(query), from, priced: priceType });
  return readEarliest(snapshot, trades);
}

/** Reads the time of a token's first trade, in one pool or in all pools, with or without a price. */
export async function readFirstTrade(
  snapshot: Snapshot,
  query: Pick<Series, "token" | "pool">,
): Promise<number | null> {
  const { token, pool } = query;
  const summarized = await readSummarizedFirstTrade(snapshot, token, pool);
  if (summarized.first !== null) return summarized.first;
  const newer = summarized.upTo === null ? sql`1` : sql`trades.block_number > ${integer(summarized.upTo)}`;
  return readEarliest(snapshot, sql`${tradesWith(snapshot, tradesOf(query))} AND ${newer}`);
}

async function readEarliest(snapshot: Snapshot, trades: Sql): Promise<number | null> {
  const [first] = await snapshot.query<{ at: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS at FROM ${trades}
      ORDER BY token_address, ${chainOrder(sql`ASC`)} LIMIT 1`,
  );
  return first?.at ?? null;
}

/**
 * Length of the first period in which a close is searched for. Searching it takes few reads, and finds the
 * close of every token that is traded daily.
 */
const RECENT_CLOSE_SECONDS = DAY_SECONDS;

/** Reads the last price of a series before a time; null if there is none. */
export async function readCloseBefore(
  snapshot: Snapshot,
  query: Series,
  before: number,
): Promise<number | null> {
  const { token, pool, priceType } = query;
  const recent = { from: Math.max(0, before - RECENT_CLOSE_SECONDS), until: before - 1 };
  const close = await readLastPrice(snapshot, query, recent);
  if (close !== null || recent.from === 0) return close;
  if (pool !== "all") return readLastPrice(snapshot, query, { from: 0, until: recent.from - 1 });
  const prices = await readPricesInForce(snapshot, [token], priceType, before - 1);
  return prices.get(token) ?? null;
}

async function readLastPrice(snapshot: Snapshot, query: Series, span: Span): Promise<number | null> {
  const { priceType } = query;
  const trades = { ...tradesOf(query), ...span, priced: priceType };
  const [last] = await snapshot.query<{ price: number }>(
    sql`SELECT ${identifier(priceType)} AS price FROM ${tradesWith(snapshot, trades)}
      ORDER BY token_address DESC, ${chainOrder(sql`DESC`)} LIMIT 1`,
  );
  return last?.price ?? null;
}

/**
 * Reads the intervals of a series that have trades in a span, in ascending order.
 *
 * @param newest maximum number of intervals, of which the newest are kept; default: all
 */
export async function readIntervals(
  snapshot: Snapshot,
  query: Series,
  span: Span,
  newest?: number,
): Promise<IntervalTrades[]> {
  const price = identifier(query.priceType);
  const select = join([
    intervalStartAt(query),
    sql`argMin(${price}, record_index) AS first`,
    sql`argMax(${price}, record_index) AS last`,
    sql`max(${price}) AS high`,
    sql`min(${price}) AS low`,
    VOLUME,
  ]);
  const rows = await snapshot.query<Omit<IntervalTrades, "volumeUnits"> & { volumeUnits: string }>(
    sql`SELECT ${select} FROM ${tradesWith(snapshot, { ...tradesOf(query), ...span })}
      GROUP BY timestampOpen ORDER BY timestampOpen DESC ${newest === undefined ? sql`` : sql`LIMIT ${integer(newest)}`}`,
  );
  return rows.reverse().map((row) => ({ ...row, volumeUnits: BigInt(row.volumeUnits) }));
}

type Volume = Pick<IntervalTrades, "volumeUnits" | "numTrades">;

const NO_VOLUME: Volume = { volumeUnits: 0n, numTrades: 0 };

/**
 * Reads the volume of each interval without its wash trades; intervals with only wash trades are left out.
 */
async function readHonestVolumes(
  snapshot: Snapshot,
  query: Series,
  span: Span,
): Promise<Map<number, Volume>> {
  const rows = await snapshot.query<{ timestampOpen: number; volumeUnits: string; numTrades: number }>(
    sql`SELECT ${intervalStartAt(query)}, ${VOLUME}
      FROM ${tradesWith(snapshot, { ...tradesOf(query), ...span, excludeWash: true })} GROUP BY timestampOpen`,
  );
  return new Map(
    rows.map(({ timestampOpen, volumeUnits, numTrades }) => [
      timestampOpen,
      { volumeUnits: BigInt(volumeUnits), numTrades },
    ]),
  );
}

const VOLUME = sql`${printVolumeUnits(sql`amount_usd`)} AS volumeUnits, count() AS numTrades`;

function intervalStartAt({ intervalSeconds }: Pick<Series, "intervalSeconds">): Sql {
  const seconds = integer(intervalSeconds);
  return sql`intDiv(toUnixTimestamp(timestamp), ${seconds}) * ${seconds} AS timestampOpen`;
}

/** Bounds of trades' times, inclusive, unix seconds. */
interface Span {
  from: number;
  until: number;
}

function tradesOf({ token, pool }: Pick<Series, "token" | "pool">) {
  return { tokens: token, pools: pool === "all" ? pool : [pool] } as const;
}

function chainOrder(direction: Sql): Sql {
  return sql`timestamp ${direction}, record_index ${direction}`;
}
