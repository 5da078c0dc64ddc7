import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import { ReorgDuringRead } from "../blocks/block-stream.ts";
import type { HeaderSource } from "../blocks/header-fetcher.ts";
import { type BlockFiles, FileSource, NothingProves } from "../files/file-source.ts";
import type { Prover } from "../prover/prover.ts";
import type { UnreadBlock } from "../rows/block/read-block.ts";
import { headerOfFile } from "../rows/proof/known-block.ts";
import { NOT_WHOLE } from "../rows/proof/prove-rows.ts";
import { hasWholeHeader } from "../rows/proof/table-proof.ts";
import type { BlockRange, Source } from "../source.ts";
import { verifyLink } from "../verify/verify-block.ts";
import type { TableChain } from "./chain/table-chain.ts";
import { HeaderAhead } from "./header-ahead.ts";
import { type HeaderFields, TableProver } from "./prove-tables.ts";

export interface TableSourceOptions {
  tables: TableChain;
  chainId: number;
  /** The node, which provides headers, serves calls, and continues after the files; null if there is none. */
  node: (Source & HeaderSource) | null;
  /** Hash of the last block in the files, to which their headers must lead; null if none was given. */
  anchor: Hex | null;
  /** True if unproven blocks may be stored. */
  allowUnproven: boolean;
  /** The newest indexed block; null if there is none. */
  stored: BlockRef | null;
  prover: Pick<Prover, "rows" | "senders">;
  clock?: Clock;
}

/**
 * Opens Parquet, csv and JSON files as a source.
 *
 * @throws NothingProves, WrongAnchor, OtherChainStored, InvalidFile
 */
export async function openTableSource(options: TableSourceOptions): Promise<FileSource> {
  const { tables, node, anchor, allowUnproven, stored } = options;
  if (node === null && anchor === null && !allowUnproven) throw new NothingProves();
  if (anchor !== null) {
    await requireLast(tables, anchor);
    if (node === null) await requireAnchor(tables, anchor, stored);
  }
  return FileSource.open(new TableBlocks(options), options);
}

async function requireLast(tables: TableChain, anchor: Hex): Promise<void> {
  const last = await tables.header(tables.range.to);
  if (last?.hash !== anchor) throw new WrongAnchor(last, anchor);
}

/**
 * Reads all headers from the newest indexed block on before any block is used: only the unbroken chain of
 * headers links the blocks to the anchor.
 */
async function requireAnchor(tables: TableChain, anchor: Hex, stored: BlockRef | null): Promise<void> {
  const { from, to } = tables.range;
  let parent: BlockRef | null = null;
  for await (const table of tables.headers({ from: Math.max(from, Math.min(stored?.number ?? 0, to)), to })) {
    const block = headerOfFile(table);
    if (!hasWholeHeader(block)) throw table.invalid(NOT_WHOLE);
    const child = { ...block, number: table.header.number };
    const problem = parent === null ? null : verifyLink(parent, child);
    if (problem !== null) throw table.invalid(problem.message);
    parent = child;
  }
  if (parent === null || parent.hash !== anchor) throw new WrongAnchor(parent, anchor);
}

/**
 * Maximum number of blocks read ahead of the consumer, so that the node sends headers and threads prove
 * blocks in the meantime.
 */
const BLOCKS_AHEAD = 48;

/** The blocks in Parquet, csv and JSON files. */
class TableBlocks implements BlockFiles {
  readonly #options: TableSourceOptions;

  constructor(options: TableSourceOptions) {
    this.#options = options;
  }

  get range(): BlockRange {
    return this.#options.tables.range;
  }

  async blockRef(number: number): Promise<BlockRef | null> {
    const isBefore = number === this.range.from - 1;
    const header = await this.#options.tables.header(isBefore ? number + 1 : number);
    const hash = isBefore ? header?.fields.get("parentHash") : header?.hash;
    return hash === undefined ? null : { number, hash };
  }

  async *blocks(range: BlockRange, signal: AbortSignal): AsyncGenerator<Block> {
    const stop = new AbortController();
    const removeListener = onAbort(signal, () => stop.abort(signal.reason));
    const prover = this.#prover(stop.signal);
    const { node } = this.#options;
    const headers = node === null ? null : new HeaderAhead(node, range, stop.signal);
    const ahead: { table: UnreadBlock; block: Promise<Block> }[] = [];
    let parent: Block | null = null;
    let parentFields = () => this.#headerBefore(range.from, stop.signal);
    const next = async () => {
      const first = ahead.shift();
      if (first === undefined) return null;
      const block = await first.block;
      this.#requireChild(parent, block, first.table);
      parent = block;
      return block;
    };
    let failure: unknown = null;
    const tables = untilError(this.#options.tables.blocks(range), (error) => {
      failure = error;
    });
    try {
      for await (const table of tables) {
        stop.signal.throwIfAborted();
        const header = headers?.take(table.header.number) ?? Promise.resolve(undefined);
        const block = prover.prove(table, header, parentFields);
        parentFields = async () => (await header)?.block.header ?? null;
        // Prevents an unhandled rejection: the error is thrown when the block is awaited in its turn.
        block.catch(() => {});
        ahead.push({ table, block });
        const ready = ahead.length >= BLOCKS_AHEAD ? await next() : null;
        if (ready !== null) yield ready;
      }
      for (let block = await next(); block !== null; block = await next()) yield block;
      if (failure !== null) throw failure;
    } finally {
      removeListener();
      stop.abort();
    }
  }

  /** Returns the fields of the header before a block; null if there is none, or no node. */
  async #headerBefore(number: number, signal: AbortSignal): Promise<HeaderFields | null> {
    const { node } = this.#options;
    if (node === null || number === 0) return null;
    const [found] = await node.headers([number - 1], "hashes", signal);
    return found?.block.header ?? null;
  }

  #prover(signal: AbortSignal): TableProver {
    const { tables, chainId, node, anchor, allowUnproven, prover } = this.#options;
    const isAnchored = node === null && anchor !== null;
    const { format } = tables;
    return new TableProver({ format, chainId, node, isAnchored, allowUnproven, prover, signal });
  }

  #requireChild(parent: Block | null, block: Block, table: UnreadBlock): void {
    const problem = parent === null ? null : verifyLink(parent, block);
    if (problem !== null && this.#options.node !== null)
      throw new ReorgDuringRead(block.number, problem.message);
    if (problem !== null) throw table.invalid(problem.message);
    const { anchor } = this.#options;
    if (anchor !== null && block.number === this.range.to && block.hash !== anchor) {
      throw table.invalid("the file was replaced while it was in use");
    }
  }
}

/** Ends at an error and reports it, so that the blocks before it, and their errors, come first. */
async function* untilError<T>(items: AsyncGenerator<T>, report: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    report(error);
  }
}

class WrongAnchor extends BaseError {
  constructor(last: BlockRef | null, anchor: Hex) {
    super(
      "verification",
      `the last block of the files has the hash ${last?.hash}, but --anchor is ${anchor}`,
    );
  }
}
