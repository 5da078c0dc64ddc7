import type { LatestPrice } from "../latest-prices.ts";
import type { Candle, OhlcParams } from "../ohlc.ts";
import type { PoolTvl } from "../pool-tvl.ts";
import type { TopRecords, TopRecordsTable } from "../top-records.ts";

/** What a stream reports; docs/streams.md describes the types. */
export type StreamSubscription =
  | TradesSubscription
  | TransfersSubscription
  | PoolsSubscription
  | TokensSubscription
  | BlocksSubscription
  | PricesSubscription
  | CandlesSubscription
  | PoolStateSubscription;

interface Named {
  /** Names the values in the frames; default: the type. Each subscription of a stream needs its own. */
  id?: string | undefined;
}

/** New rows of `dex_trades`. A row must match every filter that is given. */
interface TradesSubscription extends Named {
  type: "trades";
  token_address?: readonly string[] | undefined;
  pool_address?: readonly string[] | undefined;
  /** Senders of the transactions. */
  trader_address?: readonly string[] | undefined;
  /** Least value, USD; trades without a known value are left out. */
  min_usd?: number | undefined;
  /** True: only trades that the robust price accepts: no outliers, and worth 1 USD or more. */
  accepted?: boolean | undefined;
}

/** New rows of `erc20` or `erc721`. A row must match every filter that is given. */
interface TransfersSubscription extends Named {
  type: "transfers";
  /** Default `erc20`. */
  standard?: "erc20" | "erc721" | undefined;
  token_address?: readonly string[] | undefined;
  /** Senders or recipients. */
  wallet_address?: readonly string[] | undefined;
  from_address?: readonly string[] | undefined;
  to_address?: readonly string[] | undefined;
  /** Least value of an `erc20` transfer, USD; those without a known value are left out. */
  min_usd?: number | undefined;
}

/** Pools that are new to the service. */
interface PoolsSubscription extends Named {
  type: "pools";
  /** Only pools whose first or second token is one of these. */
  token_address?: readonly string[] | undefined;
}

/** Tokens that are new to the service. */
interface TokensSubscription extends Named {
  type: "tokens";
}

/** Rows of `blocks`. */
interface BlocksSubscription extends Named {
  type: "blocks";
}

type PriceType = OhlcParams["price_type"];

/** Latest prices: all in the snapshot, then those that changed. */
interface PricesSubscription extends Named {
  type: "prices";
  token_address: readonly string[];
  price_type?: PriceType;
}

/** Candles of a token: the newest in the snapshot, then those that changed. */
interface CandlesSubscription extends Named {
  type: "candles";
  token_address: string;
  /** Default: all pools. */
  pool_address?: string | undefined;
  /** Length of a candle, e.g. `5m`; default `1m`. */
  interval?: string | undefined;
  price_type?: PriceType;
  /** Candles in the first snapshot, 1 to 1,000; default 1. */
  history?: number | undefined;
}

/** Balances and value of pools: all in the snapshot, then those that changed. */
interface PoolStateSubscription extends Named {
  type: "pool_state";
  pool_address: readonly string[];
}

/** A row of `pool_metadata`. */
export interface PoolRecord {
  /** Null for a pool older than the first indexed block. */
  block_number_created: number | null;
  pool_address: string;
  protocol: string;
  /** Unix seconds; null for a pool older than the first indexed block. */
  timestamp_created: number | null;
  token_0_address: string;
  token_1_address: string;
  /** All tokens in the pool's order, separated by commas; empty for one that is not known yet. */
  token_addresses: string;
  /** Tokens that swaps may exchange in place of the pool's own, separated by commas. */
  underlying_token_addresses: string;
  /** Millionths; null if the pool has no fixed swap fee. */
  fee: number | null;
  hooks_address: string | null;
  hooks_flags: number | null;
  factory_address: string;
  record_index: number;
}

/** A row of `token_metadata`. */
export interface TokenRecord {
  token_address: string;
  token_symbol: string | null;
  token_name: string | null;
  decimals: number | null;
  first_seen_block_number: number;
  record_index: number;
}

/** A candle of a stream. */
export interface StreamCandle extends Candle {
  /** True when its interval is over. */
  closed: boolean;
}

type RecordOf<T extends TopRecordsTable> = TopRecords<T>["groups"][string][number];

/** The values of a subscription in the frames. */
type ValueOf<S extends StreamSubscription> = S extends { type: "transfers" }
  ? S extends { standard: "erc721" }
    ? RecordOf<"erc721">
    : S extends { type: string; standard?: "erc20" }
      ? RecordOf<"erc20">
      : RecordOf<"erc20"> | RecordOf<"erc721">
  : {
      trades: RecordOf<"dex-trades">;
      transfers: never;
      pools: PoolRecord;
      tokens: TokenRecord;
      blocks: RecordOf<"blocks">;
      prices: LatestPrice;
      candles: StreamCandle;
      pool_state: PoolTvl;
    }[S["type"]];

type IdOf<S extends StreamSubscription> = S extends { id: infer Id extends string }
  ? Id
  : S extends { type: string; id?: undefined }
    ? S["type"]
    : string;

/** Values by the id of their subscription; those with none are absent. */
export type StreamData<S extends StreamSubscription = StreamSubscription> = {
  [One in S as IdOf<One>]?: ValueOf<One>[];
};
