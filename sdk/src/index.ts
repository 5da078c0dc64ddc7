import { type AllTimePrices, type AllTimePricesQuestion, allTimePrices } from "./calls/all-time-prices.ts";
import { type CandlePagesQuestion, candlePages } from "./calls/candle-pages.ts";
import {
  type FollowOptions,
  type FollowQuestion,
  followTicks,
  type TickEvent,
} from "./calls/follow-ticks.ts";
import { type LatestPrices, type LatestPricesQuestion, latestPrices } from "./calls/latest-prices.ts";
import { type Ohlc, type OhlcQuestion, ohlc } from "./calls/ohlc.ts";
import { type PoolTvlQuestion, type PoolTvls, poolTvls } from "./calls/pool-tvl.ts";
import { type PriceChanges, type PriceChangesQuestion, priceChanges } from "./calls/price-changes.ts";
import {
  type SqlBytes,
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
import {
  type TickStream,
  type TickStreamOptions,
  type TickStreamQuestion,
  tickStream,
} from "./calls/tick-stream.ts";
import { type Ticks, type TicksQuestion, ticks } from "./calls/ticks.ts";
import {
  type TopRecords,
  type TopRecordsQuestion,
  type TopRecordsTable,
  topRecords,
} from "./calls/top-records.ts";
import {
  type WalletPerformance,
  type WalletQuestion,
  type WalletsPerformance,
  type WalletsQuestion,
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
export type { PoolTvl } from "./calls/pool-tvl.ts";
export type { PriceChange } from "./calls/price-changes.ts";
export type { ChainStatus } from "./calls/status.ts";
export type { Tick } from "./calls/tick-pages.ts";
export type { TokenTicks } from "./calls/ticks.ts";
export type { TokenPerformance, WalletTotals } from "./calls/wallets.ts";
export type { AsOf, PartsAsOf } from "./connection/as-of.ts";
export type { ErrorCode, ServiceErrorCode, SqlMistake } from "./connection/quarry-error.ts";
export { QuarryError } from "./connection/quarry-error.ts";
export type {
  AllTimePrices,
  AllTimePricesQuestion,
  CallOptions,
  CandlePagesQuestion,
  ClientOptions,
  FollowOptions,
  FollowQuestion,
  LatestPrices,
  LatestPricesQuestion,
  Ohlc,
  OhlcQuestion,
  PoolTvlQuestion,
  PoolTvls,
  PriceChanges,
  PriceChangesQuestion,
  Readiness,
  SqlBytes,
  SqlFormat,
  SqlRows,
  SqlSchema,
  SqlStream,
  SqlValue,
  Status,
  TickEvent,
  TickStream,
  TickStreamOptions,
  TickStreamQuestion,
  Ticks,
  TicksQuestion,
  TopRecords,
  TopRecordsQuestion,
  TopRecordsTable,
  WalletPerformance,
  WalletQuestion,
  WalletsPerformance,
  WalletsQuestion,
  WalletTokens,
};

/** Every method throws QuarryError, or the reason of its `signal` once that is aborted. */
export interface Client {
  /** Candles of a token. */
  ohlc(question: OhlcQuestion, options?: CallOptions): Promise<Ohlc>;
  /**
   * Candles newest first, page by page back to the first trade. A page is the service's answer as of its time; where it
   * would not continue the first one, the loop ends in a QuarryError (`chain-changed`).
   */
  candlePages(question: CandlePagesQuestion, options?: CallOptions): AsyncGenerator<Ohlc, void>;
  /** The newest prices of single trades of any number of tokens, in parts where the answer is too large for one. */
  ticks(question: TicksQuestion, options?: CallOptions): Promise<Ticks>;
  /** All of them, one by one, each once, as of one block; QuarryError (`chain-changed`) where a reorg undoes that. */
  tickStream(question: TickStreamQuestion, options?: TickStreamOptions): Promise<TickStream>;
  /** New ticks as blocks are indexed, each once, and what reorgs take back. Ends when the loop is left or `signal` aborts. */
  followTicks(question: FollowQuestion, options?: FollowOptions): AsyncGenerator<TickEvent, void>;
  /** Newest prices of any number of tokens; more than 10,000 are asked for in parts. */
  latestPrices(question: LatestPricesQuestion, options?: CallOptions): Promise<LatestPrices>;
  /** First, highest, lowest and newest price ever of any number of tokens, in parts likewise. */
  allTimePrices(question: AllTimePricesQuestion, options?: CallOptions): Promise<AllTimePrices>;
  /** How prices of any number of tokens changed over a period, in parts likewise. */
  priceChanges(question: PriceChangesQuestion, options?: CallOptions): Promise<PriceChanges>;
  /** What each of any number of pools holds, and what that is worth, in parts likewise. */
  poolTvls(question: PoolTvlQuestion, options?: CallOptions): Promise<PoolTvls>;
  /** What any number of wallets made on DEXes; what does not fit into one answer is asked for in parts. */
  walletsPerformance(question: WalletsQuestion, options?: CallOptions): Promise<WalletsPerformance>;
  /** What a wallet made, all its tokens together. */
  walletPerformance(question: WalletQuestion, options?: CallOptions): Promise<WalletPerformance>;
  /** What a wallet made of each of its tokens. */
  walletTokens(question: WalletQuestion, options?: CallOptions): Promise<WalletTokens>;
  /** The first records of any number of groups of a table, in parts likewise. */
  topRecords<T extends TopRecordsTable>(
    table: T,
    question: TopRecordsQuestion<T>,
    options?: CallOptions,
  ): Promise<TopRecords<T>>;
  /** Rows of a SELECT, SHOW TABLES or DESCRIBE. `Row` is what you know of them; it is not checked. */
  sql<Row extends object = Record<string, SqlValue>>(
    query: string,
    options?: CallOptions,
  ): Promise<SqlRows<Row>>;
  /** The same, row by row: for answers too large to hold, LIMIT up to what the service allows. */
  sqlStream<Row extends object = Record<string, SqlValue>>(
    query: string,
    options?: CallOptions,
  ): Promise<SqlStream<Row>>;
  /** The rows as a file, in pieces. */
  sqlBytes(query: string, format: SqlFormat, options?: CallOptions): Promise<SqlBytes>;
  /** Tables with their columns, functions and keywords: what SQL can ask for. */
  sqlSchema(options?: CallOptions): Promise<SqlSchema>;
  /** What is indexed of each chain. */
  status(options?: CallOptions): Promise<Status>;
  /** Whether questions can be answered, and if not, why. */
  ready(options?: CallOptions): Promise<Readiness>;
}

/** A client of the Quarry service at `url`. It holds nothing open and needs no closing. @throws QuarryError */
export function createClient(options: ClientOptions): Client {
  const connection = connect(options);
  return {
    ohlc: (question, call) => ohlc(connection, question, call),
    candlePages: (question, call) => candlePages(connection, question, call),
    ticks: (question, call) => ticks(connection, question, call),
    tickStream: (question, call) => tickStream(connection, question, call),
    followTicks: (question, call) => followTicks(connection, question, call),
    latestPrices: (question, call) => latestPrices(connection, question, call),
    allTimePrices: (question, call) => allTimePrices(connection, question, call),
    priceChanges: (question, call) => priceChanges(connection, question, call),
    poolTvls: (question, call) => poolTvls(connection, question, call),
    walletsPerformance: (question, call) => walletsPerformance(connection, question, call),
    walletPerformance: (question, call) => walletPerformance(connection, question, call),
    walletTokens: (question, call) => walletTokens(connection, question, call),
    topRecords: (table, body, call) => topRecords(connection, { table, body, ...call }),
    sql: (query, call) => sql(connection, query, call),
    sqlStream: (query, call) => sqlStream(connection, query, call),
    sqlBytes: (query, format, call) => sqlBytes(connection, { query, format }, call),
    sqlSchema: (call) => sqlSchema(connection, call),
    status: (call) => status(connection, call),
    ready: (call) => ready(connection, call),
  };
}
