import type { PastTrade } from "./past-trade.ts";
import { median, weightedMedian } from "./weighted-median.ts";

/** A price this near to the level is no outlier however quiet the market: twice a 1 % pool fee, and some slippage. */
const NEAR = 1.05;
/** Otherwise a price is far when it is so many spreads away; fee tiers and slippage have fat tails. */
const FAR_SPREADS = 6;
/** Standard deviation of a normal distribution over its median absolute deviation. */
const MAD_TO_SIGMA = 1.4826;
/** What the spread is taken to be larger while a token has one trade; with n trades the n-th part of it. */
const UNKNOWN_SPREAD = 0.1;
/** What a price may move in an hour without trades; in n hours sqrt(n) times that, as a random walk does. */
const DRIFT_PER_SQRT_HOUR = 0.08;
/** However wild or silent the market: four times the level, or a quarter of it, takes several trades to believe. */
const FARTHEST = Math.log(4);
/** No trade, and no trader, weighs more than three trades of the median size. */
const WEIGHT_CAP = 3;
/** Prices so near are one price: what is left of a value that was multiplied and divided by the same amount. */
const SAME_PRICE = 1e-12;
/**
 * Trades agree on a new level within 15 %, or within a third of the way to it while the price still runs, if they
 * are nearer to each other than to the old level.
 */
const AGREEMENT = Math.log(1.15);
const AGREEMENT_OF_MOVE = 1 / 3;
/** A new level takes three transactions of three senders, not all in one block ... */
const SUPPORTERS = 3;
const SUPPORTING_BLOCKS = 2;
/** ... or, where only one party trades a token, three transactions in three blocks over a day. */
const LASTING_SECONDS = 86_400;

/** An accepted or rejected trade: it has a price, and is worth at least MIN_TRADE_USD. */
export interface Observation
  extends Pick<PastTrade, "recordIndex" | "blockNumber" | "timestamp" | "transactionHash" | "trader"> {
  price: number;
  usd: number;
  /** True when the swap's other token is cash. */
  forCash: boolean;
}

/** Where a token's recent accepted trades are. */
export interface Level {
  /** USD per token. */
  price: number;
  /** Standard deviation of log prices, estimated robustly. */
  spread: number;
  /** The most that a trade weighs, in USD. */
  maxWeight: number;
  /** Time of the newest accepted trade. */
  timestamp: number;
}

/** The level of accepted trades, at least one, in chain order. */
export function levelOf(accepted: readonly Observation[]): Level {
  const votes = withoutEchoes(accepted);
  const prices = votes.map((vote) => vote.price);
  const maxWeight = WEIGHT_CAP * median(votes.map(({ usd }) => usd));
  const weights = weightsOf(votes, maxWeight);
  const price = weightedMedian(prices, weights);
  const deviations = prices.map((vote) => Math.abs(Math.log(vote / price)));
  const spread = MAD_TO_SIGMA * weightedMedian(deviations, weights) + UNKNOWN_SPREAD / accepted.length;
  return { price, spread, maxWeight, timestamp: accepted.at(-1)?.timestamp ?? 0 };
}

/** What a trade is judged by. */
export interface Evidence {
  /** The accepted trades that make the level. */
  accepted: readonly Observation[];
  /** Their level; only where there are any. */
  level: () => Level;
  /** The token's newest trades, accepted and rejected, in chain order. */
  recent: () => Observation[];
}

/** Whether a trade worth counting is believed. The first of a token's trades is: there is nothing to doubt it by. */
export function isAccepted(trade: Observation, evidence: Evidence): boolean {
  if (isNearAll(trade.price, evidence.accepted)) return true;
  const level = evidence.level();
  const distance = Math.abs(Math.log(trade.price / level.price));
  if (distance <= tolerance(level, trade.timestamp)) return true;
  return persists(trade, { level, distance, recent: evidence.recent() });
}

/** Wherever the median of the accepted trades is, the price is near to it. Spares finding out for most trades. */
function isNearAll(price: number, accepted: readonly Observation[]): boolean {
  return accepted.every((past) => price <= past.price * NEAR && past.price <= price * NEAR);
}

function tolerance(level: Level, now: number): number {
  const hours = Math.max(0, now - level.timestamp) / 3600;
  const near = Math.log(NEAR) + DRIFT_PER_SQRT_HOUR * Math.sqrt(hours);
  return Math.min(Math.max(near, FAR_SPREADS * level.spread), FARTHEST);
}

/**
 * Leaves out swaps against another token that repeat the price in force: it may be what they were valued at, and
 * then they prove nothing.
 */
export function withoutEchoes(trades: readonly Observation[]): Observation[] {
  return trades.filter((trade, i) => {
    const previous = trades[i - 1];
    if (trade.forCash || previous === undefined) return true;
    return Math.abs(trade.price / previous.price - 1) > SAME_PRICE;
  });
}

/** Trades weigh their value, but neither one trade nor all of one trader's more than `maxWeight`. */
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

interface Surroundings {
  level: Level;
  /** Of the trade from the level, in log price. */
  distance: number;
  recent: readonly Observation[];
}

/**
 * Looks back from the trade, one whole block after the other, until those who agree with it are independent of
 * each other and outweigh those who do not. Whole blocks: whoever orders a block's transactions could
 * otherwise keep the market's trades out of sight.
 */
function persists(trade: Observation, { level, distance, recent }: Surroundings): boolean {
  const agreement = Math.max(AGREEMENT, AGREEMENT_OF_MOVE * distance);
  const support = new Support(trade, level.maxWeight);
  let block = trade.blockNumber;
  for (const past of recent.toReversed()) {
    if (past.blockNumber !== block && support.suffices()) return true;
    block = past.blockNumber;
    const apart = Math.abs(Math.log(past.price / trade.price));
    const moved = Math.abs(Math.log(past.price / level.price));
    support.count(past, apart <= agreement && apart < moved);
  }
  return support.suffices();
}

class Support {
  readonly #maxWeight: number;
  readonly #newest: number;
  readonly #transactions = new Set<string>();
  readonly #traders = new Set<string>();
  readonly #blocks = new Set<number>();
  #oldest: number;
  /** Weight of those who agree over those who do not, in USD. */
  #balance = 0;

  constructor(trade: Observation, maxWeight: number) {
    this.#maxWeight = maxWeight;
    this.#newest = trade.timestamp;
    this.#oldest = trade.timestamp;
    this.count(trade, true);
  }

  count(trade: Observation, agrees: boolean): void {
    this.#balance += (agrees ? 1 : -1) * Math.min(trade.usd, this.#maxWeight);
    if (!agrees) return;
    this.#transactions.add(trade.transactionHash);
    this.#traders.add(trade.trader);
    this.#blocks.add(trade.blockNumber);
    this.#oldest = trade.timestamp;
  }

  suffices(): boolean {
    if (this.#transactions.size < SUPPORTERS || this.#balance <= 0) return false;
    const independent = this.#traders.size >= SUPPORTERS && this.#blocks.size >= SUPPORTING_BLOCKS;
    const lasting = this.#blocks.size >= SUPPORTERS && this.#newest - this.#oldest >= LASTING_SECONDS;
    return independent || lasting;
  }
}
