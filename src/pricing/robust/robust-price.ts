import { DAY_SECONDS } from "../../lib/seconds.ts";
import { HISTORY_ACCEPTED, type PastTrade } from "../histories/past-trade.ts";
import { median, weightedMedian } from "../weighted-median.ts";

/** A price this near to the level is no outlier however quiet the market: what a pool fee and some slippage make. */
const NEAR = Math.log(1.015);
/** Accepted trades that the level is the median of: eight must agree to move it. */
const LEVEL_TRADES = 15;
/** Of a token's accepted trades, this share were nearer to the level then in force than its reach ... */
const REACH_SHARE = 0.9;
/** ... and so many reaches away a price is far. Of normally distributed ones 0.5 % are. */
const FAR_REACHES = 1.7;
/** What is allowed beyond it to a token of one trade; less with each one that is known. */
const UNKNOWN = 0.35;
/** What a price may move in an hour without trades; in n hours sqrt(n) times that, as a random walk does. */
const DRIFT_PER_SQRT_HOUR = 0.08;
/** However wild or silent the market: four times the level, or a quarter of it, takes several trades to believe. */
const FARTHEST = Math.log(4);
/** No trade, and no trader, weighs more than two trades of the median size. */
const WEIGHT_CAP = 2;
/** Prices so near are one price: what is left of a value that was multiplied and divided by the same amount. */
const SAME_PRICE = 1e-12;
/** Trades agree on a new level if they are nearer to each other than half the way from the old one. */
const AGREEMENT_OF_MOVE = 1 / 2;
/** A new level takes this many senders before the block, beside the trade's own ... */
const EARLIER_SUPPORTERS = 2;
/** ... or, where only one party trades a token, three blocks over a day. */
const LASTING_BLOCKS = 3;
const LASTING_SECONDS = DAY_SECONDS;

/** An accepted or rejected trade: it has a price, and is worth at least MIN_TRADE_USD. */
export interface Observation
  extends Pick<PastTrade, "recordIndex" | "blockNumber" | "timestamp" | "trader" | "quote"> {
  price: number;
  usd: number;
  /** True when the swap's other token is cash. */
  forCash: boolean;
}

/** Where a token's recent accepted trades are: at least one, in chain order. Worked out as far as it is asked for. */
export class Level {
  readonly #accepted: readonly Observation[];
  readonly #votes: readonly Observation[];
  readonly #logPrices: readonly number[];
  readonly #weights: readonly number[];
  /** The most that a trade weighs, in USD. */
  readonly maxWeight: number;
  /** Logarithm of USD per token. */
  readonly logPrice: number;
  #reachFound: number | undefined;

  constructor(accepted: readonly Observation[]) {
    this.#accepted = accepted;
    this.#votes = withoutEchoes(accepted);
    this.#logPrices = this.#votes.map(({ price }) => Math.log(price));
    this.maxWeight = WEIGHT_CAP * median(this.#votes.map(({ usd }) => usd));
    this.#weights = weightsOf(this.#votes, this.maxWeight);
    this.logPrice = this.#medianBefore(this.#votes.length);
  }

  /** How far from the level an honest trade may be, in log price. */
  toleranceAt(now: number): number {
    const known = this.#accepted.length;
    const unknown = UNKNOWN * (1 / known - 1 / HISTORY_ACCEPTED);
    return Math.min(FARTHEST, Math.max(NEAR, FAR_REACHES * this.#reach()) + this.#drift(now) + unknown);
  }

  /** What the price may have moved since the newest accepted trade; no more than the token's own pace makes likely. */
  #drift(now: number): number {
    const known = this.#accepted.length;
    const newest = this.#accepted.at(-1)?.timestamp ?? now;
    const silence = Math.max(0, now - newest);
    const general = DRIFT_PER_SQRT_HOUR * Math.sqrt(silence / 3600);
    if (known < HISTORY_ACCEPTED) return general;
    const usual = Math.max(1, (newest - (this.#accepted[0]?.timestamp ?? newest)) / (known - 1));
    return Math.min(general, this.#reach() * Math.max(0, Math.sqrt(silence / usual) - 1));
  }

  /** What nine in ten of the accepted trades were within of the level that stood before them. */
  #reach(): number {
    this.#reachFound ??= this.#findReach();
    return this.#reachFound;
  }

  #findReach(): number {
    const distances = this.#logPrices
      .map((logPrice, i) => (i === 0 ? 0 : Math.abs(logPrice - this.#medianBefore(i))))
      .slice(1)
      .sort((a, b) => a - b);
    return distances[Math.floor(REACH_SHARE * distances.length)] ?? 0;
  }

  #medianBefore(end: number): number {
    const start = Math.max(0, end - LEVEL_TRADES);
    return weightedMedian(this.#logPrices.slice(start, end), this.#weights.slice(start, end));
  }
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
  const distance = Math.abs(Math.log(trade.price) - level.logPrice);
  if (distance <= NEAR || distance <= level.toleranceAt(trade.timestamp)) return true;
  return persists(trade, { level, distance, recent: evidence.recent() });
}

/** Wherever the median of the accepted trades is, the price is near to it. Spares finding out for most trades. */
function isNearAll(price: number, accepted: readonly Observation[]): boolean {
  const near = Math.exp(NEAR);
  return accepted.every((past) => price <= past.price * near && past.price <= price * near);
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

class Support {
  readonly #trade: Observation;
  readonly #maxWeight: number;
  readonly #blocks = new Set<number>();
  readonly #traders = new Set<string>();
  readonly #earlier = new Set<string>();
  readonly #opponents = new Set<string>();
  #oldest: number;
  /** Weight of those who agree over those who do not, in USD. */
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
    const [voices, opponents] = [this.#traders.size, this.#opponents.size];
    const independent = this.#earlier.size >= EARLIER_SUPPORTERS && voices > opponents;
    return independent || (this.#lasts() && voices >= opponents);
  }

  #lasts(): boolean {
    return this.#blocks.size >= LASTING_BLOCKS && this.#trade.timestamp - this.#oldest >= LASTING_SECONDS;
  }
}
