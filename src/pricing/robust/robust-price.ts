import { DAY_SECONDS } from "../../lib/seconds.ts";
import { median, weightedMedian, weightedQuantile } from "../math/weighted-median.ts";
import type { PastTrade } from "../trades/past-trade.ts";
import { startOfWholeBlocks } from "./votes.ts";

/**
 * A price this close to the level is never an outlier, however quiet the market: it allows for a pool fee and
 * some slippage.
 */
const NEAR = Math.log(1.015);
/** The level is the median of this many votes, so that moving it takes eight of them. */
const LEVEL_VOTES = 15;
/**
 * Number of votes from which the reach is estimated. With 21 votes, as many honest trades were accepted, but
 * a fifth more manipulated ones.
 */
export const REACH_VOTES = 41;
/**
 * Number of rejected trades that can support a new level. Three independent ones suffice; the rest is room
 * for one trader's repeated attempts.
 */
export const REJECTED_VOTES = 15;
/** The reach is the distance from the level in force within which this share of the votes stayed. */
const REACH_SHARE = 0.9;
/**
 * Maximum reach, as a multiple of the distance within which half of the votes stayed, so that a minority
 * cannot widen it.
 */
const MOST_HALF_REACHES = 6;
/** A price is far if it is more than this many reaches away, as 0.6 % of normally distributed prices are. */
const FAR_REACHES = 1.68;
/** A vote counts less towards the reach if its value is below this share of the median. */
const SMALL_SHARE = 0.02;
/** Additional tolerance for a token with one trade; decreases with each further one. */
const UNKNOWN = 0.35;
/** Tolerated move in an hour without trades; sqrt(n) times as much in n hours, as in a random walk. */
const DRIFT_PER_SQRT_HOUR = 0.08;
/**
 * Logarithm of the largest factor by which a price may differ from the level, up or down, and be accepted
 * without the support of other trades, however volatile the market.
 */
const FARTHEST = Math.log(4);
/** Maximum weight of a trade, and of all trades of a trader, as a multiple of the median size of a trade. */
const WEIGHT_CAP = 2;
/**
 * Prices this close count as equal: the difference may be the rounding error of multiplying and dividing by
 * the same amount.
 */
export const SAME_PRICE = 1e-12;
/**
 * Trades agree on a new level if they are closer to each other than this fraction of their distance from the
 * old one.
 */
const AGREEMENT_OF_MOVE = 1 / 2;
/** A new level requires agreeing trades of this many other senders in earlier blocks. */
const EARLIER_SUPPORTERS = 2;
/**
 * Alternatively, a new level requires agreeing trades in this many blocks, the oldest at least this long ago.
 * This lets a token with one trader reach a new level.
 */
const LASTING_BLOCKS = 3;
const LASTING_SECONDS = DAY_SECONDS;

/** An accepted or rejected trade: it has a price, and its value is at least MIN_TRADE_USD. */
export interface Observation
  extends Pick<PastTrade, "recordIndex" | "blockNumber" | "timestamp" | "trader" | "quote"> {
  price: number;
  usd: number;
  /** True when the swap's other token is cash. */
  forCash: boolean;
}

/**
 * The price level of a token's recent votes: at least one, in chain order. The reach is computed on demand.
 */
export class Level {
  readonly #votes: readonly Observation[];
  readonly #logPrices: readonly number[];
  readonly #weights: readonly number[];
  /** The largest weight of a trade, in USD. */
  readonly maxWeight: number;
  /** Logarithm of USD per token. */
  readonly logPrice: number;
  #reachFound: number | undefined;

