import type { KeyedCache } from "./cache/keyed-cache.ts";
import type { CandleChunk, FirstTrade } from "./candles/candle-chunk.ts";
import type { BlockProofs } from "./counts/block-proofs.ts";
import type { RowCounts } from "./counts/row-counts.ts";
import type { PoolState } from "./pools/pool-state.ts";
import type { RecordList } from "./records/record-list.ts";
import type { PriceExtremes } from "./tokens/price-extremes.ts";
import type { TokenFacts } from "./tokens/token-facts.ts";
import type { WalletPositions } from "./wallets/wallet-positions.ts";

/** The type of the values that each part of the serving state holds. */
export interface PartValues {
  /** All-time prices by token. */
  tickPrices: PriceExtremes;
  robustPrices: PriceExtremes;
  /** Symbol, name and decimals by token. */
  tokenFacts: TokenFacts;
  /** Positions by wallet. */
  wallets: WalletPositions;
  /** Newest records that have a given value in a column, by `recordsKey`. Commits keep the lists current. */
  newestRecords: RecordList;
  /** Newest states of pools, by address or id. */
  pools: PoolState;
  /** Row counts of all tables, under a single key. */
  rowCounts: RowCounts;
  /** Proofs of blocks, under a single key. */
  blockProofs: BlockProofs;
  /** The price in force where the window of newest trades begins, by `basePriceKey`. */
  basePrices: number;
  /** Candles by `chunkKey`; newer trades are added from the window when the candles are read. */
  candles: CandleChunk;
  /** First trades by `firstTradeKey`. */
  firstTrades: FirstTrade;
  /** The screener's lists as JSON text, by the JSON text of their query. */
  lists: string;
}

export type PartName = keyof PartValues;

export type Parts = { readonly [N in PartName]: KeyedCache<PartValues[N]> };

/** Lists the parts with their names, for code that treats them all alike. */
export function partEntries(parts: Parts): [PartName, KeyedCache<unknown>][] {
  return Object.entries(parts) as [PartName, KeyedCache<unknown>][];
}
