import { BaseError } from "../../lib/error.ts";
import type { Block, BlockProof } from "../../schema/block.ts";
import { UnknownFormat } from "../archive/unknown-format.ts";
import type { HeaderSource, HeaderWithHashes } from "../blocks/header-fetcher.ts";
import { toBlock } from "../conversion/convert.ts";
import { InvalidFile } from "../e2store/invalid-file.ts";
import type { Prover } from "../prover/prover.ts";
import type { TableFormat } from "./formats/table-format.ts";
import { headerOfFile, type KnownBlock, requireSame } from "./proof/known-block.ts";
import { type HeaderFields, hasAllFees, hasWholeHeader, proveTable } from "./proof/table-proof.ts";
import type { TableBlock } from "./rows/table-block.ts";

export interface ProverOptions {
  format: TableFormat;
  chainId: number;
  /** The node that provides headers; null if there is none. */
  node: HeaderSource | null;
  /** True if the headers of the files lead to a hash that the user gave. */
  isAnchored: boolean;
  /** True if unproven blocks may be stored. */
  allowUnproven: boolean;
  prover: Pick<Prover, "senders">;
  signal: AbortSignal;
}

/** Proves and converts blocks from files. */
export class TableProver {
  readonly #options: ProverOptions;

  constructor(options: ProverOptions) {
    this.#options = options;
  }

  /**
   * Proves and converts a block.
   *
   * @param header the header from the node; undefined if there is no node
   * @param parent returns the fields of the parent's header, used to check the blob parameters; null if there
   * is no node
   * @throws InvalidFile, Unproven, NeedsNode, UnknownFormat
   */
  async prove(
    table: TableBlock,
    header: HeaderWithHashes | undefined,
    parent: () => Promise<HeaderFields | null>,
  ): Promise<Block> {
    const { chainId, prover, node, isAnchored, allowUnproven, format, signal } = this.#options;
    const known = await this.#known(table, header);
    const isConfirmed = node !== null || isAnchored;
    if (isAnchored && !hasWholeHeader(known.block)) throw table.invalid(NOT_WHOLE);
    const options = { chainId, prover, signal, isConfirmed, parent };
    try {
      const { block, receipts, proof } = await proveTable(table, known, options);
      if (!allowUnproven && UNPROVEN.has(proof)) throw new Unproven(table.header.number, format);
      return toBlock(block, receipts, "proven", { proof, origin: format.origin });
    } catch (error) {
      throw withPlace(table, error);
    }
  }

  /** Returns the header, and the node's transactions if the files' transactions are not exact. */
  async #known(table: TableBlock, header: HeaderWithHashes | undefined): Promise<KnownBlock> {
    const { format, node, signal } = this.#options;
    const isCryo = format.origin === "cryo";
    if (header !== undefined) requireSame(table, header, isCryo);
    const known = header ?? headerOfFile(table);
    const isExact =
      !format.lacksTransactions &&
      table.transactions.every(({ lacksValue }) => !lacksValue) &&
      hasAllFees(table, known.block.header);
    if (isExact) return known;
    if (node === null) throw new NeedsNode(table, format);
    const [whole] = await node.headers([table.header.number], "transactions", signal);
    if (whole === undefined) throw new NeedsNode(table, format);
    requireSame(table, whole, isCryo);
    return whole;
  }
}

const UNPROVEN: ReadonlySet<BlockProof> = new Set(["file", "none"]);

export const NOT_WHOLE =
  "the block's hash does not match its header columns: the file lacks header fields, such as the blob fields, or " +
  "is damaged. Pass a node with --rpc, which has the header";

/** Adds the file and the block to an error about the data. Other errors are returned unchanged. */
function withPlace(table: TableBlock, error: unknown): unknown {
  if (error instanceof InvalidFile || !(error instanceof BaseError)) return error;
  if (error instanceof UnknownFormat) return new UnknownFormat(`block ${table.header.number}: ${error.what}`);
  return error.code === "verification" || error.code === "endpoint" ? table.invalid(error.message) : error;
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

class NeedsNode extends BaseError {
  constructor({ header, transactions }: TableBlock, { origin }: TableFormat) {
    const blobs = transactions.filter(({ fields }) => fields.type === 3).length;
    const what = blobs > 1 ? "the fees of blob transactions" : "exact transaction values";
    super(
      "bad-config",
      `block ${header.number}: the ${origin} files lack ${what}. Pass any full node with --rpc, which has them`,
    );
  }
}
