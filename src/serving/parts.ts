import type { KeyedCache } from "./cache/keyed-cache.ts";
import type { CandleChunk, FirstTrade } from "./candles/candle-chunk.ts";
import type { RowCounts } from "./counts/row-counts.ts";
import type { PoolState } from "./pools/pool-state.ts";
import type { RecordList } from "./records/record-list.ts";
import type { PriceExtremes } from "./tokens/price-extremes.ts";
import type { TokenFacts } from "./tokens/token-facts.ts";
import type { WalletPositions } from "./wallets/wallet-positions.ts";

/** What each part of the serving state holds under a key. */
export interface PartValues {
  /** All-time prices by token. */
  tickPrices: PriceExtremes;
  robustPrices: PriceExtremes;
  /** What tokens report about themselves, by token. */
  tokenFacts: TokenFacts;
  /** Positions by wallet. */
  wallets: WalletPositions;
  /** The newest records of a value, by `recordsKey`. Commits change the lists. */
  newestRecords: RecordList;
  /** The newest state of pools, by address or id. */
  pools: PoolState;
  /** Rows of each table, under one key. */
  rowCounts: RowCounts;
  /** The price in force where the window of newest trades begins, by `basePriceKey`. */
  basePrices: number;
  /** Candles by `chunkKey`; newer trades are added from the window when they are read. */
  candles: CandleChunk;
  /** First trades by `firstTradeKey`. */
  firstTrades: FirstTrade;
  /** Lists for screens as JSON text, by their query as JSON text. */
  lists: string;
}

export type PartName = keyof PartValues;

export type Parts = { readonly [N in PartName]: KeyedCache<PartValues[N]> };

/** The parts with their names, for code that treats them all alike. */
export function partEntries(parts: Parts): [PartName, KeyedCache<unknown>][] {
  return Object.entries(parts) as [PartName, KeyedCache<unknown>][];
}
