import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import type { PastTrade } from "./past-trade.ts";
import { median, weightedMedian } from "./weighted-median.ts";

/**
 * Trades of a pool that its price is the volume-weighted median of: one manipulated trade does not
 * move it, and in the deep pools it is not older than a minute.
 */
export const REFERENCE_TRADES = 5;
/** A pool whose newest trade is that much older than the newest of all has no say. */
const SILENT_SECONDS = 3600;
/** No trade weighs more than this many of the median size, so that a single large one never has half the weight. */
const WEIGHT_CAP = 1.5;

interface ReferenceTrade {
  price: number;
  usd: number;
  timestamp: number;
}

interface PoolPrice {
  price: number;
  /** Time of the newest trade. */
  timestamp: number;
}

/**
 * US dollars per native coin: the median, over the chain's reference pools, of each pool's recent price against
 * stable coins. With three pools or more, one of them can be bent at will and moves it no farther than to
 * its neighbour's price.
 */
export class ReferencePrice {
  readonly #token: Hex;
  readonly #trades: Map<Hex, ReferenceTrade[]>;
  readonly #pools = new Map<Hex, PoolPrice>();
  #price: number | null = null;
  #newestBlock = -1;

  constructor({ wrappedNative, referencePools }: Chain) {
    this.#token = wrappedNative;
    this.#trades = new Map(referencePools.map((pool) => [pool, []]));
  }

  /** USD per native coin after the trades recorded so far; null before the first. */
  get price(): number | null {
    return this.#price;
  }

  /** Block of the newest trade that counts; -1 before the first. */
  get newestBlock(): number {
    return this.#newestBlock;
  }

  /** Takes a trade of the token into account if it counts: the wrapped native coin's, priced, in a reference pool. */
  record(token: Hex, { pool, priceTick1, amountUsd, timestamp, blockNumber }: ReferenceCandidate): void {
    const trades = this.#trades.get(pool);
    if (token !== this.#token || trades === undefined || priceTick1 === null || amountUsd === null) return;
    trades.push({ price: priceTick1, usd: amountUsd, timestamp });
    if (trades.length > REFERENCE_TRADES) trades.shift();
    this.#newestBlock = blockNumber;
    this.#pools.set(pool, { price: poolPrice(trades), timestamp });
    this.#price = medianOfPools([...this.#pools.values()]);
  }

  restore(history: readonly PastTrade[]): void {
    this.forget();
    for (const trade of history) this.record(this.#token, trade);
  }

  forget(): void {
    for (const pool of this.#trades.keys()) this.#trades.set(pool, []);
    this.#pools.clear();
    this.#price = null;
    this.#newestBlock = -1;
  }
}

type ReferenceCandidate = Pick<PastTrade, "pool" | "priceTick1" | "amountUsd" | "timestamp" | "blockNumber">;

function poolPrice(trades: readonly ReferenceTrade[]): number {
  const most = WEIGHT_CAP * median(trades.map(({ usd }) => usd));
  return weightedMedian(
    trades.map(({ price }) => price),
    trades.map(({ usd }) => Math.min(usd, most)),
  );
}

function medianOfPools(pools: readonly PoolPrice[]): number {
  const newest = Math.max(...pools.map(({ timestamp }) => timestamp));
  const speaking = pools.filter(({ timestamp }) => newest - timestamp <= SILENT_SECONDS);
  return median(speaking.map(({ price }) => price));
}
