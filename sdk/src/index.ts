import { type AllTimePrices, type AllTimePricesParams, allTimePrices } from "./calls/all-time-prices.ts";
import { type CandlePagesParams, candlePages } from "./calls/candle-pages.ts";
import { type LatestPrices, type LatestPricesParams, latestPrices } from "./calls/latest-prices.ts";
import { type Ohlc, type OhlcParams, ohlc } from "./calls/ohlc.ts";
import { type Operations, operations } from "./calls/operations.ts";
import {
  type PoolTvlHistory,
  type PoolTvlHistoryParams,
  type PoolTvlParams,
  type PoolTvls,
  poolTvlHistory,
  poolTvls,
} from "./calls/pool-tvl.ts";
import { type PriceChanges, type PriceChangesParams, priceChanges } from "./calls/price-changes.ts";
import { type ScreenerList, type ScreenerParams, screener } from "./calls/screener.ts";
import { type SearchParams, type SearchResults, search } from "./calls/search.ts";
import {
  type SqlBytes,
  type SqlBytesOptions,
  type SqlFormat,
  type SqlRows,
  type SqlSchema,
  type SqlStream,
  type SqlValue,
  sql,
  sqlBytes,
  sqlSchema,
  sqlStream,
} from "./calls/sql.ts";
import { type Readiness, ready, type Status, status } from "./calls/status.ts";
import type { StreamFrame } from "./calls/stream/frames.ts";
import { type StreamOptions, type StreamParams, stream } from "./calls/stream/stream.ts";
import type { StreamData, StreamSubscription } from "./calls/stream/subscriptions.ts";
import {
  type FollowOptions,
  type FollowParams,
  followTicks,
  type TickEvent,
} from "./calls/ticks/follow-ticks.ts";
import {
  type TickStream,
  type TickStreamOptions,
  type TickStreamParams,
  tickStream,
} from "./calls/ticks/tick-stream.ts";
import { type Ticks, type TicksParams, ticks } from "./calls/ticks/ticks.ts";
import {
  type TopRecords,
  type TopRecordsParams,
  type TopRecordsTable,
  topRecords,
} from "./calls/top-records.ts";
import { type KeyUsage, usage } from "./calls/usage.ts";
import {
  type WalletParams,
  type WalletPerformance,
  type WalletsParams,
  type WalletsPerformance,
  type WalletTokens,
  walletPerformance,
  walletsPerformance,
  walletTokens,
} from "./calls/wallets.ts";
import { type ClientOptions, connect } from "./connection/connection.ts";
import type { CallOptions } from "./connection/request.ts";

export type { AllTimePrice } from "./calls/all-time-prices.ts";
export type { LatestPrice } from "./calls/latest-prices.ts";
export type { Candle } from "./calls/ohlc.ts";
export type { SlowRequest } from "./calls/operations.ts";
export type { PoolTvl, PoolTvlPoint } from "./calls/pool-tvl.ts";
export type { PriceChange } from "./calls/price-changes.ts";
export type { ScreenedPool, ScreenedToken } from "./calls/screener.ts";
export type { FoundPool, FoundToken } from "./calls/search.ts";
export type { ChainStatus } from "./calls/status.ts";
export type { PoolRecord, StreamCandle, TokenRecord } from "./calls/stream/subscriptions.ts";
export type { Tick } from "./calls/ticks/tick-pages.ts";
export type { TokenTicks } from "./calls/ticks/ticks.ts";
export type { KeyUsage } from "./calls/usage.ts";
export type { TokenPerformance, WalletTotals } from "./calls/wallets.ts";
export type { AsOf, PartsAsOf } from "./connection/as-of.ts";
export type { ErrorCode, ServiceErrorCode, SqlMistake } from "./connection/quarry-error.ts";
export { QuarryError } from "./connection/quarry-error.ts";
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from "./webhooks/verify-webhook.ts";
export type {
  AllTimePrices,
  AllTimePricesParams,
  CallOptions,
  CandlePagesParams,
  ClientOptions,
  FollowOptions,
  FollowParams,
  LatestPrices,
  LatestPricesParams,
  Ohlc,
  OhlcParams,
  Operations,
  PoolTvlHistory,
  PoolTvlHistoryParams,
  PoolTvlParams,
  PoolTvls,
  PriceChanges,
  PriceChangesParams,
  Readiness,
  ScreenerList,
  ScreenerParams,
  SearchParams,
  SearchResults,
  SqlBytes,
  SqlFormat,
  SqlRows,
  SqlSchema,
  SqlStream,
  SqlValue,
  Status,
  StreamData,
  StreamFrame,
  StreamOptions,
  StreamParams,
  StreamSubscription,
  TickEvent,
  TickStream,
  TickStreamOptions,
  TickStreamParams,
  Ticks,
  TicksParams,
  TopRecords,
  TopRecordsParams,
  TopRecordsTable,
  WalletParams,
  WalletPerformance,
  WalletsParams,
  WalletsPerformance,
  WalletTokens,
};

