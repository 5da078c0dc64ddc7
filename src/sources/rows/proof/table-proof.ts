import { fromBytes, type Hex, toQuantity, ZERO_ADDRESS } from "../../../lib/hex.ts";
import type { BlockProof } from "../../../schema/block.ts";
import { blobGasPrice } from "../../archive/blob-schedule.ts";
import { UnknownFormat } from "../../archive/unknown-format.ts";
import { bloomOf, unionOf } from "../../verify/bloom.ts";
import { hashMatches } from "../../verify/header.ts";
import { orderedRoot } from "../../verify/ordered-root.ts";
import { encodeReceipt } from "../../verify/receipt.ts";
import { BYZANTIUM } from "../../verify/verify-block.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction } from "../../wire/rpc-block.ts";
import { invalidRows, type TableBlock } from "../block/table-block.ts";
import { provenEncoding } from "./transaction-proof.ts";

export interface ProofOptions {
  chainId: number;
  /** True if the caller has confirmed the header's hash, or rejects the block later if the hash is wrong. */
  isConfirmed: boolean;
  /** True if the files' transactions are used, false if the node's transactions replace them. */
  isExact: boolean;
}

export interface ProvenTable {
  /** The block's header, with the files' transactions if they are exact and otherwise with none. */
  block: RpcBlock;
  receipts: RpcReceipt[];
  proof: BlockProof;
  /** The encoded transactions whose senders must be compared with the files' (`requireSenders`). */
  signed: readonly Uint8Array[];
}

/** Newest transaction type of Ethereum. Rollups have other types, whose receipts have more fields. */
const MAX_TYPE = 4;
const GAS_PER_BLOB = 131_072;
const NO_HASH: Hex = `0x${"0".repeat(64)}`;

/**
 * Proves a block from files as far as their columns allow: that the receipts with all logs match the receipts
 * root of the header, and that the transactions match their hashes and the transactions root. Every value
 * that can be computed must match.
 *
 * @param block the header from the node or, without a node, from the file
 * @throws InvalidFile, UnknownFormat
 */
export function proveTable(table: TableBlock, block: RpcBlock, options: ProofOptions): ProvenTable {
  const { chainId, isConfirmed, isExact } = options;
  requireTypes(table, chainId);
  requireSums(table, block);
  const isOld = table.header.number < (BYZANTIUM.get(chainId) ?? 0);
  const receipts = receiptsOf(table, block, isOld);
  const blooms = receipts.map(({ logs }) => bloomOf(logs));
  const root = block.receiptsRoot === null ? null : receiptsRoot(receipts, blooms, isOld);
  const encodings = isExact ? completeEncodings(table, chainId) : null;
  const signed = block.transactionsRoot === null ? null : encodings;
  if (signed !== null && orderedRoot(signed) !== block.transactionsRoot) {
    throw invalidRows(table, ["transactions"], "transactions root does not match the transactions");
  }
  if (root !== null && root !== block.receiptsRoot) {
    const problem = "receipts root does not match the receipts and their logs";
    throw invalidRows(table, ["logs", "receipts"], problem);
  }
  // The bloom reveals many missing logs, even if the receipts root cannot be computed from the files.
  if (block.logsBloom !== null && block.logsBloom !== fromBytes(unionOf(blooms))) {
    throw invalidRows(table, ["logs"], "logs bloom of the header does not match the logs");
  }
  return {
    block: isExact ? { ...block, transactions: ownTransactions(table, block) } : block,
    receipts: hasBlobs(table) ? withBlobPrice(receipts, block, chainId) : receipts,
    proof: root !== null ? proofOf(isConfirmed, !isExact || signed !== null) : "none",
    signed: signed ?? [],
  };
}

/** Returns the encodings of all transactions; null if the files lack a part of one of them. */
function completeEncodings({ transactions }: TableBlock, chainId: number): Uint8Array[] | null {
  const encodings = transactions.map((one) => provenEncoding(one, chainId));
  const complete = encodings.flatMap((encoding) => encoding ?? []);
  return complete.length === transactions.length ? complete : null;
}

function proofOf(isConfirmed: boolean, areTransactionsProven: boolean): BlockProof {
  if (!isConfirmed) return "file";
  return areTransactionsProven ? "block" : "receipts";
}

/**
 * Checks the senders against the signatures, because no hash covers senders.
 *
 * @param found the senders of the block's transactions according to their signatures; empty if not all
 * transactions have been proven
 * @throws InvalidFile
 */
export function requireSenders({ transactions }: TableBlock, found: readonly Hex[]): void {
  for (const [i, sender] of found.entries()) {
    const transaction = transactions[i];
    const claimed = transaction?.own?.fields.from;
    if (sender === claimed) continue;
    throw transaction?.invalid(`the sender is ${claimed}, but ${sender} signed it`);
  }
}

export function hasBlobs({ transactions }: TableBlock): boolean {
  return transactions.some(({ type }) => type === 3);
}

