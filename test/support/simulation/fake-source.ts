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

export interface SourceHabits {
  /** The chain moves while it is asked, so many times; then it rests. */
  moves: number;
  /** How often a question moves the chain. */
  restlessness: number;
  /** Blocks fetched at once, before the first of them is handed out. */
  span: number;
  /** How often a head is announced whose block is not there yet. */
  late: number;
  /** How often the head is one of some blocks ago, or of the fork that was left. */
  lagging: number;
  leftFork: number;
  /** How often the next head is announced at once, whether or not there is one. */
  duplicates: number;
  slow: number;
  tellsFinality: boolean;
}

/** Tries of a block that is not there or does not link, as the real source makes them. */
const TRIES = 3;

/** A node whose chain moves while it is asked: at every question, perhaps. */
export class FakeSource implements Source {
  readonly chain: MovingChain;
  readonly #dice: Dice;
  readonly #habits: SourceHabits;
  readonly #lateTries = new Map<Hex, number>();
  #movesLeft: number;

  constructor(chain: MovingChain, dice: Dice, habits: SourceHabits) {
    this.chain = chain;
    this.#dice = dice;
    this.#habits = habits;
    this.#movesLeft = habits.moves;
  }

  get isResting(): boolean {
    return this.#movesLeft === 0;
  }

  async head(): Promise<BlockRef> {
    await this.#mayMove("head");
    const { lagging, leftFork } = this.#habits;
    if (this.isResting) return this.chain.head;
    if (this.#dice.chance("left fork", leftFork)) return this.chain.leftHead ?? this.chain.head;
    if (!this.#dice.chance("lagging", lagging)) return this.chain.head;
    const { number } = this.chain.head;
    return refOf(this.chain.at(Math.max(0, number - this.#dice.between("lag", 1, 3)))) ?? this.chain.head;
  }

  async nextHead(pollMs: number): Promise<void> {
    if (!this.#dice.chance("duplicate", this.#habits.duplicates)) await sleep(pollMs);
  }

  async finalized(): Promise<BlockRef | null> {
    await this.#mayMove("finalized");
    if (!this.#habits.tellsFinality || this.#dice.chance("no finality", 0.05)) return null;
    const behind = this.#dice.between("finality lag", 0, 2);
    return refOf(this.chain.at(Math.max(0, this.chain.final - behind)));
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    await this.#mayMove("reference");
    return refOf(this.chain.at(number));
  }

  /** As the real source: spans fetched ahead, links checked, and an end before its time is an error. */
  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    let parent: Block | null = null;
    for (let number = from; number <= to; ) {
      const most = this.#dice.between("span", 1, this.#habits.span);
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

  /** The newest block alone is ever late; how often it has to be asked for is drawn when it is first. */
  #isLate({ block }: FakeBlock): boolean {
    if (this.isResting || block.number < this.chain.head.number) return false;
    const late = this.#dice.chance("late", this.#habits.late);
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
    const { restlessness, slow } = this.#habits;
    if (this.#dice.chance(`slow ${question}`, slow)) await sleep(this.#dice.between("slow ms", 1, 5));
    if (this.isResting || !this.#dice.chance(`moves at ${question}`, restlessness)) return;
    this.#movesLeft--;
    if (this.isResting) this.chain.settle();
    else this.chain.move();
  }
}

/** A source of a chain that does not move. */
export function steadySource(blocks: readonly FakeBlock[]): Source {
  return {
    head: async () => refOf(blocks.at(-1)) as BlockRef,
    nextHead: (pollMs) => sleep(pollMs),
    blockRef: async (number) => refOf(blocks[number]),
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

/** As the real source's: every endpoint was asked several times. */
class BlockNotThere extends BaseError {
  constructor(number: number) {
    super("verification", `block ${number} cannot be proven: the endpoint has no such block yet`, {
      retryable: true,
    });
  }
}
