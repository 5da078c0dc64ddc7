import { setTimeout as sleep } from "node:timers/promises";
import type { Block, BlockRef } from "../../../src/schema/block.ts";
import type { BlockRange, Source } from "../../../src/sources/source.ts";
import type { EndlessChain } from "../../../test/support/nodes/endless-chain.ts";

/**
 * A source of the first blocks of the endless chain. Makes each block when it is read, except the block that
 * `mine` has made in advance.
 */
export class EndlessSource implements Source {
  readonly #chain: EndlessChain;
  readonly #finalDepth: number;
  #blocks: number;
  /** The next block, made before it is offered. */
  #made: Block | null = null;
  #announce: () => void = () => {};
  /** Number of blocks when the head was last read. */
  #seen = 0;
  /** The highest block that was read. */
  newest = 0;

  /** @param finalDepth number of blocks below the head at which a block is final */
  constructor(chain: EndlessChain, blocks: number, finalDepth = 0) {
    this.#chain = chain;
    this.#blocks = blocks;
    this.#finalDepth = finalDepth;
  }

  /**
   * Makes the next block and offers it.
   *
   * @returns its number and the time of the offer
   */
  mine(nowMs: () => number): { number: number; offeredMs: number } {
    const number = this.#chain.first + this.#blocks;
    this.#made = this.#chain.block(number);
    this.#blocks++;
    const offeredMs = nowMs();
    this.#announce();
    return { number, offeredMs };
  }

  async head(): Promise<BlockRef> {
    this.#seen = this.#blocks;
    return this.#ref(this.#chain.first + this.#blocks - 1);
  }

  async nextHead(pollMs: number): Promise<void> {
    if (this.#blocks > this.#seen) return;
    const mined = new Promise<void>((resolve) => {
      this.#announce = resolve;
    });
    await Promise.race([sleep(pollMs), mined]);
  }

  async blockRef(number: number): Promise<BlockRef> {
    return this.#ref(number);
  }

  async hasBlock({ number, hash }: BlockRef): Promise<boolean> {
    return this.#ref(number).hash === hash;
  }

  async requireUndisputed(): Promise<void> {}

  async finalized(): Promise<BlockRef> {
    return this.#ref(Math.max(this.#chain.first, this.#chain.first + this.#blocks - 1 - this.#finalDepth));
  }

  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    for (let number = from; number <= to; number++) {
      signal.throwIfAborted();
      this.newest = number;
      yield this.#made?.number === number ? this.#made : this.#chain.block(number);
    }
  }

  async pastLogs(): Promise<null> {
    return null;
  }

  async call(calls: Parameters<Source["call"]>[0]): ReturnType<Source["call"]> {
    return calls.map((call) => this.#chain.call(call));
  }

  async close(): Promise<void> {}

  #ref(number: number): BlockRef {
    return { number, hash: this.#chain.hash(number) };
  }
}
