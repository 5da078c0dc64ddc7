import type { Hex } from "../../lib/hex.ts";
import {
  type Evidence,
  isAccepted,
  Level,
  type Observation,
  REACH_VOTES,
  REJECTED_VOTES,
  repeats,
} from "../robust/robust-price.ts";
import { MOST_VOTES, Votes } from "../robust/votes.ts";
import { isWorthCounting, type PastTrade, WINDOW_SECONDS } from "../trades/past-trade.ts";
import { TokenWindows } from "./windows.ts";

/**
 * The part of the past on which the next trade of one token depends. It is a pure function of the token's
 * past trades.
 */
export class TokenHistory {
  readonly windows = new TokenWindows();
  readonly #votes = new Votes();
  readonly #rejected = new Votes();
  #evidence: Evidence = this.#gather();
  #evidenceBlock = -1;
  #newestAccepted: Observation | null = null;
  #newestBlock = -1;

  /** Current USD price of the token: the price of the latest accepted trade; null before the first. */
  get robustPrice(): number | null {
    return this.#newestAccepted?.price ?? null;
  }

  /** Record index of the latest accepted trade; -1 before the first. */
  get robustIndex(): number {
    return this.#newestAccepted?.recordIndex ?? -1;
  }

  /** Block of the newest trade; -1 before the first. */
  get newestBlock(): number {
    return this.#newestBlock;
  }

  /** Returns true if the token got a price within the last day from cash that kept its peg. */
  hasPriceWithout(isFallen: (coin: Hex) => boolean, now: number): boolean {
    return this.#votes.some(
      ({ quote, timestamp, forCash }) => forCash && timestamp > now - WINDOW_SECONDS && !isFallen(quote),
    );
  }

  /** Returns true if the robust rule accepts the price of a trade that is not recorded yet. */
  accepts(trade: PastTrade, forCash: boolean): boolean {
    const observation = observationOf(trade, forCash);
    if (observation === null) return false;
    return isAccepted(observation, this.#evidenceFor(trade.blockNumber));
  }

  /** Adds a trade with its verdict. Trades must be added in chain order. */
  record(trade: PastTrade, forCash: boolean): void {
    const { timestamp, amountUsd: usd, amountToken, priceTick1, accepted, side } = trade;
    const token = priceTick1 === null ? null : amountToken;
    this.windows.push({ timestamp, usd, token, accepted, buy: side === "buy", forCash });
    this.#newestBlock = trade.blockNumber;
    const observation = observationOf(trade, forCash);
    if (observation === null) return;
    if (!accepted) this.#rejected.add(observation);
    else if (!repeats(observation, this.robustPrice)) this.#votes.add(observation);
    if (accepted) this.#newestAccepted = observation;
  }

  /**
   * Returns the evidence for the trades of a block. It uses the level before the block, so that no block can
   * shift the level by which its own trades are judged. A token's first block has no such level, so each of
   * its trades is judged by the trades before it.
   */
  #evidenceFor(block: number): Evidence {
    if (block !== this.#evidenceBlock || this.#isFirstBlock(block)) this.#evidence = this.#gather();
    this.#evidenceBlock = block;
    return this.#evidence;
  }

  #gather(): Evidence {
    const votes = this.#votes.newest(REACH_VOTES);
    let level: Level | undefined;
    return {
      votes,
      level: () => {
        level ??= new Level(votes);
        return level;
      },
      recent: () => this.#recent(),
    };
  }

  #isFirstBlock(block: number): boolean {
    return !this.#votes.isFull && !this.#votes.some(({ blockNumber }) => blockNumber !== block);
  }

  /**
   * Returns the newest votes and rejected trades, in chain order. Rejected trades older than the oldest vote
   * are left out, because the votes that opposed them have been dropped.
   */
  #recent(): Observation[] {
    const votes = this.#votes.newest(REACH_VOTES);
    const isFull = votes.length >= REACH_VOTES;
    const since = isFull ? (votes[0]?.blockNumber ?? -1) : -1;
    const rejected = this.#rejected.newest(REJECTED_VOTES).filter(({ blockNumber }) => blockNumber >= since);
    return [...votes, ...rejected].sort((a, b) => a.recordIndex - b.recordIndex);
  }
}

/** Returns a trade as an observation; null if it does not prove a price. */
function observationOf(trade: PastTrade, forCash: boolean): Observation | null {
  const { priceTick1: price, amountUsd: usd } = trade;
  if (price === null || usd === null || !isWorthCounting(trade)) return null;
  const { recordIndex, blockNumber, timestamp, trader, quote } = trade;
  return { recordIndex, blockNumber, timestamp, trader, quote, price, usd, forCash };
}

/**
 * Returns true if the token's evidence may include trades older than those in `history`.
 *
 * @param history the newest accepted and the newest rejected trades of the token: at least MOST_VOTES of
 * each, or all if there are fewer
 */
export function mayLackVotes(history: readonly PastTrade[], isCash: (token: Hex) => boolean): boolean {
  const accepted: Observation[] = [];
  const rejected: Observation[] = [];
  for (const trade of history) {
    const observation = observationOf(trade, isCash(trade.quote));
    if (observation !== null) (trade.accepted ? accepted : rejected).push(observation);
  }
  const proving = accepted.filter((trade, i) => !repeats(trade, accepted[i - 1]?.price ?? null));
  return (
    (accepted.length >= MOST_VOTES && votesAfterOldestBlock(proving) < REACH_VOTES) ||
    (rejected.length >= MOST_VOTES && votesAfterOldestBlock(rejected) < REJECTED_VOTES)
  );
}

/** Returns the number of votes outside the oldest block, whose votes may be incomplete. */
function votesAfterOldestBlock(observations: readonly Observation[]): number {
  const votes = new Votes();
  const oldest = observations[0]?.blockNumber;
  for (const observation of observations) if (observation.blockNumber !== oldest) votes.add(observation);
  return votes.size;
}
