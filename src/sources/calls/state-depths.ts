import type { Endpoint } from "../endpoints/endpoint.ts";

/** Number of newest blocks whose state every node keeps. It is geth's default, and the lowest one known. */
const KEPT_BLOCKS = 128;

/**
 * Number of blocks by which an endpoint may be behind a block and still be expected to have its state soon:
 * the endpoint's newest block was reported a moment ago, and replicas lag. An endpoint that is further behind
 * has stopped following the chain.
 */
const MAX_LAG = 64;

/**
 * Remembers how far back each endpoint has state. All nodes except archive nodes delete the state of old
 * blocks.
 */
export class StateDepths {
  /** For each endpoint, the depth below its newest block from which on state is not requested from it. */
  readonly #limits = new Map<Endpoint, number>();

  /** Returns false if the block is certainly or very likely too old or too new for the endpoint. */
  mayHave(endpoint: Endpoint, block: number): boolean {
    const depth = depthOf(endpoint, block);
    return depth >= -MAX_LAG && depth < (this.#limits.get(endpoint) ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Records that the endpoint does not have the state of the block. The new limit is half of the block's
   * depth below the endpoint's newest block. Indexing gets closer to the newest block with every batch, so
   * with the depth itself as the limit, every batch would make a useless request. The limit never falls below
   * `KEPT_BLOCKS`, because a node that lacks the state of such a recent block is merely behind.
   */
  lacks(endpoint: Endpoint, block: number): void {
    const limit = Math.max(KEPT_BLOCKS, Math.floor(depthOf(endpoint, block) / 2));
    this.#limits.set(endpoint, Math.min(limit, this.#limits.get(endpoint) ?? limit));
  }

  /**
   * Records that the endpoint kept refusing a call in the state of a block for a reason that does not mention
   * state. Unless every node keeps this state, missing state may still be the reason, because some nodes word
   * it differently. From then on, only state that every node keeps is requested from this endpoint.
   */
  refused(endpoint: Endpoint, block: number): void {
    if (depthOf(endpoint, block) < KEPT_BLOCKS) return;
    this.#limits.set(endpoint, Math.min(KEPT_BLOCKS, this.#limits.get(endpoint) ?? KEPT_BLOCKS));
  }
}

/** Returns how far a block is below the newest block of the endpoint; negative if it is above. */
function depthOf({ newest }: Endpoint, block: number): number {
  return (newest ?? block) - block;
}
