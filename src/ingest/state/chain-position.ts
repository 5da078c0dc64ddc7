import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { ChainCommits, Commit, Engine } from "../../storage/store.ts";
import type { Committed } from "../blocks/block-pipeline.ts";
import type { StoredChain } from "../reorg/reorg.ts";
import { storedBlock } from "../reorg/stored-block.ts";

/** How far the chain is committed. */
export class ChainPosition {
  readonly #store: ChainCommits;
  readonly #engine: Engine;
  readonly #from: number;
  /** Newest commit; null while nothing is indexed, and until reload() reads it. */
  #commit: Commit | null = null;
  #stored: StoredChain;

  /** @param from first block to index if nothing is indexed yet */
  constructor(store: ChainCommits, engine: Engine, from: number) {
    this.#store = store;
    this.#engine = engine;
    this.#from = from;
    this.#stored = { firstBlock: from, tip: null, finalized: null };
  }

  get stored(): StoredChain {
    return this.#stored;
  }

  /** The block to index next. */
  get next(): number {
    const { tip, firstBlock } = this.#stored;
    return tip === null ? firstBlock : tip.number + 1;
  }

  /** The committed blocks that the pipeline may read; null while there are none. */
  get committed(): Committed | null {
    if (this.#commit === null) return null;
    const { firstBlock, blockNumber, timestamp } = this.#commit;
    return { firstBlock, blockNumber, timestamp };
  }

  /** Reads the newest commit. After a failed write, only the store knows whether it took effect. */
  async reload(): Promise<void> {
    this.adoptCommit(await this.#store.committed());
  }

  adoptCommit(commit: Commit | null): void {
    this.#commit = commit;
    if (commit === null) {
      this.#stored = { firstBlock: this.#from, tip: null, finalized: null };
      return;
    }
    const { firstBlock, blockNumber: number, blockHash: hash, finalized } = commit;
    const tip = number < firstBlock ? null : { number, hash };
    this.#stored = { firstBlock, tip, finalized };
  }

  /** Marks a stored block and all blocks below it as final. */
  markFinal(block: number): void {
    this.#stored = { ...this.#stored, finalized: block };
  }

  hasReached(last: number | null): boolean {
    return last !== null && (this.#stored.tip?.number ?? -1) >= last;
  }

  /** Returns the stored block with this number; null if it is not indexed. */
  async blockAt(number: number): Promise<BlockRef | null> {
    const { tip } = this.#stored;
    if (tip === null || number > tip.number) return null;
    return number === tip.number ? tip : storedBlock(this.#engine, this.#store.chain, number);
  }

  /** @throws RangeNotAdjacent if `from` would leave a gap or is below the indexed blocks */
  requireAdjacent(): void {
    const from = this.#from;
    const commit = this.#commit;
    if (commit === null || (from >= commit.firstBlock && from <= commit.blockNumber + 1)) return;
    throw new RangeNotAdjacent(from, commit);
  }
}

class RangeNotAdjacent extends BaseError {
  constructor(from: number, commit: Commit) {
    const indexed = `the indexed blocks (${commit.firstBlock} to ${commit.blockNumber})`;
    super(
      "bad-config",
      from < commit.firstBlock
        ? `--from ${from} is before ${indexed}: to index earlier blocks, use another --data directory.`
        : `--from ${from} would leave a gap after ${indexed}: use --from ${commit.blockNumber + 1} or omit it.`,
    );
  }
}
