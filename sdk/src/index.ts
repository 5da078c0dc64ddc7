import { type AllTimePrices, type AllTimePricesQuestion, allTimePrices } from "./all-time-prices.ts";
import { type ClientOptions, connect } from "./connection.ts";
import { type LatestPrices, type LatestPricesQuestion, latestPrices } from "./latest-prices.ts";
import { type Ohlc, type OhlcQuestion, ohlc } from "./ohlc.ts";
import { type PriceChanges, type PriceChangesQuestion, priceChanges } from "./price-changes.ts";
import type { CallOptions } from "./request.ts";
import { type SqlRows, type SqlValue, sql } from "./sql.ts";
import { type Readiness, ready, type Status, status } from "./status.ts";
import { type Ticks, type TicksQuestion, ticks } from "./ticks.ts";
import { type TopRecords, type TopRecordsQuestion, type TopRecordsTable, topRecords } from "./top-records.ts";

export type { AllTimePrice } from "./all-time-prices.ts";
export type { AsOf } from "./as-of.ts";
export type { LatestPrice } from "./latest-prices.ts";
export type { Candle } from "./ohlc.ts";
export type { PriceChange } from "./price-changes.ts";
export { QuarryError } from "./quarry-error.ts";
export type { ChainStatus } from "./status.ts";
export type { TokenTicks } from "./ticks.ts";
export type {
  AllTimePrices,
  AllTimePricesQuestion,
  CallOptions,
  ClientOptions,
  LatestPrices,
  LatestPricesQuestion,
  Ohlc,
  OhlcQuestion,
  PriceChanges,
  PriceChangesQuestion,
  Readiness,
  SqlRows,
  SqlValue,
  Status,
  Ticks,
  TicksQuestion,
  TopRecords,
  TopRecordsQuestion,
  TopRecordsTable,
};

/** Every method throws QuarryError, or the reason of its `signal` once that is aborted. */
export interface Client {
  /** Candles of a token. */
  ohlc(question: OhlcQuestion, options?: CallOptions): Promise<Ohlc>;
  /** Prices of single trades, newest first, of up to 100 tokens. */
  ticks(question: TicksQuestion, options?: CallOptions): Promise<Ticks>;
  /** Newest prices of any number of tokens; more than 10,000 are asked for in parts, one after the other. */
  latestPrices(question: LatestPricesQuestion, options?: CallOptions): Promise<LatestPrices>;
  /** First, highest, lowest and newest price ever of any number of tokens, in parts likewise. */
  allTimePrices(question: AllTimePricesQuestion, options?: CallOptions): Promise<AllTimePrices>;
  /** How prices of any number of tokens changed over a period, in parts likewise. */
  priceChanges(question: PriceChangesQuestion, options?: CallOptions): Promise<PriceChanges>;
  /** The first records of groups of a table; at most 100,000 records. */
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
    ticks: (question, call) => ticks(connection, question, call),
    latestPrices: (question, call) => latestPrices(connection, question, call),
    allTimePrices: (question, call) => allTimePrices(connection, question, call),
    priceChanges: (question, call) => priceChanges(connection, question, call),
    topRecords: (table, body, call) => topRecords(connection, { table, body, ...call }),
    sql: (query, call) => sql(connection, query, call),
    status: (call) => status(connection, call),
    ready: (call) => ready(connection, call),
  };
}
