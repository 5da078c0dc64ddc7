import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import type { HeaderChain } from "../archive/check-headers.ts";
import type { EraFile } from "../e2store/era-file.ts";
import { Prover } from "../prover/prover.ts";
import type { BlockRange, Source } from "../source.ts";
import { verifyLink } from "../verify/verify-block.ts";
import { AHEAD_LIMITS, archivedBlocks } from "./archived-blocks.ts";
import { FileChain, REPLACED } from "./file-chain.ts";
import type { FilePlace } from "./file-place.ts";
import { type BlockFiles, FileSource, NothingProves } from "./file-source.ts";
import { NoFiles } from "./local-files.ts";

export interface EraSourceOptions {
  places: readonly FilePlace[];
  chainId: number;
  /**
   * The node, which confirms the last block of each file, serves calls, and continues after the files; null
   * if there is none.
   */
  node: Source | null;
  /**
   * Hash of the last block in the files, to which the headers of all files must lead; null if none was given,
   * so the node must confirm the files.
   */
  anchor: Hex | null;
  /** The newest indexed block; null if there is none. */
  stored: BlockRef | null;
  /**
   * Proves the blocks. Default: the main thread proves them. The caller must close the prover after the
   * source.
   */
  prover?: Prover;
  signal: AbortSignal;
  clock?: Clock;
}

/**
 * Opens era files as a source.
 *
 * @throws NothingProves, WrongAnchor, InvalidFile, OtherChainStored
 */
export async function openEraSource(options: EraSourceOptions): Promise<FileSource> {
  const { places, node, anchor, stored, signal } = options;
  if (node === null && anchor === null) throw new NothingProves();
  const files = await FileChain.of(places, signal);
  const last = await files.header(files.lastBlock, signal);
  if (last === null) throw new NoFiles(places.at(-1)?.name ?? "", "its last block is missing");
  if (anchor !== null && last.hash !== anchor) throw new WrongAnchor(last, `--anchor is ${anchor}`);
  if (node === null) await requireOneChain(files, { last, stored }, signal);
  return FileSource.open(new EraBlocks(files, options), options);
}

/**
 * Reads all headers from the newest indexed block on, before any block is used, and checks that the last
 * header is the header of `last`. Only an unbroken chain of headers proves that the hash of `last` covers
 * each block.
 */
async function requireOneChain(
  files: FileChain,
  { last, stored }: { last: BlockRef; stored: BlockRef | null },
  signal: AbortSignal,
): Promise<void> {
  const from = Math.max(files.firstBlock, stored?.number ?? 0);
  let end: BlockRef | undefined;
  let name: string | undefined;
  for await (const { file, headers } of files.files(from, files.lastBlock, signal)) {
    end = headers.last;
    name = file.name;
  }
  if (end !== undefined && (end.hash !== last.hash || end.number !== last.number))
    throw new WrongAnchor(end, `the anchored block ${last.number} has ${last.hash}`, name);
}

/** The blocks in era files. */
class EraBlocks implements BlockFiles {
  readonly #files: FileChain;
  readonly #node: Source | null;
  readonly #chainId: number;
  readonly #prover: Prover;

  constructor(files: FileChain, { node, chainId, prover = new Prover(0) }: EraSourceOptions) {
    this.#files = files;
    this.#node = node;
    this.#chainId = chainId;
    this.#prover = prover;
  }

  get range(): BlockRange {
    return { from: this.#files.firstBlock, to: this.#files.lastBlock };
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    const { signal } = new AbortController();
    if (number === this.#files.firstBlock - 1) {
      const first = await this.#files.header(number + 1, signal);
      return first && { number, hash: first.parentHash };
    }
    const header = await this.#files.header(number, signal);
    return header && { number, hash: header.hash };
  }

  async *blocks({ from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    const stop = new AbortController();
    const removeListener = onAbort(signal, () => stop.abort(signal.reason));
    let parent: Block | null = null;
    try {
      for await (const { file, headers } of this.#files.files(from, to, stop.signal)) {
        await this.#requireOnChain(file, headers);
        const range = { from: Math.max(from, file.firstBlock), to };
        for await (const block of this.#blocksOf(file, range, stop.signal)) {
          requireProven(file, headers, { block, parent });
          parent = block;
          yield block;
        }
      }
    } finally {
      removeListener();
      stop.abort();
    }
  }

  async *#blocksOf(file: EraFile, { from, to }: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    const options = { chainId: this.#chainId, prover: this.#prover, limits: AHEAD_LIMITS, signal };
    for await (const block of archivedBlocks(file, from, options)) {
      if (block.number > to) return;
      yield block;
    }
  }

  /**
   * Checks that a file belongs to the node's chain. The file's last block proves all blocks before it,
   * because the headers form one chain.
   */
  async #requireOnChain(file: EraFile, { last }: HeaderChain): Promise<void> {
    if (this.#node === null) return;
    const confirmed = await this.#node.blockRef(last.number);
    if (confirmed === null) throw new BlockNotConfirmed(file.name, last);
    if (confirmed.hash !== last.hash && !(await this.#node.hasBlock(last)))
      throw new WrongAnchor(last, `the endpoint has ${confirmed.hash}`, file.name);
  }
}

/**
 * Checks that a block belongs to the headers that were checked. Blocks are read from the file later, and
 * another process may have changed the file in the meantime.
 */
function requireProven(
  file: EraFile,
  { last }: HeaderChain,
  { block, parent }: { block: Block; parent: Block | null },
): void {
  const isNext =
    parent === null || (block.number === parent.number + 1 && verifyLink(parent, block) === null);
  if (!isNext || (block.number === last.number && block.hash !== last.hash))
    throw file.invalid(block.number, REPLACED);
}

class WrongAnchor extends BaseError {
  constructor({ number, hash }: BlockRef, other: string, file = "the last file") {
    super(
      "verification",
      `${file} belongs to another chain: its block ${number} has the hash ${hash}, but ${other}`,
    );
  }
}

class BlockNotConfirmed extends BaseError {
  constructor(file: string, { number }: BlockRef) {
    super("endpoint", `the endpoint does not have block ${number}, so it cannot confirm ${file}`, {
      retryable: true,
    });
  }
}
