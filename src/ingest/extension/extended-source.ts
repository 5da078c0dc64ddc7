import { unlessAborted } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import { ReorgDuringRead } from "../../sources/blocks/block-stream.ts";
import type { BlockRange, Source } from "../../sources/source.ts";
import { verifyLink } from "../../sources/verify/verify-block.ts";
import type { ChainCommits, Commit, Engine } from "../../storage/store.ts";
import { storedBlock } from "../reorg/stored-blocks.ts";
import { storedBlocks } from "./stored-blocks.ts";

interface ExtendedSourceOptions {
  /** Supplies the blocks below the stored ones, and those whose rows are incomplete. */
  source: Source;
  engine: Engine;
  /** The stored chain, which is its own head. */
  store: ChainCommits;
  /** First stored block. */
  firstStored: number;
  /** False if the chain lacks rows from which its blocks could be rebuilt: then all come from `source`. */
  isWhole: boolean;
  /** Resolves when the extension may take the next block: whatever serves the head goes first. */
  turn(signal: AbortSignal): Promise<void>;
  clock?: Clock;
}

/** How often the stored chain is checked for new blocks. */
const POLL_MS = 100;

/**
 * The blocks of a stored chain, and those below its first block from another source. Its head is the newest
 * stored block.
 */
export class ExtendedSource implements Source {
  readonly #options: ExtendedSourceOptions;
  readonly #clock: Clock;

  constructor(options: ExtendedSourceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async head(): Promise<BlockRef> {
    const { blockNumber: number, blockHash: hash } = await this.#newest();
    return { number, hash };
  }

  async nextHead(pollMs: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(Math.min(pollMs, POLL_MS), signal).catch(() => undefined);
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    const { source, engine, store, firstStored } = this.#options;
    if (number < firstStored) return source.blockRef(number);
    const { blockNumber } = await this.#newest();
    return number > blockNumber ? null : storedBlock(engine, store.chain, number);
  }

  async finalized(): Promise<BlockRef | null> {
    const { finalized } = await this.#newest();
    return finalized === null ? null : this.blockRef(finalized);
  }

  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    const { firstStored, turn } = this.#options;
    let parent: Block | null = null;
    for await (const block of this.#below({ from, to: Math.min(to, firstStored - 1) }, signal)) {
      await turn(signal);
      parent = block;
      yield block;
    }
    for await (const block of this.#stored({ from: Math.max(from, firstStored), to }, signal)) {
      await turn(signal);
      if (parent !== null) await this.#requireChild(parent, block);
      parent = block;
      yield block;
    }
  }

  call(...given: Parameters<Source["call"]>): ReturnType<Source["call"]> {
    return this.#options.source.call(...given);
  }

  pastLogs(...given: Parameters<Source["pastLogs"]>): ReturnType<Source["pastLogs"]> {
    return this.#options.source.pastLogs(...given);
  }

  /** The other source belongs to the caller. */
  async close(): Promise<void> {}

  async #newest(): Promise<Commit> {
    const commit = await this.#options.store.committed();
    if (commit === null) throw new NothingStored(this.#options.store.chain);
    return commit;
  }

  async *#below(range: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    if (range.from > range.to) return;
    let next = range.from;
    for await (const block of this.#options.source.blocks(range, signal)) {
      yield block;
      next = block.number + 1;
    }
    if (next <= range.to && !signal.aborted) throw new BlocksMissing(next, range.to);
  }

  async *#stored(range: BlockRange, signal: AbortSignal): AsyncGenerator<Block, void> {
    if (range.from > range.to) return;
    const { source, engine, store, isWhole } = this.#options;
    if (!isWhole) return yield* source.blocks(range, signal);
    for await (const found of storedBlocks(engine, store.chain, range)) {
      signal.throwIfAborted();
      if ("block" in found) yield found.block;
      else yield* this.#fetched(found.missing, signal);
    }
  }

  /** Fetches a block whose stored rows do not suffice. It must be the stored one. */
  async *#fetched(number: number, signal: AbortSignal): AsyncGenerator<Block> {
    const { source, engine, store } = this.#options;
    const stored = await storedBlock(engine, store.chain, number);
    for await (const block of source.blocks({ from: number, to: number }, signal)) {
      if (stored !== null && stored.hash !== block.hash)
        throw new ReorgDuringRead(number, `it is stored with the hash ${stored.hash}`);
      yield block;
    }
  }

  /** A link that is missing below final blocks never comes: the other source has another chain. */
  async #requireChild(parent: Block, block: Block): Promise<void> {
    const problem = verifyLink(parent, block);
    if (problem === null) return;
    const { finalized } = await this.#newest();
    const isFinal = finalized !== null && finalized >= block.number;
    if (isFinal && block.number === this.#options.firstStored) throw new OtherChainBelow(parent, block);
    throw new ReorgDuringRead(block.number, problem.message);
  }
}

/** Waits while `isBusy` is true. */
export async function whileBusy(
  isBusy: () => boolean,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  while (isBusy() && !signal.aborted) await unlessAborted(signal, () => clock.sleep(POLL_MS, signal));
}

class NothingStored extends BaseError {
  constructor(chain: string) {
    super("not-ready", `no block of ${chain} is stored`, { retryable: true });
  }
}

class BlocksMissing extends BaseError {
  constructor(first: number, last: number) {
    super(
      "bad-config",
      `the source of blocks has none of ${first} to ${last}, which are below the indexed ones: add files or an endpoint.`,
    );
  }
}

/** The blocks below the indexed ones are not their ancestors. */
export class OtherChainBelow extends BaseError {
  constructor(parent: BlockRef, { number, parentHash }: Pick<Block, "number" | "parentHash">) {
    super(
      "bad-config",
      `the earlier blocks are of another chain: the indexed block ${number} follows ${parentHash}, but the source's ` +
        `block ${parent.number} is ${parent.hash}. Use an endpoint or files of the indexed chain.`,
    );
  }
}
