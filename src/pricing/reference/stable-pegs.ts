import type { Hex } from "../../lib/hex.ts";
import { MINUTE_SECONDS } from "../../lib/seconds.ts";
import type { PastTrade } from "../trades/past-trade.ts";
import { type PegVote, PegVotes, pegWeights } from "./peg-votes.ts";

/** A trade of a stablecoin against another one. The other one counts as 1 USD. */
export interface StableTrade extends PastTrade {
  token: Hex;
}

/** Minimum value of a trade: the price of a smaller one is distorted by fees and rounding. */
export const MIN_PEG_USD = 10;
/** Minimum number of wallets: a pair with fewer proves nothing. */
const ENOUGH_TRADERS = 5;
/**
 * Lowest price at which a coin keeps its peg. Stablecoins trade within 1 % of each other even in bad weeks;
 * USDC fell by 12 % in March 2023.
 */
const LOWEST_PEG = 0.98;
/**
 * A coin is below its peg if the votes below LOWEST_PEG outweigh the other votes by more than this, which
 * covers rounding errors.
 */
const LEAD = 1e-9;

/** A pair of coins in the chain's order. */
interface Pair {
  first: Hex;
  second: Hex;
  votes: PegVotes;
}

/** A pair's verdict on a coin. */
interface Verdict {
  isBelow: boolean;
  traders: number;
}

/**
 * Decides which of a chain's stablecoins still trade at about 1 against the others. A coin that most wallets
 * traded below LOWEST_PEG for most of an hour does not count as cash for the reference price until it has
 * been back at its peg for as long. Coins are judged at the start of each minute by the trades before it.
 * Only falling coins lose their peg: if a coin trades above the other coins, the other coins are below their
 * peg.
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
      coins.slice(i + 1).map((second): Pair => ({ first, second, votes: new PegVotes() })),
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

  /**
   * Records a trade if it has a price, is worth MIN_PEG_USD or more, and is its wallet's first in this
   * minute. Of the two trades of a swap, only the trade of the pair's first coin is recorded.
   */
  record({ token, quote, priceTick1, amountUsd, trader, blockNumber, timestamp }: PegCandidate): void {
    const pair = this.#pairs.find(({ first, second }) => first === token && second === quote);
    if (pair === undefined || priceTick1 === null || amountUsd === null || amountUsd < MIN_PEG_USD) return;
    if (pair.votes.add({ price: priceTick1, trader, timestamp })) this.#newestBlock = blockNumber;
  }

  /** Judges the coins as of a time. Returns true if a verdict changed. */
  judgeAt(now: number): boolean {
    const minute = Math.floor(now / MINUTE_SECONDS);
    if (minute === this.#judgedAt) return false;
    this.#judgedAt = minute;
    const before = [...this.#fallen].join();
    const verdicts = new Map(this.#coins.map((coin): [Hex, Verdict[]] => [coin, []]));
    for (const pair of this.#pairs) judge(pair, minute * MINUTE_SECONDS, verdicts);
    this.#fallen = new Set(this.#coins.filter((coin) => isFallen(verdicts.get(coin) ?? [])));
    return [...this.#fallen].join() !== before;
  }

  clear(): void {
    for (const pair of this.#pairs) pair.votes.clear();
    this.#fallen = new Set();
    this.#judgedAt = Number.NaN;
    this.#newestBlock = -1;
  }
}

type PegCandidate = Pick<
  StableTrade,
  "token" | "quote" | "priceTick1" | "amountUsd" | "trader" | "blockNumber" | "timestamp"
>;

/**
 * Adds the pair's verdicts on its two coins at the start of a minute, unless too few wallets have voted. A
 * coin is below its peg if the votes that say so have more than half of the weight.
 */
function judge({ first, second, votes }: Pair, now: number, verdicts: ReadonlyMap<Hex, Verdict[]>): void {
  const counted = votes.countedAt(now);
  const traders = new Set(counted.map(({ trader }) => trader)).size;
  if (traders < ENOUGH_TRADERS) return;
  const weights = pegWeights(counted, now);
  const isBelow = (isVoteBelow: (vote: PegVote) => boolean) => {
    let balance = 0;
    for (const [i, vote] of counted.entries()) balance += (isVoteBelow(vote) ? 1 : -1) * (weights[i] ?? 0);
    return balance > LEAD;
  };
  verdicts.get(first)?.push({ isBelow: isBelow(({ price }) => price < LOWEST_PEG), traders });
  verdicts.get(second)?.push({ isBelow: isBelow(({ price }) => 1 / price < LOWEST_PEG), traders });
}

/**
 * Returns whether a coin has fallen: the pairs in which it is below its peg have at least half of the wallets
 * of all pairs that have a verdict.
 */
function isFallen(verdicts: readonly Verdict[]): boolean {
  const tradersOf = (some: readonly Verdict[]) => some.reduce((sum, { traders }) => sum + traders, 0);
  const below = verdicts.filter(({ isBelow }) => isBelow);
  return below.length > 0 && 2 * tradersOf(below) >= tradersOf(verdicts);
}
