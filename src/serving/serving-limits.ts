/** Maximum bytes of memory for each part of a chain's serving state. */
export interface ServingLimits {
  /**
   * All-time prices of tokens, per token and price type: 0.57 kB if the first, highest, lowest and newest
   * trades all differ, 0.38 kB if they are the same trade.
   */
  pricesBytes: number;
  /** Symbols, names and decimals of tokens: 0.32 kB each. */
  factsBytes: number;
  /** Positions of wallets: 650 bytes per wallet, and 100 bytes per token that it traded. */
  walletsBytes: number;
  /** Newest records of addresses and pools: 1.6 kB per trade, 0.7 kB per transfer. */
  recordsBytes: number;
  /** Pools: 1.2 kB for two tokens, and 320 bytes per tick with liquidity in a singleton's pool. */
  poolsBytes: number;
  /** Row counts of all tables: 1.2 kB. The ranges of block proofs have a limit of the same size. */
  countsBytes: number;
  /** The newest trades: 104 bytes per trade, and their tokens and pools. */
  windowBytes: number;
  /** Prices of tokens before the newest trades: 0.2 kB per token and price type. */
  basePricesBytes: number;
  /** Candles that were read: 0.15 kB each. */
  candlesBytes: number;
  /** Times of first trades. */
  firstTradesBytes: number;
  /** The screener's lists: up to 0.4 kB per row. */
  listsBytes: number;
}

/** Each part's share of the memory, chosen by what most questions need and by the size of an entry. */
const SHARES: Record<keyof ServingLimits, number> = {
  pricesBytes: 0.16,
  factsBytes: 0.048,
  walletsBytes: 0.16,
  recordsBytes: 0.14,
  poolsBytes: 0.08,
  countsBytes: 0.001,
  windowBytes: 0.27,
  basePricesBytes: 0.03,
  candlesBytes: 0.09,
  firstTradesBytes: 0.01,
  listsBytes: 0.01,
};

/** Divides the memory of the serving state among its parts. */
export function servingLimits(bytes: number): ServingLimits {
  const entries = Object.entries(SHARES).map(([part, share]) => [part, Math.floor(bytes * share)]);
  return Object.fromEntries(entries) as Record<keyof ServingLimits, number>;
}
