import type { PastTrade } from "./past-trade.ts";
import { cappedWeights, median, weightedMedian } from "./weighted-median.ts";

/** A price this near to the level is no outlier however quiet the market: twice a 1 % pool fee, and some slippage. */
const NEAR = Math.log(1.05);
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

/** The level of accepted trades, given in chain order; null when there are none. */
export function levelOf(accepted: readonly Observation[]): Level | null {
  const newest = accepted.at(-1);
  if (newest === undefined) return null;
  const votes = withoutEchoes(accepted);
  const weights = cappedWeights(
    votes.map(({ usd }) => usd),
    WEIGHT_CAP,
  );
  const maxWeight = WEIGHT_CAP * median(votes.map(({ usd }) => usd));
  const shares = shareByTrader(votes, weights, maxWeight);
  const price = weightedMedian(votes.map((vote, i) => ({ value: vote.price, weight: shares[i] ?? 0 })));
  const deviations = votes.map((vote, i) => ({
    value: Math.abs(Math.log(vote.price / price)),
    weight: shares[i] ?? 0,
  }));
  const spread = MAD_TO_SIGMA * weightedMedian(deviations) + UNKNOWN_SPREAD / accepted.length;
  return { price, spread, maxWeight, timestamp: newest.timestamp };
}

/** What a trade is judged by. */
export interface Evidence {
  /** null: no trade of the token was accepted yet. */
  level: Level | null;
  /** The token's recent trades, accepted and rejected, in chain order. */
  recent: () => Observation[];
}

/** Whether a trade worth counting is believed. The first of a token's trades is: there is nothing to doubt it by. */
export function isAccepted(trade: Observation, { level, recent }: Evidence): boolean {
  if (level === null) return true;
  const distance = Math.abs(Math.log(trade.price / level.price));
  return (
    distance <= tolerance(level, trade.timestamp) || persists(trade, { level, distance, recent: recent() })
  );
}

function tolerance(level: Level, now: number): number {
  const hours = Math.max(0, now - level.timestamp) / 3600;
  const near = NEAR + DRIFT_PER_SQRT_HOUR * Math.sqrt(hours);
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

function shareByTrader(votes: readonly Observation[], weights: number[], maxWeight: number): number[] {
  const totals = new Map<string, number>();
  for (const [i, { trader }] of votes.entries()) {
    totals.set(trader, (totals.get(trader) ?? 0) + (weights[i] ?? 0));
  }
  return votes.map(({ trader }, i) => {
    const total = totals.get(trader) ?? 0;
    return (weights[i] ?? 0) * (total > maxWeight ? maxWeight / total : 1);
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