/**
 * Returns true if the hash of the header's fields is the header's hash. A file may lack some of the fields.
 */
export function hasWholeHeader(block: RpcBlock): boolean {
  return hashMatches(block);
}

/**
 * Checks that the block and its transactions belong to the chain, and that the types of the transactions
 * exist on Ethereum.
 */
function requireTypes({ header, transactions, invalid }: TableBlock, chainId: number): void {
  if (header.chainId !== null && header.chainId !== chainId)
    throw invalid(`it belongs to the chain with id ${header.chainId}, not ${chainId}`);
  for (const { type, own, invalid: invalidRow } of transactions) {
    if (type > MAX_TYPE) throw new UnknownFormat(`files with transactions of type ${toQuantity(type)}`);
    const claimed = own?.fields.chainId ?? null;
    if (claimed !== null && Number(claimed) !== chainId) {
      throw invalidRow(`it belongs to the chain with id ${Number(claimed)}, not ${chainId}`);
    }
  }
}

/** Checks the numbers that can be computed from other values. */
function requireSums(table: TableBlock, block: RpcBlock): void {
  const { header, transactions } = table;
  const { transactionCount: count } = header;
  if (count !== null && count !== transactions.length) {
    const problem = `the header's transaction count is ${count}, but the files have ${transactions.length}`;
    throw invalidRows(table, ["transactions"], problem);
  }
  let total = 0;
  for (const { receipt, invalid: invalidRow } of transactions) {
    total += receipt.gasUsed;
    const { cumulativeGasUsed: cumulative } = receipt;
    if (cumulative !== null && cumulative !== total) {
      throw invalidRow(`the cumulative gas is ${cumulative}, but the gas used so far is ${total}`);
    }
  }
  if (total !== Number(block.gasUsed)) {
    const problem = `the header's gas used is ${Number(block.gasUsed)}, but the transactions used ${total}`;
    throw invalidRows(table, ["receipts"], problem);
  }
}

/** Returns the receipts root; null if the files lack a part of the receipts. */
function receiptsRoot(
  receipts: readonly RpcReceipt[],
  blooms: readonly Uint8Array[],
  isOld: boolean,
): Hex | null {
  if (receipts.some(({ root, status }) => (isOld ? root : status) === null)) return null;
  return orderedRoot(receipts.map((receipt, i) => encodeReceipt(receipt, receipt.type ?? 0, blooms[i])));
}

/**
 * Returns the transactions of the files, with placeholders for the blobs of the block's only blob
 * transaction. Placeholders suffice, because only the number of blobs is used.
 */
function ownTransactions({ transactions }: TableBlock, { header }: RpcBlock): RpcTransaction[] {
  const blobs = Number(header.get("blobGasUsed") ?? "0x0") / GAS_PER_BLOB;
  return transactions.flatMap(({ own }) =>
    own?.fields.type === 3
      ? { ...own.fields, blobVersionedHashes: Array.from({ length: blobs }, () => NO_HASH) }
      : (own?.fields ?? []),
  );
}

/** Returns whether the fees of all transactions can be computed from the header and the files. */
export function hasAllFees({ transactions }: TableBlock, header: ReadonlyMap<string, Hex>): boolean {
  const withBlobs = transactions.filter(({ type }) => type === 3).length;
  return withBlobs === 0 || (withBlobs === 1 && header.has("blobGasUsed") && header.has("excessBlobGas"));
}

/**
 * Returns the receipts in the form of JSON-RPC. Before Byzantium, receipts had a state root and no status,
 * although a node or a file may give one; since then, they have a status.
 */
function receiptsOf({ transactions }: TableBlock, { hash }: RpcBlock, isOld: boolean): RpcReceipt[] {
  let total = 0;
  return transactions.map(({ hash: transactionHash, type, receipt }) => {
    const { status, root, gasUsed, logs } = receipt;
    total += gasUsed;
    return {
      transactionHash,
      blockHash: hash,
      type,
      status: isOld ? null : status,
      root: isOld ? root : null,
      cumulativeGasUsed: toQuantity(total),
      gasUsed: toQuantity(gasUsed),
      effectiveGasPrice: null,
      // Read only if the transaction creates a contract, whose real address is then computed.
      contractAddress: ZERO_ADDRESS,
      logsBloom: null,
      logs,
      blobGasUsed: null,
      blobGasPrice: null,
      l1Fee: null,
      operatorFeeScalar: null,
      operatorFeeConstant: null,
      daFootprintGasScalar: null,
      depositNonce: null,
      depositReceiptVersion: null,
    };
  });
}

function withBlobPrice(receipts: readonly RpcReceipt[], { header }: RpcBlock, chainId: number): RpcReceipt[] {
  const price = toQuantity(blobGasPrice(header, chainId));
  return receipts.map((receipt) => (receipt.type === 3 ? { ...receipt, blobGasPrice: price } : receipt));
}
