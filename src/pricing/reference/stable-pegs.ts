import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";
import { weightedMedian } from "../math/weighted-median.ts";
import type { PastTrade } from "../trades/past-trade.ts";

/** A trade of a stable coin against another, which is valued at 1 USD. */
export interface StableTrade extends PastTrade {
  token: Hex;
}

/**
 * Maximum number of a pair's trades that count per minute: the first ones. Bounds memory, and keeps a busy
 * minute from outvoting the hour.
 */
export const PEG_TRADES_A_MINUTE = 8;
/** Maximum number of trades kept per pair: those of at least 61 minutes. */
export const PEG_TRADES = 512;
/** Minimum value of a trade: the price of a smaller one is distorted by fees and rounding. */
export const MIN_PEG_USD = 10;
/** Trades older than this do not count. */
export const PEG_SECONDS = DAY_SECONDS;
/**
 * Minimum number of trades in the last hour. If it has fewer, this many of the last day count; if the day has
 * fewer, none does.
 */
const ENOUGH_TRADES = 20;
/** Minimum number of traders: a pair with fewer proves nothing. */
const ENOUGH_TRADERS = 5;
/**
 * Lowest price at which a coin keeps its peg. Stable coins trade within 1 % of each other even in bad weeks;
 * USDC fell by 12 % in March 2023.
 */
const LOWEST_PEG = 0.98;

interface Vote {
  price: number;
  trader: Hex;
  blockNumber: number;
  timestamp: number;
}

/** A pair of coins in the chain's order. */
interface Pair {
  first: Hex;
  second: Hex;
  votes: Vote[];
}

/** A pair's verdict on a coin. */
interface Verdict {
  isBelow: boolean;
  traders: number;
}

/**
 * Decides which of a chain's stable coins still trade at 1 against the others. A coin that was below 1 for
 * most of an hour of trading does not count as cash for the reference price until it has been back for as
 * long. Coins are judged at the start of each minute by the trades before it. Only falling coins lose their
 * peg: a coin above the others means that the others are below.
 */
export class StablePegs {
  readonly #coins: readonly Hex[];
  readonly #pairs: Pair[];
  #fallen: ReadonlySet<Hex> = new Set();
  #judgedAt = Number.NaN;
  #newestBlock = -1;

  constructor(coins: readonly Hex[]) {
    this.#coins = coins;
    this.#pairs = coins.flatMap((first, i) =>
      coins.slice(i + 1).map((second): Pair => ({ first, second, votes: [] })),
    );
  }

  /** Block of the newest trade that counts; -1 before the first. */
  get newestBlock(): number {
    return this.#newestBlock;
  }

  /** Returns true if a coin counts as cash at the time given to judgeAt(). */
  isCash(coin: Hex): boolean {
    return !this.#fallen.has(coin);
  }

  /** Records a trade if it counts: one of a swap's two trades does. */
  record({ token, quote, priceTick1, amountUsd, trader, blockNumber, timestamp }: PegCandidate): void {
    const pair = this.#pairs.find(({ first, second }) => first === token && second === quote);
    if (pair === undefined || priceTick1 === null || amountUsd === null || amountUsd < MIN_PEG_USD) return;
    const { votes } = pair;
    const earlier = votes.at(-PEG_TRADES_A_MINUTE);
    if (earlier !== undefined && minuteOf(earlier.timestamp) === minuteOf(timestamp)) return;
    votes.push({ price: priceTick1, trader, blockNumber, timestamp });
    if (votes.length > PEG_TRADES) votes.shift();
    this.#newestBlock = blockNumber;
  }

  /** Judges the coins as of a time. Returns true if a verdict changed. */
  judgeAt(now: number): boolean {
    const minute = minuteOf(now);
    if (minute === this.#judgedAt) return false;
    this.#judgedAt = minute;
    const before = [...this.#fallen].join();
    const verdicts = new Map(this.#coins.map((coin): [Hex, Verdict[]] => [coin, []]));
    for (const pair of this.#pairs) judge(pair, minute * MINUTE_SECONDS, verdicts);
    this.#fallen = new Set(this.#coins.filter((coin) => isFallen(verdicts.get(coin) ?? [])));
    return [...this.#fallen].join() !== before;
  }

  clear(): void {
    for (const pair of this.#pairs) pair.votes = [];
    this.#fallen = new Set();
    this.#judgedAt = Number.NaN;
    this.#newestBlock = -1;
  }
}

type PegCandidate = Pick<
  StableTrade,
  "token" | "quote" | "priceTick1" | "amountUsd" | "trader" | "blockNumber" | "timestamp"
>;

function minuteOf(timestamp: number): number {
  return Math.floor(timestamp / MINUTE_SECONDS);
}

/** Adds the pair's verdicts on its two coins, by its trades before a time. */
function judge({ first, second, votes }: Pair, before: number, verdicts: ReadonlyMap<Hex, Verdict[]>): void {
  const counted = countedVotes(votes, before);
  const traders = new Set(counted.map(({ trader }) => trader)).size;
  if (counted.length < ENOUGH_TRADES || traders < ENOUGH_TRADERS) return;
  const price = weightedMedian(
    counted.map((vote) => vote.price),
    weightsOf(counted),
  );
  verdicts.get(first)?.push({ isBelow: price < LOWEST_PEG, traders });
  verdicts.get(second)?.push({ isBelow: 1 / price < LOWEST_PEG, traders });
}

function countedVotes(votes: readonly Vote[], before: number): Vote[] {
  const day = votes.filter(({ timestamp }) => timestamp < before && timestamp >= before - PEG_SECONDS);
  const hour = day.filter(({ timestamp }) => timestamp >= before - HOUR_SECONDS);
  return hour.length < ENOUGH_TRADES ? day.slice(-ENOUGH_TRADES) : hour;
}

/** A trader's votes together weigh at most one, and so do a block's. */
function weightsOf(votes: readonly Vote[]): number[] {
  const traders = new Map<Hex, number>();
  const blocks = new Map<number, number>();
  for (const { trader, blockNumber } of votes) {
    traders.set(trader, (traders.get(trader) ?? 0) + 1);
    blocks.set(blockNumber, (blocks.get(blockNumber) ?? 0) + 1);
  }
  return votes.map(
    ({ trader, blockNumber }) => 1 / Math.max(traders.get(trader) ?? 1, blocks.get(blockNumber) ?? 1),
  );
}

/**
 * Returns whether a coin has fallen: it is below 1 in enough pairs, those with at least half of the traders
 * of all pairs that have a verdict.
 */
function isFallen(verdicts: readonly Verdict[]): boolean {
  const tradersOf = (some: readonly Verdict[]) => some.reduce((sum, { traders }) => sum + traders, 0);
  const below = verdicts.filter(({ isBelow }) => isBelow);
  return below.length > 0 && 2 * tradersOf(below) >= tradersOf(verdicts);
}
