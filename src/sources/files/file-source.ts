import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, BlockRef, Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { ReorgDuringRead } from "../blocks/block-stream.ts";
import type { BlockRange, Source } from "../source.ts";
import { verifyLink } from "../verify/verify-block.ts";

/** A set of block files of any format. */
export interface BlockFiles {
  readonly range: BlockRange;
  /** Yields proven blocks of the range in ascending order, each the child of the previous one. */
  blocks(range: BlockRange, signal: AbortSignal): AsyncGenerator<Block>;
  /**
   * Returns the number and hash of a block; null if the files do not have it. The block before the first one
   * is also known, because the first header has its hash.
   */
  blockRef(number: number): Promise<BlockRef | null>;
}

interface FileSourceOptions {
  /** The node, which serves calls and continues after the files; null if there is none. */
  node: Source | null;
  /** The newest indexed block; null if there is none. */
  stored: BlockRef | null;
  clock?: Clock | undefined;
}

/** A Source that reads files of blocks, and continues with a node where they end. */
export class FileSource implements Source {
  readonly #files: BlockFiles;
  readonly #node: Source | null;
  readonly #clock: Clock;
  #last: BlockRef | null = null;

  private constructor(files: BlockFiles, { node, clock = systemClock }: FileSourceOptions) {
    this.#files = files;
    this.#node = node;
    this.#clock = clock;
  }

  /**
   * Returns a source for these files. Without a node, checks that the files do not have another block in
   * place of the newest indexed one.
   *
   * @throws OtherChainStored
   */
  static async open(files: BlockFiles, options: FileSourceOptions): Promise<FileSource> {
    const { node, stored } = options;
    if (node === null && stored !== null) {
      const { hash } = (await files.blockRef(stored.number)) ?? stored;
      if (hash !== stored.hash) throw new OtherChainStored(stored, hash);
    }
    return new FileSource(files, options);
  }

  /** Range of the blocks in the files. */
  get range(): BlockRange {
    return this.#files.range;
  }

  async head(known?: BlockRef | null): Promise<BlockRef> {
    return this.#node === null ? this.#lastOfFiles() : this.#node.head(known);
  }

  async nextHead(pollMs: number, signal: AbortSignal): Promise<void> {
    if (this.#node !== null) return this.#node.nextHead(pollMs, signal);
    await this.#clock.sleep(pollMs, signal).catch(() => {});
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    return (this.#node ?? this.#files).blockRef(number);
  }

  async hasBlock(block: BlockRef): Promise<boolean> {
    if (this.#node !== null) return this.#node.hasBlock(block);
    return (await this.#files.blockRef(block.number))?.hash === block.hash;
  }

  async requireUndisputed(block: BlockRef): Promise<void> {
    await this.#node?.requireUndisputed(block);
  }

  /** Without a node, returns the last block of the files, because archives hold only final blocks. */
  async finalized(): Promise<BlockRef | null> {
    return this.#node === null ? this.#lastOfFiles() : this.#node.finalized();
  }

  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    const lastOfFiles = Math.min(to, this.range.to);
    if (from < this.range.from) throw new BlocksBefore(from, this.range.from);
    let parent: Block | null = null;
    if (from <= lastOfFiles) {
      for await (const block of this.#files.blocks({ from, to: lastOfFiles }, signal)) {
        parent = block;
        yield block;
      }
    }
    if (to <= lastOfFiles || this.#node === null) return;
    for await (const block of this.#node.blocks({ from: Math.max(from, lastOfFiles + 1), to }, signal)) {
      const problem = parent === null ? null : verifyLink(parent, block);
      if (problem !== null) throw new ReorgDuringRead(block.number, problem.message);
      parent = null;
      yield block;
    }
  }

  async call(calls: ContractCall[]): Promise<(Hex | null)[] | null> {
    return this.#node === null ? null : this.#node.call(calls);
  }

  async pastLogs(filter: LogFilter): Promise<Log[] | null> {
    return this.#node === null ? null : this.#node.pastLogs(filter);
  }

  async close(): Promise<void> {
    await this.#node?.close();
  }

  async #lastOfFiles(): Promise<BlockRef> {
    this.#last ??= await this.#files.blockRef(this.range.to);
    if (this.#last === null) throw new BaseError("internal", `the files have no block ${this.range.to}`);
    return this.#last;
  }
}

/** Thrown if no endpoint or hash can confirm the files and the user did not allow unproven ones. */
export class NothingProves extends BaseError {
  constructor() {
    super(
      "bad-config",
      "these files cannot be proven: they may belong to another chain. Pass an endpoint with --rpc to confirm them, " +
        "or the hash of their last block with --anchor (for era files, and for cryo files with complete headers " +
        "from before blobs). --unproven stores Parquet, csv and JSON files anyway; `quarry status` shows such blocks",
    );
  }
}

class BlocksBefore extends BaseError {
  constructor(needed: number, first: number) {
    super(
      "bad-config",
      `the files begin with block ${first}, but block ${needed} is needed. Add the files with the blocks in between, ` +
        `or begin with a later block (--from ${first}) in a new --data directory`,
    );
  }
}

class OtherChainStored extends BaseError {
  constructor({ number, hash }: BlockRef, inFiles: Hex) {
    super(
      "bad-config",
      `the files do not continue the indexed chain: block ${number} is stored with the hash ${hash}, but the files ` +
        `have ${inFiles}. Give files of the indexed chain, or another --data directory`,
    );
  }
}
