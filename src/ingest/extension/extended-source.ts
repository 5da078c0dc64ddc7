import { unlessAborted } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import { ReorgDuringRead } from "../../sources/blocks/block-stream.ts";
import type { BlockRange, Source } from "../../sources/source.ts";
import { verifyLink } from "../../sources/verify/verify-block.ts";
import type { ChainCommits, Commit, Engine } from "../../storage/store.ts";
import { storedBlock } from "../reorg/stored-block.ts";
import { storedBlocks } from "./stored-blocks.ts";

interface ExtendedSourceOptions {
  /** Source of the blocks below the stored ones, and of stored blocks whose rows are incomplete. */
  source: Source;
  engine: Engine;
  /** The stored chain. Its newest block is the head. */
  store: ChainCommits;
  /** First stored block. */
  firstStored: number;
  /**
   * False if the chain does not store all rows needed to rebuild its blocks. Then all blocks come from
   * `source`.
   */
  isWhole: boolean;
  /** Resolves when the extension may take the next block. Following the head has priority. */
  turn(signal: AbortSignal): Promise<void>;
  clock?: Clock;
}

/**
 * Maximum interval at which the stored chain is checked for new blocks, and the interval at which `whileBusy`
 * calls `isBusy`.
 */
const POLL_MS = 100;

/**
 * The blocks of a stored chain, preceded by earlier blocks from another source. Its head is the newest stored
 * block.
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

  async hasBlock(block: BlockRef): Promise<boolean> {
    const { source, firstStored } = this.#options;
    if (block.number < firstStored) return source.hasBlock(block);
    return (await this.blockRef(block.number))?.hash === block.hash;
  }

  /** The stored blocks were checked when they were stored. */
  async requireUndisputed(block: BlockRef): Promise<void> {
    const { source, firstStored } = this.#options;
    if (block.number < firstStored) await source.requireUndisputed(block);
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

  /** Does nothing, because the other source belongs to the caller. */
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

  /** Fetches a block whose stored rows are incomplete. Its hash must be the stored one. */
  async *#fetched(number: number, signal: AbortSignal): AsyncGenerator<Block> {
    const { source, engine, store } = this.#options;
    const stored = await storedBlock(engine, store.chain, number);
    for await (const block of source.blocks({ from: number, to: number }, signal)) {
      if (stored !== null && stored.hash !== block.hash)
        throw new ReorgDuringRead(number, `it is stored with the hash ${stored.hash}`);
      yield block;
    }
  }

  /**
   * If the first stored block is final, a broken link below it cannot be a reorg: the other source is on
   * another chain, unless only the endpoint that sent the parent is on another chain.
   */
  async #requireChild(parent: Block, block: Block): Promise<void> {
    const problem = verifyLink(parent, block);
    if (problem === null) return;
    const { finalized } = await this.#newest();
    const isFinal = finalized !== null && finalized >= block.number;
    if (isFinal && block.number === this.#options.firstStored && !(await this.#hasParent(block)))
      throw new OtherChainBelow(parent, block);
    throw new ReorgDuringRead(block.number, problem.message);
  }

  #hasParent({ number, parentHash }: Block): Promise<boolean> {
    return this.#options.source.hasBlock({ number: number - 1, hash: parentHash });
  }
}

/** Waits until `isBusy` returns false or the signal aborts. */
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
      `blocks ${first} to ${last}, below the indexed ones, are missing from the source: add files or an endpoint.`,
    );
  }
}

/** The earlier blocks are not ancestors of the indexed ones. */
export class OtherChainBelow extends BaseError {
  constructor(parent: BlockRef, { number, parentHash }: Pick<Block, "number" | "parentHash">) {
    super(
      "bad-config",
      `the earlier blocks belong to another chain: the parent of the indexed block ${number} is ${parentHash}, ` +
        `but the source's block ${parent.number} is ${parent.hash}. Use an endpoint or files of the indexed chain.`,
    );
  }
}
