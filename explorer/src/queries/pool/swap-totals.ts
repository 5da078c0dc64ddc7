/** Trades of one token for another in a pool. */
export interface PairTrades {
  token_address: string;
  quote_address: string;
  /** Null if the value of no trade is known. */
  volume_usd: number | null;
  trades: number;
}

export interface SwapTotals {
  /** Null if there are swaps, but the value of none is known. */
  volumeUsd: number | null;
  trades: number;
}

/**
 * Returns the volume and the number of a pool's swaps, computed from its trades by pair. If neither token of
 * a pair is cash, a swap has a trade of each token. The swap must count once, so only the direction with the
 * higher value counts.
 */
export function swapTotals(pairs: readonly PairTrades[]): SwapTotals {
  const counted = new Map<string, PairTrades>();
  for (const pair of pairs) {
    const key = [pair.token_address, pair.quote_address].sort().join();
    const other = counted.get(key);
    if (other === undefined || (pair.volume_usd ?? 0) > (other.volume_usd ?? 0)) counted.set(key, pair);
  }
  const swaps = [...counted.values()];
  const values = swaps.map(({ volume_usd }) => volume_usd).filter((usd) => usd !== null);
  return {
    volumeUsd: swaps.length > 0 && values.length === 0 ? null : values.reduce((sum, usd) => sum + usd, 0),
    trades: swaps.reduce((sum, { trades }) => sum + trades, 0),
  };
}

export interface SwapSides {
  buys: number;
  sells: number;
}

/** Returns the numbers of buys and sells of a token in a pool of two tokens. */
export function swapSides(pairs: readonly (PairTrades & { buys: number })[], token: string): SwapSides {
  const bought = pairs.filter(({ token_address }) => token_address === token);
  const buys = bought.reduce((sum, pair) => sum + pair.buys, 0);
  return { buys, sells: swapTotals(pairs).trades - buys };
}
