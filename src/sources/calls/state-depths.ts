import type { Endpoint } from "../endpoints/endpoint.ts";

/** Every node keeps the state of this many blocks: geth's default, and the lowest that is known. */
const KEPT_BLOCKS = 128;

/** How far back endpoints have state: nodes other than archives delete that of old blocks. */
export class StateDepths {
  /** Blocks before its newest from which on an endpoint is not asked. */
  readonly #limits = new Map<Endpoint, number>();

  /** False for blocks that are known, or very likely, to be too old for the endpoint. */
  mayHave(endpoint: Endpoint, block: number): boolean {
    return depthOf(endpoint, block) < (this.#limits.get(endpoint) ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Records that the endpoint has no state of the block. Half of this depth is the new limit, because indexing
   * comes nearer to the newest block with every batch: at the depth itself, it would ask in vain every time.
   */
  lacks(endpoint: Endpoint, block: number): void {
    this.#limits.set(endpoint, Math.floor(Math.max(0, depthOf(endpoint, block)) / 2));
  }

  /**
   * Records that the endpoint kept refusing a call for a reason that does not mention state: some word it in
   * their own way. Only blocks whose state it certainly has are asked for again.
   */
  refused(endpoint: Endpoint): void {
    this.#limits.set(endpoint, Math.min(KEPT_BLOCKS, this.#limits.get(endpoint) ?? KEPT_BLOCKS));
  }
}

/** Blocks from the given one to the newest of the endpoint. */
function depthOf({ newest }: Endpoint, block: number): number {
  return (newest ?? block) - block;
}