  constructor(votes: readonly Observation[]) {
    this.#votes = votes;
    this.#logPrices = this.#votes.map(({ price }) => Math.log(price));
    this.maxWeight = WEIGHT_CAP * median(this.#votes.map(({ usd }) => usd));
    this.#weights = weightsOf(this.#votes, this.maxWeight);
    this.logPrice = this.#levelBefore(votes.length);
  }

  /** Returns the tolerated distance from the level, in log price. */
  toleranceAt(now: number): number {
    const unknown = UNKNOWN * Math.max(0, 1 / this.#votes.length - 1 / REACH_VOTES);
    return Math.min(FARTHEST, Math.max(NEAR, FAR_REACHES * this.#reach()) + this.#drift(now) + unknown);
  }

  /**
   * Returns the tolerated move since the newest vote. With REACH_VOTES votes, the reach and the usual time
   * between votes limit it.
   */
  #drift(now: number): number {
    const known = this.#votes.length;
    const newest = this.#votes.at(-1)?.timestamp ?? now;
    const silence = Math.max(0, now - newest);
    const general = DRIFT_PER_SQRT_HOUR * Math.sqrt(silence / 3600);
    if (known < REACH_VOTES) return general;
    const usual = Math.max(1, (newest - (this.#votes[0]?.timestamp ?? newest)) / (known - 1));
    return Math.min(general, this.#reach() * Math.max(0, Math.sqrt(silence / usual) - 1));
  }

  /**
   * Returns the distance within which nine in ten votes stayed from the level before their own block, limited
   * by MOST_HALF_REACHES.
   */
  #reach(): number {
    this.#reachFound ??= this.#findReach();
    return this.#reachFound;
  }

  #findReach(): number {
    const distances = this.#distances();
    if (distances.length === 0) return 0;
    const weights = this.#shares().slice(-distances.length);
    const half = weightedQuantile(distances, weights, 0.5);
    return Math.min(weightedQuantile(distances, weights, REACH_SHARE), MOST_HALF_REACHES * half);
  }

  /**
   * Returns the distance of each vote from the level before its block. The votes of the oldest block have no
   * such level and are left out; if there is no other block, each is compared with the votes before it.
   */
  #distances(): number[] {
    const first = this.#votes.findIndex(({ blockNumber }) => blockNumber !== this.#votes[0]?.blockNumber);
    const distances: number[] = [];
    let level = 0;
    for (let i = Math.max(first, 1); i < this.#votes.length; i += 1) {
      const isInSameBlock = this.#votes[i]?.blockNumber === this.#votes[i - 1]?.blockNumber;
      if (first === -1 || !isInSameBlock) level = this.#levelBefore(i);
      distances.push(Math.abs((this.#logPrices[i] ?? 0) - level));
    }
    return distances;
  }

  /**
   * Returns how much each vote counts towards the reach: a small trade counts less, and all votes of a trader
   * together count as at most one. Otherwise one wallet with many small trades could widen the tolerance.
   */
  #shares(): number[] {
    const small = (SMALL_SHARE * this.maxWeight) / WEIGHT_CAP;
    const sizes = this.#votes.map(({ usd }) => Math.min(1, usd / small));
    const totals = new Map<string, number>();
    for (const [i, { trader }] of this.#votes.entries()) {
      totals.set(trader, (totals.get(trader) ?? 0) + (sizes[i] ?? 0));
    }
    return this.#votes.map(({ trader }, i) => (sizes[i] ?? 0) / Math.max(1, totals.get(trader) ?? 0));
  }

  #levelBefore(end: number): number {
    const start = startOfWholeBlocks(this.#votes.slice(0, end), LEVEL_VOTES);
    return weightedMedian(this.#logPrices.slice(start, end), this.#weights.slice(start, end));
  }
}

/** The trades against which a trade is judged. */
export interface Evidence {
  /** The newest accepted trades, without those that repeat a price. */
  votes: readonly Observation[];
  /** The level of the votes, of which there must be at least one. */
  level: () => Level;
  /** The token's newest votes and rejected trades, in chain order. */
  recent: () => Observation[];
}

/**
 * Returns true if the price of a trade worth counting is accepted. A token's first trade always is, because
 * there is nothing to compare it with.
 */
export function isAccepted(trade: Observation, evidence: Evidence): boolean {
  if (isNearAll(trade.price, evidence.votes)) return true;
  const level = evidence.level();
  const distance = Math.abs(Math.log(trade.price) - level.logPrice);
  if (distance <= NEAR || distance <= level.toleranceAt(trade.timestamp)) return true;
  return persists(trade, level, distance, evidence.recent());
}

/**
 * Returns true if the price is close to every vote, and so to their median. This saves computing the median
 * for most trades.
 */
function isNearAll(price: number, votes: readonly Observation[]): boolean {
  const near = Math.exp(NEAR);
  return votes.every((past) => price <= past.price * near && past.price <= price * near);
}

/**
 * Returns true if a swap against another token repeats the price in force: it may have been valued at that
 * price, in which case it proves nothing.
 */
export function repeats({ price, forCash }: Observation, priceInForce: number | null): boolean {
  return !forCash && priceInForce !== null && Math.abs(price / priceInForce - 1) <= SAME_PRICE;
}

/**
 * Returns the weight of each trade: its value, but neither one trade nor all trades of one trader weigh more
 * than `maxWeight`.
 */
function weightsOf(votes: readonly Observation[], maxWeight: number): number[] {
  const capped = votes.map(({ usd }) => Math.min(usd, maxWeight));
  return votes.map(({ trader }, i) => {
    let total = 0;
    for (let j = 0; j < votes.length; j += 1) {
      if (votes[j]?.trader === trader) total += capped[j] ?? 0;
    }
    return (capped[i] ?? 0) * (total > maxWeight ? maxWeight / total : 1);
  });
}

/**
 * Returns true if recent trades confirm the price of a trade that is far from the level. Looks back from the
 * trade, block by block, until the trades that agree with it outweigh those that disagree, and are
 * independent of each other or spread over a long time. It counts whole blocks, because the builder of a
 * block could otherwise hide the market's trades by their order.
 *
 * @param distance distance of the trade from the level, in log price
 */
function persists(
  trade: Observation,
  level: Level,
  distance: number,
  recent: readonly Observation[],
): boolean {
  const agreement = AGREEMENT_OF_MOVE * distance;
  const support = new Support(trade, level.maxWeight);
  let block = trade.blockNumber;
  for (const past of recent.toReversed()) {
    if (past.blockNumber !== block && support.suffices()) return true;
    block = past.blockNumber;
    support.count(past, Math.abs(Math.log(past.price / trade.price)) <= agreement);
  }
  return support.suffices();
}

/** The support that recent trades give to a trade's price. */
class Support {
  readonly #trade: Observation;
  readonly #maxWeight: number;
  readonly #blocks = new Set<number>();
  readonly #traders = new Set<string>();
  readonly #earlier = new Set<string>();
  readonly #opponents = new Set<string>();
  #oldest: number;
  /** Total weight of the agreeing trades minus the total weight of the disagreeing trades, in USD. */
  #balance = 0;

  constructor(trade: Observation, maxWeight: number) {
    this.#trade = trade;
    this.#maxWeight = maxWeight;
    this.#oldest = trade.timestamp;
    this.count(trade, true);
  }

  count(past: Observation, agrees: boolean): void {
    this.#balance += (agrees ? 1 : -1) * Math.min(past.usd, this.#maxWeight);
    if (!agrees) {
      this.#opponents.add(past.trader);
      return;
    }
    this.#traders.add(past.trader);
    this.#blocks.add(past.blockNumber);
    this.#oldest = past.timestamp;
    const { trader, blockNumber } = this.#trade;
    if (past.trader !== trader && past.blockNumber !== blockNumber) this.#earlier.add(past.trader);
  }

  suffices(): boolean {
    if (this.#balance <= 0) return false;
    const [supporters, opponents] = [this.#traders.size, this.#opponents.size];
    const independent = this.#earlier.size >= EARLIER_SUPPORTERS && supporters > opponents;
    return independent || (this.#lasts() && supporters >= opponents);
  }

  #lasts(): boolean {
    return this.#blocks.size >= LASTING_BLOCKS && this.#trade.timestamp - this.#oldest >= LASTING_SECONDS;
  }
}
