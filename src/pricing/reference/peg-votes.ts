import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";

/** Maximum age of a vote that counts. */
export const PEG_SECONDS = DAY_SECONDS;
/**
 * Minimum number of minutes with votes in the last hour. If there are fewer, the newest minutes with votes of
 * the last day count instead, up to this number; if the day has fewer, none counts. Minutes are counted
 * rather than votes, so that a single block is never enough.
 */
const ENOUGH_MINUTES = 20;
/** Number of minutes that are kept, even if the last hour has fewer. The newest one may not be over yet. */
export const PEG_MINUTES = ENOUGH_MINUTES + 1;
/**
 * Maximum number of votes kept, enough for an hour with 136 wallets a minute. If more wallets trade, the
 * votes are from less than an hour, but still from all wallets that traded in this time.
 */
export const MOST_PEG_VOTES = 8192;

/** A wallet's first trade of a minute. */
export interface PegVote {
  price: number;
  trader: Hex;
  timestamp: number;
}

/** A minute with votes. */
interface Minute {
  /** Unix seconds. */
  start: number;
  votes: PegVote[];
}

/**
 * The newest votes on the price of a pair of coins: those of the last hour, and those of the newest
 * PEG_MINUTES minutes with votes. Each wallet has one vote in a minute. Otherwise, one wallet could replace
 * the votes of all others for the cost of gas.
 */
export class PegVotes {
  /** In chain order. */
  #minutes: Minute[] = [];
  /** The wallets that voted in the newest minute. */
  readonly #voters = new Set<Hex>();
  #size = 0;

  /**
   * Adds a trade; trades must be added in chain order. Returns false if its wallet has already voted in that
   * minute.
   */
  add(trade: PegVote): boolean {
    const { votes } = this.#minuteOf(trade);
    if (this.#voters.has(trade.trader)) return false;
    this.#voters.add(trade.trader);
    votes.push(trade);
    this.#size += 1;
    if (this.#size > MOST_PEG_VOTES) this.#dropOldest();
    return true;
  }

  /**
   * Returns the votes that count at the start of a minute, in chain order; none if too few minutes have
   * votes.
   */
  countedAt(now: number): PegVote[] {
    const day = this.#minutes.filter(({ start }) => start < now && start >= now - PEG_SECONDS);
    const hour = day.filter(({ start }) => start >= now - HOUR_SECONDS);
    const counted = hour.length < ENOUGH_MINUTES ? day.slice(-ENOUGH_MINUTES) : hour;
    return counted.length < ENOUGH_MINUTES ? [] : counted.flatMap(({ votes }) => votes);
  }

  clear(): void {
    this.#minutes = [];
    this.#voters.clear();
    this.#size = 0;
  }

  /**
   * Returns the minute of a trade. When it begins a new minute, drops the minutes that can no longer count.
   */
  #minuteOf({ timestamp }: PegVote): Minute {
    const start = startOfMinute(timestamp);
    const newest = this.#minutes.at(-1);
    if (newest?.start === start) return newest;
    const minute = { start, votes: [] };
    this.#minutes.push(minute);
    this.#voters.clear();
    while (this.#minutes.length > PEG_MINUTES && (this.#minutes[0]?.start ?? start) < start - HOUR_SECONDS)
      this.#size -= this.#minutes.shift()?.votes.length ?? 0;
    return minute;
  }

  #dropOldest(): void {
    const votes = this.#minutes[0]?.votes;
    votes?.shift();
    if (votes?.length === 0) this.#minutes.shift();
    this.#size -= 1;
  }
}

/**
 * Returns the weight of each vote: the share of the time for which it is its wallet's nearest vote, so that
 * all votes of a wallet together weigh 1. If the votes of a minute would weigh more than 1, their weights are
 * reduced to a total of 1.
 *
 * @param votes in chain order
 * @param end unix seconds, later than the newest vote
 */
export function pegWeights(votes: readonly PegVote[], end: number): number[] {
  const weights = sharesOfWallets(votes, end);
  let first = 0;
  while (first < votes.length) {
    const minute = startOfMinute(votes[first]?.timestamp ?? 0);
    let last = first;
    let total = 0;
    for (; startOfMinute(votes[last]?.timestamp ?? Number.NaN) === minute; last += 1)
      total += weights[last] ?? 0;
    for (let i = first; i < last; i += 1) weights[i] = (weights[i] ?? 0) / Math.max(1, total);
    first = last;
  }
  return weights;
}

/**
 * Returns the share of the time that belongs to each vote. A vote's time extends halfway to its wallet's
 * previous vote, or back to the start, and halfway to the next one, or on to the end.
 */
function sharesOfWallets(votes: readonly PegVote[], end: number): number[] {
  const start = votes[0]?.timestamp ?? end;
  const seconds: number[] = [];
  const newest = new Map<Hex, number>();
  for (const { trader, timestamp } of votes) {
    const before = newest.get(trader);
    const since = before === undefined ? start : ((votes[before]?.timestamp ?? start) + timestamp) / 2;
    if (before !== undefined) seconds[before] = since + (seconds[before] ?? 0);
    newest.set(trader, seconds.length);
    seconds.push(-since);
  }
  for (const i of newest.values()) seconds[i] = end + (seconds[i] ?? 0);
  return seconds.map((each) => each / (end - start));
}

function startOfMinute(timestamp: number): number {
  return timestamp - (timestamp % MINUTE_SECONDS);
}