/** Every method throws QuarryError, or the reason of its `signal` if the signal aborts. */
export interface Client {
  /** Returns candles of a token. */
  ohlc(params: OhlcParams, options?: CallOptions): Promise<Ohlc>;
  /**
   * Yields pages of candles, newest first, back to the first trade. Each page is as of the time of its
   * request. Candles later than `asOf` may still change, because their blocks are not indexed yet. If a reorg
   * removes the block of an earlier page, the loop throws a QuarryError (`chain-changed`).
   */
  candlePages(params: CandlePagesParams, options?: CallOptions): AsyncGenerator<Ohlc, void>;
  /**
   * Returns the prices of the newest trades for any number of tokens. Sends several requests if one response
   * cannot contain them.
   */
  ticks(params: TicksParams, options?: CallOptions): Promise<Ticks>;
  /**
   * Returns a stream that yields each tick once. All ticks are as of one block. The stream throws a
   * QuarryError (`chain-changed`) if a reorg removes this block.
   */
  tickStream(params: TickStreamParams, options?: TickStreamOptions): Promise<TickStream>;
  /**
   * Yields trades, transfers, prices, candles, pools, tokens and blocks as they are indexed. Begins with a
   * snapshot. Then yields one frame for each block, once and in order. If the connection is lost or the
   * service restarts, the client connects again and resumes. Ends when the caller leaves the loop, and throws
   * if `signal` aborts.
   */
  stream<const S extends StreamSubscription>(
    params: StreamParams<S>,
    options?: StreamOptions,
  ): AsyncGenerator<StreamFrame<StreamData<S>>, void>;
  /**
   * Yields each new tick once, as blocks are indexed, and rollbacks. Ends when the caller leaves the loop,
   * and throws if `signal` aborts.
   */
  followTicks(params: FollowParams, options?: FollowOptions): AsyncGenerator<TickEvent, void>;
  /** Returns the newest prices of any number of tokens. Requests more than 10,000 tokens in parts. */
  latestPrices(params: LatestPricesParams, options?: CallOptions): Promise<LatestPrices>;
  /**
   * Returns the first, highest, lowest and newest prices of all time for any number of tokens, with several
   * requests if needed.
   */
  allTimePrices(params: AllTimePricesParams, options?: CallOptions): Promise<AllTimePrices>;
  /** Returns the price changes of any number of tokens over a period, with several requests if needed. */
  priceChanges(params: PriceChangesParams, options?: CallOptions): Promise<PriceChanges>;
  /** Returns the balances and values of any number of pools, with several requests if needed. */
  poolTvls(params: PoolTvlParams, options?: CallOptions): Promise<PoolTvls>;
  /** Returns the balances and value of a pool at up to 1,000 points in time. */
  poolTvlHistory(params: PoolTvlHistoryParams, options?: CallOptions): Promise<PoolTvlHistory>;
  /** Finds tokens and pools by symbol, name, pair or start of the address, best match first. */
  search(params: SearchParams, options?: CallOptions): Promise<SearchResults>;
  /** Lists tokens or pools by volume, trades, traders, price change, liquidity or age. */
  screener(params: ScreenerParams, options?: CallOptions): Promise<ScreenerList>;
  /** Returns the profit of any number of wallets on DEXes, with several requests if needed. */
  walletsPerformance(params: WalletsParams, options?: CallOptions): Promise<WalletsPerformance>;
  /** Returns the profit of a wallet across all its tokens. */
  walletPerformance(params: WalletParams, options?: CallOptions): Promise<WalletPerformance>;
  /** Returns the profit of a wallet for each token. */
  walletTokens(params: WalletParams, options?: CallOptions): Promise<WalletTokens>;
  /** Returns the first records of any number of groups of a table, with several requests if needed. */
  topRecords<T extends TopRecordsTable>(
    table: T,
    params: TopRecordsParams<T>,
    options?: CallOptions,
  ): Promise<TopRecords<T>>;
  /**
   * Returns the rows of a SELECT, SHOW TABLES or DESCRIBE. `Row` is your type for a row. It is not checked.
   */
  sql<Row extends object = Record<string, SqlValue>>(
    query: string,
    options?: CallOptions,
  ): Promise<SqlRows<Row>>;
  /**
   * Returns the rows of a SELECT, SHOW TABLES or DESCRIBE one by one, for results that are too large for
   * memory. LIMIT may be as high as the service allows.
   */
  sqlStream<Row extends object = Record<string, SqlValue>>(
    query: string,
    options?: CallOptions,
  ): Promise<SqlStream<Row>>;
  /** Returns the rows of a query as a file, in chunks. */
  sqlBytes(query: string, format: SqlFormat, options?: SqlBytesOptions): Promise<SqlBytes>;
  /** Returns the tables with their columns, and the functions and keywords of the SQL dialect. */
  sqlSchema(options?: CallOptions): Promise<SqlSchema>;
  /** Returns how far each chain is indexed. */
  status(options?: CallOptions): Promise<Status>;
  /**
   * Returns the service's queues, memory, refusals and slow requests. Only for its operator: a key needs the
   * scope `operations`.
   */
  operations(options?: CallOptions): Promise<Operations>;
  /** Returns whether the service is ready, and if not, why. */
  ready(options?: CallOptions): Promise<Readiness>;
  /** Returns what the client's API key has used this month, and what it may use. */
  usage(options?: CallOptions): Promise<KeyUsage>;
}

