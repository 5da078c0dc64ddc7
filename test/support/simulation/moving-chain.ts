import type { Hex } from "../../../src/lib/hex.ts";
import type { BlockRef } from "../../../src/schema/block.ts";
import type { Dice } from "./dice.ts";
import { type BlockProbabilities, childOf, type FakeBlock, genesis } from "./fake-chain.ts";

export interface ChainProbabilities {
  blocks: BlockProbabilities;
  /**
   * Depth below the highest block that the chain has ever had. Blocks at this depth or deeper are never
   * rolled back.
   */
  finalityBlocks: number;
  /** Minimum depth of a fork, if finality allows it. */
  leastDepth: number;
  /** Weights of the kinds of move. `grow` adds blocks. */
  grow: number;
  fork: number;
  /** Returns to an abandoned fork. */
  flip: number;
  /** Removes blocks without replacement. */
  cut: number;
}

/** Maximum number of abandoned forks that the chain may return to. */
const FORKS_KEPT = 6;

/**
 * A chain that grows, forks, returns to old forks and loses blocks. With the same seed, the n-th move is the
 * same in every run.
 */
export class MovingChain {
  /** The moves so far, one per line. */
  readonly history: string[] = [];
  readonly #dice: Dice;
  readonly #probabilities: ChainProbabilities;
  readonly #left: (readonly FakeBlock[])[] = [];
  readonly #seen = new Map<Hex, FakeBlock>();
  #blocks: readonly FakeBlock[] = [];
  #salt = 0;
  #highest = -1;

  constructor(dice: Dice, probabilities: ChainProbabilities, length = 4) {
    this.#dice = dice;
    this.#probabilities = probabilities;
    this.#become([genesis()]);
    this.#grow(length - 1);
  }

  /** The current chain, oldest block first. */
  get blocks(): readonly FakeBlock[] {
    return this.#blocks;
  }

  get head(): BlockRef {
    return refOf(this.#blocks.at(-1));
  }

  /** Number of the newest block that is never rolled back. */
  get final(): number {
    return Math.max(0, this.#highest - this.#probabilities.finalityBlocks);
  }

  /** The tip of the most recently abandoned fork. */
  get leftHead(): BlockRef | null {
    const left = this.#left.at(-1);
    return left === undefined ? null : refOf(left.at(-1));
  }

  at(number: number): FakeBlock | undefined {
    return this.#blocks[number];
  }

  /** Returns a block of any fork. */
  named(hash: Hex): FakeBlock | undefined {
    return this.#seen.get(hash);
  }

  move(): void {
    const { grow, fork, flip, cut } = this.#probabilities;
    const draw = this.#dice.draw("move") * (grow + fork + flip + cut);
    if (draw < grow) this.#growSome();
    else if (draw < grow + fork) this.#fork();
    else if (draw < grow + fork + flip) this.#flip();
    else this.#cut();
  }

  /** Extends the chain so that it is at least as long as it has ever been, as on a real chain. */
  settle(): void {
    const missing = this.#highest + 1 - this.#blocks.length + this.#dice.between("settle", 0, 2);
    this.#log(`settles, +${missing}`, () => this.#grow(missing));
  }

  /** Rolls back `depth` blocks and adds `grown` new ones. */
  reorganize(depth: number, grown = depth + 1): void {
    this.#log(`fork -${depth} +${grown}`, () => {
      this.#become(this.#blocks.slice(0, this.#blocks.length - depth));
      this.#grow(grown);
    });
  }

  extend(count: number): void {
    this.#log(`grow +${count}`, () => this.#grow(count));
  }

  /** The number of blocks that may be rolled back. */
  get deepest(): number {
    return Math.max(0, this.#blocks.length - 1 - this.final);
  }

  #growSome(): void {
    this.extend(this.#dice.between("grow", 1, 3));
  }

  /** Rolls back some blocks and adds fewer, the same number, or more. */
  #fork(): void {
    const least = Math.min(this.#probabilities.leastDepth, this.deepest);
    const depth = this.#dice.between("depth", least, this.deepest);
    this.reorganize(depth, Math.max(0, depth - 1 + this.#dice.between("regrown", 0, 2)));
  }

  #flip(): void {
    const usable = this.#left.filter((left) => this.#mayBecome(left));
    const other = usable[Math.floor(this.#dice.draw("flip") * usable.length)];
    if (other === undefined) this.#growSome();
    else this.#log("flip", () => this.#become(other));
  }

  #cut(): void {
    const depth = this.#dice.between("cut", 0, Math.min(2, this.deepest));
    this.#log(`cut -${depth}`, () => this.#become(this.#blocks.slice(0, this.#blocks.length - depth)));
  }

  #mayBecome(other: readonly FakeBlock[]): boolean {
    return other.at(-1) !== this.#blocks.at(-1) && other[this.final] === this.#blocks[this.final];
  }

  #grow(count: number): void {
    for (let i = 0; i < count; i++) {
      const parent = this.#blocks.at(-1) ?? genesis();
      const salt = `salt ${this.#salt++}`;
      const child = childOf(parent, {
        number: parent.block.number + 1,
        salt,
        probabilities: this.#probabilities.blocks,
      });
      this.#blocks = [...this.#blocks, child];
      this.#note(child);
    }
  }

  #become(blocks: readonly FakeBlock[]): void {
    if (this.#blocks.length > 0) this.#left.push(this.#blocks);
    if (this.#left.length > FORKS_KEPT) this.#left.shift();
    this.#blocks = blocks;
    for (const block of blocks) this.#note(block);
  }

  #note(block: FakeBlock): void {
    this.#seen.set(block.block.hash, block);
    this.#highest = Math.max(this.#highest, block.block.number);
  }

  #log(what: string, move: () => void): void {
    move();
    const { number, hash } = this.head;
    this.history.push(`${what} -> ${number} ${hash.slice(2, 8)}, final ${this.final}`);
  }
}

function refOf(block: FakeBlock | undefined): BlockRef {
  const { number, hash } = (block ?? genesis()).block;
  return { number, hash };
}
