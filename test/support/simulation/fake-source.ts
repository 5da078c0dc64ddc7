import { setTimeout as sleep } from "node:timers/promises";
import { BaseError } from "../../../src/lib/error.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, BlockRef } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import { ReorgDuringRead } from "../../../src/sources/blocks/block-stream.ts";
import type { BlockRange, Source } from "../../../src/sources/source.ts";
import type { Dice } from "./dice.ts";
import { contractAnswer, type FakeBlock } from "./fake-chain.ts";
import type { MovingChain } from "./moving-chain.ts";

export interface SourceProbabilities {
  /** Number of times the chain moves during requests. Afterwards it does not change. */
  moves: number;
  /** The probability that a request moves the chain. */
  moveProbability: number;
  /** Maximum number of blocks to fetch at once, before the first of them is returned. */
  span: number;
  /** The probability that a head is announced before its block is available. */
  late: number;
  /** The probabilities that the head is a few blocks old, and that it belongs to the abandoned fork. */
  lagging: number;
  leftFork: number;
  /** The probability that the next head is announced immediately, even if it is the same. */
  duplicates: number;
  slow: number;
  hasFinalityTag: boolean;
}

/** Number of attempts for a block that is missing or does not link, as in the real source. */
const TRIES = 3;

/** A node whose chain may move during any request. */
export class FakeSource implements Source {
  readonly chain: MovingChain;
  readonly #dice: Dice;
  readonly #probabilities: SourceProbabilities;
  readonly #lateTries = new Map<Hex, number>();
  #movesLeft: number;

  constructor(chain: MovingChain, dice: Dice, probabilities: SourceProbabilities) {
    this.chain = chain;
    this.#dice = dice;
    this.#probabilities = probabilities;
    this.#movesLeft = probabilities.moves;
  }

  get isResting(): boolean {
    return this.#movesLeft === 0;
  }

  async head(): Promise<BlockRef> {
    await this.#mayMove("head");
    const { lagging, leftFork } = this.#probabilities;
    if (this.isResting) return this.chain.head;
    if (this.#dice.chance("left fork", leftFork)) return this.chain.leftHead ?? this.chain.head;
    if (!this.#dice.chance("lagging", lagging)) return this.chain.head;
    const { number } = this.chain.head;
    return refOf(this.chain.at(Math.max(0, number - this.#dice.between("lag", 1, 3)))) ?? this.chain.head;
  }

  async nextHead(pollMs: number): Promise<void> {
    if (!this.#dice.chance("duplicate", this.#probabilities.duplicates)) await sleep(pollMs);
  }

  async finalized(): Promise<BlockRef | null> {
    await this.#mayMove("finalized");
    if (!this.#probabilities.hasFinalityTag || this.#dice.chance("no finality", 0.05)) return null;
    const behind = this.#dice.between("finality lag", 0, 2);
    return refOf(this.chain.at(Math.max(0, this.chain.final - behind)));
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    await this.#mayMove("reference");
    return refOf(this.chain.at(number));
  }

  async hasBlock({ number, hash }: BlockRef): Promise<boolean> {
    await this.#mayMove("confirmation");
    return this.chain.at(number)?.block.hash === hash;
  }

  /** Like the real source with a single endpoint, checks nothing. */
  async requireUndisputed(): Promise<void> {}

  /** Like the real source, fetches spans ahead, checks links, and treats an early end as an error. */
  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    let parent: Block | null = null;
    for (let number = from; number <= to; ) {
      const most = this.#dice.between("span", 1, this.#probabilities.span);
      for (const { block } of await this.#fetch(number, Math.min(to, number + most - 1), signal)) {
        signal.throwIfAborted();
        parent = await this.#linked(parent, block, signal);
        yield parent;
        number++;
      }
    }
  }

  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    await this.#mayMove("call");
    return calls.map(contractAnswer);
  }

  async pastLogs(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {}

  async #fetch(from: number, to: number, signal: AbortSignal): Promise<FakeBlock[]> {
    const span: FakeBlock[] = [];
    for (let number = from; number <= to; number++) span.push(await this.#block(number, signal));
    return span;
  }

  async #block(number: number, signal: AbortSignal): Promise<FakeBlock> {
    for (let tries = 0; tries < TRIES; tries++) {
      signal.throwIfAborted();
      await this.#mayMove("block");
      const found = this.chain.at(number);
      if (found !== undefined && !this.#isLate(found)) return found;
    }
    throw new BlockNotThere(number);
  }

  /**
   * Returns whether a block is still late. Only the newest block can be late. The first request draws the
   * number of attempts that fail.
   */
  #isLate({ block }: FakeBlock): boolean {
    if (this.isResting || block.number < this.chain.head.number) return false;
    const late = this.#dice.chance("late", this.#probabilities.late);
    const left = this.#lateTries.get(block.hash) ?? (late ? this.#dice.between("tries", 1, 2 * TRIES) : 0);
    this.#lateTries.set(block.hash, Math.max(0, left - 1));
    return left > 0;
  }

  async #linked(parent: Block | null, block: Block, signal: AbortSignal): Promise<Block> {
    let child = block;
    for (let tries = 0; parent !== null && child.parentHash !== parent.hash; tries++) {
      if (tries === TRIES) throw new ReorgDuringRead(child.number, "its parent is another");
      child = (await this.#block(child.number, signal)).block;
    }
    return child;
  }

  async #mayMove(question: string): Promise<void> {
    const { moveProbability, slow } = this.#probabilities;
    if (this.#dice.chance(`slow ${question}`, slow)) await sleep(this.#dice.between("slow ms", 1, 5));
    if (this.isResting || !this.#dice.chance(`moves at ${question}`, moveProbability)) return;
    this.#movesLeft--;
    if (this.isResting) this.chain.settle();
    else this.chain.move();
  }
}

/** Returns a source of a chain that does not move. */
export function steadySource(blocks: readonly FakeBlock[]): Source {
  return {
    head: async () => refOf(blocks.at(-1)) as BlockRef,
    nextHead: (pollMs) => sleep(pollMs),
    blockRef: async (number) => refOf(blocks[number]),
    hasBlock: async ({ number, hash }) => blocks[number]?.block.hash === hash,
    requireUndisputed: async () => undefined,
    finalized: async () => null,
    async *blocks({ from, to }) {
      for (const { block } of blocks.slice(from, to + 1)) yield block;
    },
    call: async (calls) => calls.map(contractAnswer),
    pastLogs: async () => null,
    close: async () => {},
  };
}

function refOf(found: FakeBlock): BlockRef;
function refOf(found: FakeBlock | undefined): BlockRef | null;
function refOf(found: FakeBlock | undefined): BlockRef | null {
  return found === undefined ? null : { number: found.block.number, hash: found.block.hash };
}

/** Acts like the error of the real source after several attempts at every endpoint. */
class BlockNotThere extends BaseError {
  constructor(number: number) {
    super("verification", `block ${number} cannot be proven: the endpoint has no such block yet`, {
      retryable: true,
    });
  }
}
