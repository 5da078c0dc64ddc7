import { BaseError } from "../../lib/error.ts";
import type { Block, BlockProof } from "../../schema/block.ts";
import { followsSchedule } from "../archive/blob-schedule.ts";
import { UnknownFormat } from "../archive/unknown-format.ts";
import type { HeaderSource } from "../blocks/header-fetcher.ts";
import { toBlock } from "../conversion/convert.ts";
import { InvalidFile } from "../e2store/invalid-file.ts";
import type { Prover } from "../prover/prover.ts";
import { readBlock, type UnreadBlock } from "../rows/block/read-block.ts";
import type { TableFormat } from "../rows/formats/table-format.ts";
import { requireSame } from "../rows/proof/known-block.ts";
import {
  type CheckedRows,
  checkedRows,
  NeedsNode,
  proveRows,
  type RowsContext,
} from "../rows/proof/prove-rows.ts";
import { requireSenders } from "../rows/proof/table-proof.ts";
import type { HeaderWithHashes, RpcBlock } from "../wire/rpc-block.ts";

export interface ProverOptions {
  format: TableFormat;
  chainId: number;
  /** The node that provides headers; null if there is none. */
  node: HeaderSource | null;
  /** True if the headers of the files lead to a hash that the user gave. */
  isAnchored: boolean;
  /** True if unproven blocks may be stored. */
  allowUnproven: boolean;
  prover: Pick<Prover, "rows" | "senders">;
  signal: AbortSignal;
}

export type HeaderFields = RpcBlock["header"];

/** Proves and converts blocks from files. */
export class TableProver {
  readonly #options: ProverOptions;

  constructor(options: ProverOptions) {
    this.#options = options;
  }

  /**
   * Proves and converts a block, in a thread if there are any.
   *
   * @param header the header from the node; undefined if there is no node
   * @param parent returns the fields of the parent's header, used to check the blob parameters; null if there
   * is no node
   * @throws InvalidFile, Unproven, NeedsNode, UnknownFormat
   */
  async prove(
    block: UnreadBlock,
    header: Promise<HeaderWithHashes | undefined>,
    parent: () => Promise<HeaderFields | null>,
  ): Promise<Block> {
    const known = (await header) ?? null;
    const found =
      (await this.#inThread(block, known)) ?? (await placing(block, () => this.#here(block, known)));
    const proven = found.block ?? (await this.#completed(block, known, found));
    await placing(block, () => this.#requireAllowed(block, known, found, parent));
    return proven;
  }

  async #inThread(
    { header, rows }: UnreadBlock,
    known: HeaderWithHashes | null,
  ): Promise<CheckedRows | null> {
    const { prover, format, chainId, isAnchored, signal } = this.#options;
    const context = { origin: format.origin, chainId, known, isAnchored };
    return prover.rows({ header, rows, context }, signal);
  }

  async #here(block: UnreadBlock, known: HeaderWithHashes | null): Promise<CheckedRows> {
    const { prover, format, chainId, isAnchored, signal } = this.#options;
    const table = readBlock(block, format);
    const context: RowsContext = { format, chainId, known, isAnchored };
    const proven = proveRows(table, context);
    if (proven.signed.length > 0) requireSenders(table, await prover.senders(proven.signed, signal));
    return checkedRows(proven, format);
  }

  /** @throws UnknownFormat, Unproven */
  async #requireAllowed(
    { header }: UnreadBlock,
    known: HeaderWithHashes | null,
    { proof, hasBlobs }: CheckedRows,
    parent: () => Promise<HeaderFields | null>,
  ): Promise<void> {
    const { format, chainId, allowUnproven } = this.#options;
    const before = hasBlobs && known !== null ? await parent() : null;
    if (before !== null && known !== null && !followsSchedule(before, known.block.header, chainId))
      throw new UnknownFormat("the blob parameters of this block");
    if (!allowUnproven && UNPROVEN.has(proof)) throw new Unproven(header.number, format);
  }

  /** Returns the block with the node's transactions. */
  async #completed(
    unread: UnreadBlock,
    known: HeaderWithHashes | null,
    { receipts, proof }: CheckedRows,
  ): Promise<Block> {
    const { format, node, signal } = this.#options;
    const [whole] = (await node?.headers([unread.header.number], "transactions", signal)) ?? [];
    if (whole === undefined) throw new NeedsNode(readBlock(unread, format), format);
    // The files have already been compared with the header that was requested first.
    if (!isSame(whole, known)) requireSame(readBlock(unread, format), whole, format.origin === "cryo");
    const block = { ...whole.block, transactions: whole.transactions ?? [] };
    return placing(unread, async () => toBlock(block, receipts, "proven", { proof, origin: format.origin }));
  }
}

function isSame({ block, hashes }: HeaderWithHashes, other: HeaderWithHashes | null): boolean {
  return (
    block.hash === other?.block.hash &&
    hashes.length === other.hashes.length &&
    hashes.every((hash, i) => hash === other.hashes[i])
  );
}

const UNPROVEN: ReadonlySet<BlockProof> = new Set(["file", "none"]);

/** Adds the file and the block to an error about the data. Other errors are thrown unchanged. */
async function placing<T>({ header, invalid }: UnreadBlock, prove: () => Promise<T>): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    if (error instanceof InvalidFile || !(error instanceof BaseError)) throw error;
    if (error instanceof UnknownFormat) throw new UnknownFormat(`block ${header.number}: ${error.what}`);
    throw error.code === "verification" || error.code === "endpoint" ? invalid(error.message) : error;
  }
}

class Unproven extends BaseError {
  constructor(block: number, { origin }: TableFormat) {
    super(
      "verification",
      `block ${block} of the ${origin} files cannot be proven: the files lack its receipts root or, before Byzantium, ` +
        "the state roots of its receipts. Index it from era files or an endpoint, or add --unproven to store it anyway",
    );
  }
}
