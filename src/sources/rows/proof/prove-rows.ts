import { BaseError } from "../../../lib/error.ts";
import type { Block, BlockProof } from "../../../schema/block.ts";
import { toBlock } from "../../conversion/convert.ts";
import type { HeaderWithHashes, RpcReceipt } from "../../wire/rpc-block.ts";
import type { TableBlock } from "../block/table-block.ts";
import type { TableFormat } from "../formats/table-format.ts";
import { headerOfFile, requireSame } from "./known-block.ts";
import { hasAllFees, hasBlobs, hasWholeHeader, type ProvenTable, proveTable } from "./table-proof.ts";

/** What is known about a block besides its rows. */
export interface RowsContext {
  format: TableFormat;
  chainId: number;
  /** The header from the node; null if there is no node. */
  known: HeaderWithHashes | null;
  /** True if the headers of the files lead to a hash that the user gave. */
  isAnchored: boolean;
}

/** A block whose senders have not been checked yet. */
export interface ProvenRows extends ProvenTable {
  /** True if the files' transactions are used, false if the node's transactions replace them. */
  isExact: boolean;
  hasBlobs: boolean;
}

/**
 * Compares a block from files with the node's header, and proves it as far as possible.
 *
 * @throws InvalidFile, NeedsNode, UnknownFormat
 */
export function proveRows(table: TableBlock, context: RowsContext): ProvenRows {
  const { format, chainId, known, isAnchored } = context;
  if (known !== null) requireSame(table, known, format.origin === "cryo");
  const block = known?.block ?? headerOfFile(table);
  const isExact =
    !format.lacksTransactions &&
    table.transactions.every(({ own }) => own?.lacksValue === false) &&
    hasAllFees(table, block.header);
  if (!isExact && known === null) throw new NeedsNode(table, format);
  if (isAnchored && !hasWholeHeader(block)) throw table.invalid(NOT_WHOLE);
  const isConfirmed = known !== null || isAnchored;
  const proven = proveTable(table, block, { chainId, isConfirmed, isExact });
  return { ...proven, isExact, hasBlobs: hasBlobs(table) };
}

/** A block whose senders have been checked. */
export interface CheckedRows {
  proof: BlockProof;
  hasBlobs: boolean;
  /** Null if the node's transactions are needed. */
  block: Block | null;
  /** The block's receipts if the node's transactions are needed; otherwise empty. */
  receipts: readonly RpcReceipt[];
}

/** Converts a block, unless the node's transactions are needed for that. */
export function checkedRows(
  { block, receipts, proof, isExact, hasBlobs }: ProvenRows,
  { origin }: TableFormat,
): CheckedRows {
  if (!isExact) return { proof, hasBlobs, block: null, receipts };
  return { proof, hasBlobs, block: toBlock(block, receipts, "proven", { proof, origin }), receipts: [] };
}

export const NOT_WHOLE =
  "the block's hash does not match its header columns: the file lacks header fields, such as the blob fields, or " +
  "is damaged. Pass a node with --rpc, which has the header";

/** Thrown if only a node's transactions are exact, and there is no node. */
export class NeedsNode extends BaseError {
  constructor({ header, transactions }: TableBlock, { origin }: TableFormat) {
    const blobs = transactions.filter(({ type }) => type === 3).length;
    const what = blobs > 1 ? "the fees of blob transactions" : "exact transaction values";
    super(
      "bad-config",
      `block ${header.number}: the ${origin} files lack ${what}. Pass any full node with --rpc, which has them`,
    );
  }
}
