import type { Observation } from "./robust-price.ts";

/** Maximum number of observations that are kept. Evidence is taken from whole blocks, as far as they fit. */
export const MOST_VOTES = 100;

/**
 * The newest observations with one verdict, in chain order. Each sender has one vote in a block, its first.
 * Otherwise, one wallet could replace the votes of all others for the cost of gas.
 */
export class Votes {
  readonly #newest: Observation[] = [];

  add(observation: Observation): void {
    if (this.#hasVoted(observation)) return;
    this.#newest.push(observation);
    if (this.#newest.length > MOST_VOTES) this.#newest.shift();
  }

  newest(count: number): Observation[] {
    return this.#newest.slice(startOfWholeBlocks(this.#newest, count));
  }

  get size(): number {
    return this.#newest.length;
  }

  get isFull(): boolean {
    return this.size === MOST_VOTES;
  }

  some(condition: (vote: Observation) => boolean): boolean {
    return this.#newest.some(condition);
  }

  #hasVoted({ blockNumber, trader }: Observation): boolean {
    for (let i = this.#newest.length - 1; i >= 0; i -= 1) {
      const vote = this.#newest[i];
      if (vote?.blockNumber !== blockNumber) return false;
      if (vote.trader === trader) return true;
    }
    return false;
  }
}

/**
 * Returns the index of the first vote of the newest whole blocks that have at least `count` votes, or of all
 * blocks if there are fewer votes. Blocks are not divided, because the votes at the end of a block could
 * otherwise replace the rest.
 */
export function startOfWholeBlocks(votes: readonly Observation[], count: number): number {
  let start = Math.max(0, votes.length - count);
  while (start > 0 && votes[start - 1]?.blockNumber === votes[start]?.blockNumber) start -= 1;
  return start;
}