/**
 * Creates a client of the Quarry service at `url`. The client keeps no connection open, so it does not need
 * to be closed.
 *
 * @throws QuarryError for an invalid option
 */
export function createClient(options: ClientOptions): Client {
  const connection = connect(options);
  return {
    ohlc: (params, call) => ohlc(connection, params, call),
    candlePages: (params, call) => candlePages(connection, params, call),
    ticks: (params, call) => ticks(connection, params, call),
    tickStream: (params, call) => tickStream(connection, params, call),
    stream: (params, call) => stream(connection, params, call),
    followTicks: (params, call) => followTicks(connection, params, call),
    latestPrices: (params, call) => latestPrices(connection, params, call),
    allTimePrices: (params, call) => allTimePrices(connection, params, call),
    priceChanges: (params, call) => priceChanges(connection, params, call),
    poolTvls: (params, call) => poolTvls(connection, params, call),
    poolTvlHistory: (params, call) => poolTvlHistory(connection, params, call),
    search: (params, call) => search(connection, params, call),
    screener: (params, call) => screener(connection, params, call),
    walletsPerformance: (params, call) => walletsPerformance(connection, params, call),
    walletPerformance: (params, call) => walletPerformance(connection, params, call),
    walletTokens: (params, call) => walletTokens(connection, params, call),
    topRecords: (table, body, call) => topRecords(connection, { table, body, ...call }),
    sql: (query, call) => sql(connection, query, call),
    sqlStream: (query, call) => sqlStream(connection, query, call),
    sqlBytes: (query, format, call) => sqlBytes(connection, { query, format }, call),
    sqlSchema: (call) => sqlSchema(connection, call),
    status: (call) => status(connection, call),
    operations: (call) => operations(connection, call),
    ready: (call) => ready(connection, call),
    usage: (call) => usage(connection, call),
  };
}
