import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PastTrade } from "../histories/past-trade.ts";
import { median, weightedMedian } from "../weighted-median.ts";
import { StablePegs, type StableTrade } from "./stable-pegs.ts";

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
  /** The pool's stable coin. */
  coin: Hex;
  /** Time of the newest trade. */
  timestamp: number;
}

/** What the reference price depends on, each ascending in chain order. */
export interface ReferenceHistory {
  /** The wrapped native coin's last REFERENCE_TRADES trades with a tick_1 price in each reference pool. */
  native: readonly PastTrade[];
  /**
   * Of each pair of stable coins, in the order of the chain: the first PEG_TRADES_A_MINUTE of each minute's trades of
   * MIN_PEG_USD or more, and of these the last PEG_TRADES; none from more than PEG_SECONDS ago, in whole minutes.
   */
  stable: readonly StableTrade[];
}

/**
 * US dollars per native coin: the median, over the chain's reference pools, of each pool's recent price against
 * stable coins. With three pools or more, one of them can be bent at will and moves it no farther than to
 * its neighbour's price. Pools of a stable coin that lost its peg have no say while there are others.
 */
export class ReferencePrice {
  readonly #token: Hex;
  readonly #trades: Map<Hex, ReferenceTrade[]>;
  readonly #pools = new Map<Hex, PoolPrice>();
  readonly #pegs: StablePegs;
  #price: number | null = null;
  #newestBlock = -1;

  constructor({ wrappedNative, referencePools, stableCoins }: Chain) {
    this.#token = wrappedNative;
    this.#trades = new Map(referencePools.map((pool) => [pool, []]));
    this.#pegs = new StablePegs(stableCoins);
  }

  /** USD per native coin after the trades recorded so far, at the time of advance(); null before the first. */
  get price(): number | null {
    return this.#price;
  }

  /** Whether a stable coin trades below the others, at the time of advance(). */
  isFallen(coin: Hex): boolean {
    return !this.#pegs.isCash(coin);
  }

  /** Block of the newest trade that counts; -1 before the first. */
  get newestBlock(): number {
    return Math.max(this.#newestBlock, this.#pegs.newestBlock);
  }

  /** Moves on to a block's time: stable coins are judged anew each minute. */
  advance(now: number): void {
    if (this.#pegs.judgeAt(now)) this.#update();
  }

  /** Takes a trade of the token into account if it counts: the wrapped native coin's, priced, in a reference pool. */
  record(token: Hex, trade: ReferenceCandidate): void {
    if (this.#add(token, trade)) this.#update();
  }

  /** Takes a trade of stable coins into account if it counts. */
  recordStable(trade: Parameters<StablePegs["record"]>[0]): void {
    this.#pegs.record(trade);
  }

  /** The price is right after the next advance(). */
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
    this.#newestBlock = -1;
  }

  #add(token: Hex, { pool, quote: coin, priceTick1, amountUsd, timestamp, blockNumber }: ReferenceCandidate) {
    const trades = this.#trades.get(pool);
    if (token !== this.#token || trades === undefined || priceTick1 === null || amountUsd === null)
      return false;
    trades.push({ price: priceTick1, usd: amountUsd, timestamp });
    if (trades.length > REFERENCE_TRADES) trades.shift();
    this.#newestBlock = blockNumber;
    this.#pools.set(pool, { price: poolPrice(trades), coin, timestamp });
    return true;
  }

  #update(): void {
    const pools = [...this.#pools.values()];
    const pegged = pools.filter(({ coin }) => this.#pegs.isCash(coin));
    this.#price = pools.length === 0 ? null : medianOfPools(pegged.length > 0 ? pegged : pools);
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

function medianOfPools(pools: readonly PoolPrice[]): number {
  const newest = Math.max(...pools.map(({ timestamp }) => timestamp));
  const speaking = pools.filter(({ timestamp }) => newest - timestamp <= SILENT_SECONDS);
  return median(speaking.map(({ price }) => price));
}
