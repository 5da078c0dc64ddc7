import type { LatestPrice } from "../latest-prices.ts";
import type { Candle, OhlcParams } from "../ohlc.ts";
import type { PoolTvl } from "../pool-tvl.ts";
import type { TopRecords, TopRecordsTable } from "../top-records.ts";

/** A subscription of a stream. docs/streams.md describes the types. */
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
  /**
   * Name of this subscription's values in the frames. Default: the type. Each subscription of a stream needs
   * a different id.
   */
  id?: string | undefined;
}

/** New rows of `dex_trades`. A row must match all given filters. */
interface TradesSubscription extends Named {
  type: "trades";
  token_address?: readonly string[] | undefined;
  pool_address?: readonly string[] | undefined;
  /** Only trades in transactions that these addresses sent. */
  trader_address?: readonly string[] | undefined;
  /** Minimum value in USD. Leaves out trades whose value is unknown. */
  min_usd?: number | undefined;
  /**
   * If true, only trades that the robust price accepts. They are not outliers, and are worth at least 1 USD.
   */
  accepted?: boolean | undefined;
}

/** New rows of `erc20` or `erc721`. A row must match all given filters. */
interface TransfersSubscription extends Named {
  type: "transfers";
  /** Default: `erc20`. */
  standard?: "erc20" | "erc721" | undefined;
  token_address?: readonly string[] | undefined;
  /** Only transfers whose sender or recipient is one of these wallets. */
  wallet_address?: readonly string[] | undefined;
  from_address?: readonly string[] | undefined;
  to_address?: readonly string[] | undefined;
  /** Minimum value of an `erc20` transfer in USD. Leaves out transfers whose value is unknown. */
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

/** Latest prices. The snapshot has all of them; later frames have only the prices that changed. */
interface PricesSubscription extends Named {
  type: "prices";
  token_address: readonly string[];
  price_type?: PriceType;
}

/** Candles of a token. The snapshot has the newest ones; later frames have only the candles that changed. */
interface CandlesSubscription extends Named {
  type: "candles";
  token_address: string;
  /** Default: all pools. */
  pool_address?: string | undefined;
  /** Length of a candle, e.g. `5m`. Default: `1m`. */
  interval?: string | undefined;
  price_type?: PriceType;
  /** Number of candles in the first snapshot, 1 to 1,000. Default: 1. */
  history?: number | undefined;
}

/**
 * Balances and values of pools. The snapshot has all pools; later frames have only the pools that changed.
 */
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
  /** Unix seconds. Null for a pool older than the first indexed block. */
  timestamp_created: number | null;
  token_0_address: string;
  token_1_address: string;
  /**
   * All tokens in the pool's order, separated by commas. The list has an empty item for a token that is not
   * yet known.
   */
  token_addresses: string;
  /** Tokens that swaps may exchange instead of the pool's own tokens, separated by commas. */
  underlying_token_addresses: string;
  /** Swap fee in millionths. Null if the pool has no fixed swap fee. */
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
  /** True once a block after the end of the candle's interval is indexed. */
  closed: boolean;
}

type RecordOf<T extends TopRecordsTable> = TopRecords<T>["groups"][string][number];

/** Type of a subscription's values in the frames. */
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

/** Values by subscription id. Subscriptions without values are absent. */
export type StreamData<S extends StreamSubscription = StreamSubscription> = {
  [One in S as IdOf<One>]?: ValueOf<One>[];
};
