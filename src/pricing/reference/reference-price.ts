import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../lib/seconds.ts";
import { median, weightedMedian } from "../math/weighted-median.ts";
import type { PastTrade } from "../trades/past-trade.ts";
import { StablePegs, type StableTrade } from "./stable-pegs.ts";

/**
 * Number of trades whose volume-weighted median is a pool's price: one manipulated trade does not move it,
 * and in deep pools it is at most a minute old.
 */
export const REFERENCE_TRADES = 5;
/**
 * Minimum value of a trade that counts. Amounts of a few units can be rounded to any price, so with smaller
 * trades, a contract could move the prices of all pools for the cost of gas.
 */
export const MIN_REFERENCE_USD = 10;
/** A pool is ignored if its newest trade is older than the newest trade of all pools by more than this. */
const SILENT_SECONDS = HOUR_SECONDS;
/**
 * Minimum and maximum time for which the price is valid without a new trade. Within these bounds, it is the
 * time from the first to the last of the newest REFERENCE_TRADES trades in all counted pools, because their
 * median is about that old. In an hour, ether moves by about 1 % (p95). The maximum of a day allows for quiet
 * chains. After this time, there is no price until the next trade.
 */
const MIN_LIFE_SECONDS = HOUR_SECONDS;
const MAX_LIFE_SECONDS = DAY_SECONDS;
/**
 * Maximum weight of a trade, as a multiple of the median size, so that a single large one never has half of
 * the weight.
 */
const WEIGHT_CAP = 1.5;

interface ReferenceTrade {
  price: number;
  usd: number;
  timestamp: number;
}

interface PoolPrice {
  price: number;
  /** The pool's stablecoin. */
  coin: Hex;
  /** Times of its trades, ascending. */
  times: readonly number[];
  /** Time of the newest trade. */
  timestamp: number;
}

/** The trades on which the reference price depends, each list in chain order. */
export interface ReferenceHistory {
  /**
   * For each reference pool, the wrapped native coin's last REFERENCE_TRADES trades that have a tick_1 price
   * and are worth MIN_REFERENCE_USD or more.
   */
  native: readonly PastTrade[];
  /**
   * For each pair of stablecoins, in the chain's order of coins, the trades that remain after these steps:
   * keep those of MIN_PEG_USD or more; keep each wallet's first in each minute; keep those of the last hour
   * and those of the newest PEG_MINUTES minutes with trades; keep the last MOST_PEG_VOTES. None is older than
   * PEG_SECONDS, in whole minutes.
   */
  stable: readonly StableTrade[];
}

/**
 * US dollars per native coin: the median, over the chain's reference pools, of each pool's recent price
 * against stablecoins. With three pools or more, manipulating one of them moves the median no farther than to
 * the next pool's price. Pools of a stablecoin that lost its peg are ignored while there are other pools.
 */
export class ReferencePrice {
  readonly #token: Hex;
  readonly #trades: Map<Hex, ReferenceTrade[]>;
  readonly #pools = new Map<Hex, PoolPrice>();
  readonly #pegs: StablePegs;
  #price: number | null = null;
  /** Last second at which the price is valid. */
  #countsUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #newestBlock = -1;

  constructor({ wrappedNative, referencePools, stableCoins }: Chain) {
    this.#token = wrappedNative;
    this.#trades = new Map(referencePools.map((pool) => [pool, []]));
    this.#pegs = new StablePegs(stableCoins);
  }

  /**
   * USD per native coin after the recorded trades, at the time of advance(); null before the first trade, and
   * if the newest one is too old.
   */
  get price(): number | null {
    return this.#now <= this.#countsUntil ? this.#price : null;
  }

  /** Returns true if a stablecoin had lost its peg at the time of advance(). */
  isFallen(coin: Hex): boolean {
    return !this.#pegs.isCash(coin);
  }

  /** Block of the newest trade that counts; -1 before the first. */
  get newestBlock(): number {
    return Math.max(this.#newestBlock, this.#pegs.newestBlock);
  }

  /** Advances to a block's time. Stablecoins are judged again every minute. */
  advance(now: number): void {
    this.#now = now;
    if (this.#pegs.judgeAt(now)) this.#update();
  }

  /**
   * Records a trade if it counts: a trade of the wrapped native coin in a reference pool, with a price and
   * worth MIN_REFERENCE_USD or more.
   */
  record(token: Hex, trade: ReferenceCandidate): void {
    if (this.#add(token, trade)) this.#update();
  }

  /** Records a trade of stablecoins if it counts. */
  recordStable(trade: Parameters<StablePegs["record"]>[0]): void {
    this.#pegs.record(trade);
  }

  /** Replaces all trades. The price must not be read before the next advance(). */
  restore({ native, stable }: ReferenceHistory): void {
    this.clear();
    for (const trade of native) this.#add(this.#token, trade);
    for (const trade of stable) this.#pegs.record(trade);
    this.#update();
  }

  clear(): void {
    for (const pool of this.#trades.keys()) this.#trades.set(pool, []);
    this.#pools.clear();
    this.#pegs.clear();
    this.#price = null;
    this.#countsUntil = Number.NEGATIVE_INFINITY;
    this.#newestBlock = -1;
  }

  #add(token: Hex, { pool, quote: coin, priceTick1, amountUsd, timestamp, blockNumber }: ReferenceCandidate) {
    const trades = this.#trades.get(pool);
    if (token !== this.#token || trades === undefined) return false;
    if (priceTick1 === null || amountUsd === null || amountUsd < MIN_REFERENCE_USD) return false;
    trades.push({ price: priceTick1, usd: amountUsd, timestamp });
    if (trades.length > REFERENCE_TRADES) trades.shift();
    this.#newestBlock = blockNumber;
    const times = trades.map((trade) => trade.timestamp);
    this.#pools.set(pool, { price: poolPrice(trades), coin, times, timestamp });
    return true;
  }

  #update(): void {
    const pools = [...this.#pools.values()];
    const pegged = pools.filter(({ coin }) => this.#pegs.isCash(coin));
    const counted = withoutSilent(pegged.length > 0 ? pegged : pools);
    this.#price = counted.length === 0 ? null : median(counted.map(({ price }) => price));
    this.#countsUntil = endOf(counted);
  }
}

type ReferenceCandidate = Pick<
  PastTrade,
  "pool" | "quote" | "priceTick1" | "amountUsd" | "timestamp" | "blockNumber"
>;

function poolPrice(trades: readonly ReferenceTrade[]): number {
  const most = WEIGHT_CAP * median(trades.map(({ usd }) => usd));
  return weightedMedian(
    trades.map(({ price }) => price),
    trades.map(({ usd }) => Math.min(usd, most)),
  );
}

function withoutSilent(pools: readonly PoolPrice[]): PoolPrice[] {
  const newest = Math.max(...pools.map(({ timestamp }) => timestamp));
  return pools.filter(({ timestamp }) => newest - timestamp <= SILENT_SECONDS);
}

/** Returns the last second at which the price from these pools is valid. */
function endOf(pools: readonly PoolPrice[]): number {
  const times = pools.flatMap((pool) => pool.times).sort((a, b) => b - a);
  const [newest = Number.NEGATIVE_INFINITY, ...older] = times.slice(0, REFERENCE_TRADES);
  const span = newest - (older.at(-1) ?? newest);
  return newest + Math.min(MAX_LIFE_SECONDS, Math.max(MIN_LIFE_SECONDS, span));
}
