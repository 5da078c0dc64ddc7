import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../../src/lib/hex.ts";
import type { Block, BlockRef } from "../../src/schema/block.ts";
import type { ContractCall } from "../../src/schema/contract-call.ts";
import type { BlockRange, Source } from "../../src/sources/source.ts";
import { childOf, type FakeBlock, genesis } from "./fake-chain.ts";

interface Behaviour {
  random: () => number;
  /** Blocks that a fork takes back at most. */
  maxDepth: number;
  /** The chain moves while it is asked, so many times; then it rests. */
  moves: number;
}

/** A node whose chain grows, forks, flips and falls back while it is asked: at every question, perhaps. */
export class FakeSource implements Source {
  readonly #behaviour: Behaviour;
  #chain: FakeBlock[] = [genesis()];
  #salt = 0;
  #movesLeft: number;
  #highest = 0;

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
    this.#movesLeft = behaviour.moves;
    for (let i = 0; i < 3; i++) this.#grow();
  }

  get isResting(): boolean {
    return this.#movesLeft === 0;
  }

  /** The chain as it is now, oldest first. */
  get canonical(): readonly FakeBlock[] {
    return this.#chain;
  }

  async head(): Promise<BlockRef> {
    await this.#mayMove();
    const lag = !this.isResting && this.#chance(0.1) ? 1 + Math.floor(this.#behaviour.random() * 2) : 0;
    return refOf(this.#chain[Math.max(0, this.#chain.length - 1 - lag)]);
  }

  async nextHead(pollMs: number): Promise<void> {
    await sleep(pollMs);
  }

  async finalized(): Promise<BlockRef | null> {
    return null;
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    const found = this.#chain[number];
    return found === undefined ? null : refOf(found);
  }

  /** Each block as the chain has it when it is its turn: a fork may come between two of them. */
  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    let parent: FakeBlock | null = null;
    for (let number = from; number <= to; number++) {
      signal.throwIfAborted();
      await this.#mayMove();
      const next = this.#chain[number];
      if (next === undefined || (parent !== null && next.block.parentHash !== parent.block.hash)) return;
      yield next.block;
      parent = next;
    }
  }

  /** Tokens say their decimals and symbol; half of them have no name. */
  async call(calls: ContractCall[]): Promise<(Hex | null)[]> {
    return calls.map(({ to, data }) => {
      if (data.startsWith("0x313ce567")) return `0x${"12".padStart(64, "0")}` as Hex;
      return data.startsWith("0x95d89b41") ? bytes32Text(`T${to.slice(2, 6)}`) : null;
    });
  }

  async close(): Promise<void> {}

  async #mayMove(): Promise<void> {
    if (this.#chance(0.2)) await sleep(Math.floor(this.#behaviour.random() * 4));
    if (this.isResting || !this.#chance(0.5)) return;
    this.#movesLeft--;
    if (this.isResting) return this.#rest();
    if (this.#chance(0.35)) this.#fork();
    else this.#grow();
  }

  #chance(probability: number): boolean {
    return this.#behaviour.random() < probability;
  }

  #grow(): void {
    const tip = this.#chain.at(-1) ?? genesis();
    this.#chain.push(childOf(tip, tip.block.number + 1, `salt ${this.#salt++}`));
    this.#highest = Math.max(this.#highest, tip.block.number + 1);
  }

  /** Takes some blocks back and grows others: fewer, as many or more. */
  #fork(): void {
    const { random, maxDepth } = this.#behaviour;
    const deepest = Math.min(
      maxDepth,
      this.#chain.length - 1,
      maxDepth - (this.#highest - this.#chain.length + 1),
    );
    const depth = Math.floor(random() * (deepest + 1));
    this.#chain = this.#chain.slice(0, this.#chain.length - depth);
    const regrown = Math.max(0, depth - 1 + Math.floor(random() * 3));
    for (let i = 0; i < regrown; i++) this.#grow();
  }

  /** The last word is a chain longer than all before, as a real chain's is. */
  #rest(): void {
    const length = this.#highest + 2;
    while (this.#chain.length < length) this.#grow();
  }
}

function refOf(block: FakeBlock | undefined): BlockRef {
  const { number, hash } = (block ?? genesis()).block;
  return { number, hash };
}

function bytes32Text(text: string): Hex {
  return `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
}
