import type { Endpoint } from "../endpoints/endpoint.ts";

/** Number of newest blocks whose state every node keeps: geth's default, and the lowest that is known. */
const KEPT_BLOCKS = 128;

/** Remembers how far back endpoints have state: all but archive nodes delete the state of old blocks. */
export class StateDepths {
  /** For each endpoint, the depth below its newest block from which it is no longer asked. */
  readonly #limits = new Map<Endpoint, number>();

  /** Returns false for blocks that are known, or very likely, to be too old for the endpoint. */
  mayHave(endpoint: Endpoint, block: number): boolean {
    return depthOf(endpoint, block) < (this.#limits.get(endpoint) ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Records that the endpoint does not have the state of the block. The new limit is half of this depth:
   * indexing gets closer to the newest block with every batch, so the depth itself would be tried in vain by
   * every batch.
   */
  lacks(endpoint: Endpoint, block: number): void {
    this.#limits.set(endpoint, Math.floor(Math.max(0, depthOf(endpoint, block)) / 2));
  }

  /**
   * Records that the endpoint kept refusing a call for a reason that does not mention state, because some
   * nodes word it differently. From then on, it is asked only about blocks whose state every node keeps.
   */
  refused(endpoint: Endpoint): void {
    this.#limits.set(endpoint, Math.min(KEPT_BLOCKS, this.#limits.get(endpoint) ?? KEPT_BLOCKS));
  }
}

/** Returns how far a block is below the newest one of the endpoint. */
function depthOf({ newest }: Endpoint, block: number): number {
  return (newest ?? block) - block;
}
