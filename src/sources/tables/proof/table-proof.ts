import { fromBytes, type Hex, toQuantity, ZERO_ADDRESS } from "../../../lib/hex.ts";
import type { BlockProof } from "../../../schema/block.ts";
import { blobGasPrice, followsSchedule } from "../../archive/blob-schedule.ts";
import { UnknownFormat } from "../../archive/unknown-format.ts";
import type { Prover } from "../../prover/prover.ts";
import { bloomOf, unionOf } from "../../verify/bloom.ts";
import { hashMatches } from "../../verify/header.ts";
import { orderedRoot } from "../../verify/ordered-root.ts";
import { encodeReceipt } from "../../verify/receipt.ts";
import { BYZANTIUM } from "../../verify/verify-block.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction } from "../../wire/rpc-block.ts";
import { invalidRows, type TableBlock, type TableTransaction } from "../rows/table-block.ts";
import type { KnownBlock } from "./known-block.ts";
import { provenEncoding } from "./transaction-proof.ts";

export interface ProofOptions {
  chainId: number;
  prover: Pick<Prover, "senders">;
  signal: AbortSignal;
  /** True if the caller has confirmed the header's hash, or rejects the block later if the hash is wrong. */
  isConfirmed: boolean;
  /**
   * Returns the fields of the parent's header, used to check the blob parameters; null if there is no node.
   */
  parent: () => Promise<HeaderFields | null>;
}

export type HeaderFields = RpcBlock["header"];

export interface ProvenTable {
  block: RpcBlock;
  receipts: RpcReceipt[];
  proof: BlockProof;
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
export async function proveTable(
  table: TableBlock,
  { block, transactions: known }: KnownBlock,
  options: ProofOptions,
): Promise<ProvenTable> {
  const { chainId, isConfirmed } = options;
  requireTypes(table, chainId);
  requireSums(table, block);
  const isOld = table.header.number < (BYZANTIUM.get(chainId) ?? 0);
  const receipts = block.receiptsRoot === null ? null : receiptsRoot(table, isOld);
  const encodings = known === null ? table.transactions.map((one) => provenEncoding(one, chainId)) : [];
  const complete = encodings.flatMap((encoding) => encoding ?? []);
  const isComplete = known === null && complete.length === table.transactions.length;
  const isOwnProven = isComplete && block.transactionsRoot !== null;
  if (isOwnProven && orderedRoot(complete) !== block.transactionsRoot) {
    throw invalidRows(table, ["transactions"], "transactions root does not match the transactions");
  }
  if (receipts !== null && receipts !== block.receiptsRoot) {
    const problem = "receipts root does not match the receipts and their logs";
    throw invalidRows(table, ["logs", "receipts"], problem);
  }
  requireBloom(table, block);
  if (isOwnProven) await requireSenders(table, complete, options);
  if (hasBlobs(table)) await requireSchedule(block, options);
  return {
    block: { ...block, transactions: known ?? ownTransactions(table, block) },
    receipts: rpcReceipts(table, block, { known, chainId, isOld }),
    proof: receipts !== null ? proofOf(isConfirmed, known !== null || isOwnProven) : "none",
  };
}

function proofOf(isConfirmed: boolean, areTransactionsProven: boolean): BlockProof {
  if (!isConfirmed) return "file";
  return areTransactionsProven ? "block" : "receipts";
}

/**
 * Checks the bloom, which reveals many missing logs, even in blocks whose receipts root cannot be computed
 * from the files.
 */
function requireBloom(table: TableBlock, { logsBloom }: RpcBlock): void {
  if (logsBloom === null) return;
  const blooms = table.transactions.map(({ receipt }) => bloomOf(receipt.logs));
  if (logsBloom !== fromBytes(unionOf(blooms))) {
    throw invalidRows(table, ["logs"], "logs bloom of the header does not match the logs");
  }
}

/** Checks the senders against the signatures, because no hash covers senders. */
async function requireSenders(
  { transactions }: TableBlock,
  encodings: readonly Uint8Array[],
  { prover, signal }: ProofOptions,
): Promise<void> {
  const found = await prover.senders(encodings, signal);
  for (const [i, transaction] of transactions.entries()) {
    if (found[i] === transaction.fields.from) continue;
    throw transaction.invalid(`the sender is ${transaction.fields.from}, but ${found[i]} signed it`);
  }
}

/**
 * Rejects a block with blobs if a fork that this version does not know may have changed the price of blobs.
 */
async function requireSchedule({ header }: RpcBlock, { chainId, parent }: ProofOptions): Promise<void> {
  const before = await parent();
  if (before !== null && !followsSchedule(before, header, chainId))
    throw new UnknownFormat("the blob parameters of this block");
}

function hasBlobs({ transactions }: TableBlock): boolean {
  return transactions.some(({ fields }) => fields.type === 3);
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
  for (const { fields, invalid: invalidRow } of transactions) {
    if (fields.type > MAX_TYPE)
      throw new UnknownFormat(`files with transactions of type ${toQuantity(fields.type)}`);
    if (fields.chainId !== null && Number(fields.chainId) !== chainId) {
      throw invalidRow(`it belongs to the chain with id ${Number(fields.chainId)}, not ${chainId}`);
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
function receiptsRoot({ transactions }: TableBlock, isOld: boolean): Hex | null {
  if (transactions.some(({ receipt }) => (isOld ? receipt.root : receipt.status) === null)) return null;
  let total = 0;
  const receipts = transactions.map((transaction) => {
    total += transaction.receipt.gasUsed;
    const { logs } = transaction.receipt;
    return { ...ABSENT, ...outcomeOf(transaction, isOld), cumulativeGasUsed: toQuantity(total), logs };
  });
  const encoded = receipts.map((receipt, i) => encodeReceipt(receipt, transactions[i]?.fields.type ?? 0));
  return orderedRoot(encoded);
}

/**
 * Returns the transactions of the files, with placeholders for the blobs of the block's only blob
 * transaction. Placeholders suffice, because only the number of blobs is used.
 */
function ownTransactions({ transactions }: TableBlock, { header }: RpcBlock): RpcTransaction[] {
  const blobs = Number(header.get("blobGasUsed") ?? "0x0") / GAS_PER_BLOB;
  return transactions.map(({ fields }) =>
    fields.type === 3
      ? { ...fields, blobVersionedHashes: Array.from({ length: blobs }, () => NO_HASH) }
      : fields,
  );
}

/** Returns whether the fees of all transactions can be computed from the header and the files. */
export function hasAllFees({ transactions }: TableBlock, header: ReadonlyMap<string, Hex>): boolean {
  const withBlobs = transactions.filter(({ fields }) => fields.type === 3).length;
  return withBlobs === 0 || (withBlobs === 1 && header.has("blobGasUsed") && header.has("excessBlobGas"));
}

function rpcReceipts(
  table: TableBlock,
  { hash, header }: RpcBlock,
  { known, chainId, isOld }: { known: readonly RpcTransaction[] | null; chainId: number; isOld: boolean },
): RpcReceipt[] {
  let total = 0;
  const blobPrice = hasBlobs(table) ? toQuantity(blobGasPrice(header, chainId)) : null;
  return table.transactions.map((transaction, i) => {
    total += transaction.receipt.gasUsed;
    const { to } = known?.[i] ?? transaction.fields;
    return {
      ...ABSENT,
      transactionHash: transaction.fields.hash,
      blockHash: hash,
      type: transaction.fields.type,
      ...outcomeOf(transaction, isOld),
      cumulativeGasUsed: toQuantity(total),
      gasUsed: toQuantity(transaction.receipt.gasUsed),
      contractAddress: to === null ? ZERO_ADDRESS : null,
      logs: transaction.receipt.logs,
      blobGasPrice: transaction.fields.type === 3 ? blobPrice : null,
    };
  });
}

/**
 * Returns the status or state root that the receipt's encoding contains. Before Byzantium, receipts had no
 * status, although a node or a file may give one.
 */
function outcomeOf({ receipt: { status, root } }: TableTransaction, isOld: boolean) {
  return isOld ? { status: null, root } : { status, root: null };
}

/** Fields that only rollups have, or that are computed. */
const ABSENT = {
  effectiveGasPrice: null,
  logsBloom: null,
  blobGasUsed: null,
  l1Fee: null,
  operatorFeeScalar: null,
  operatorFeeConstant: null,
  daFootprintGasScalar: null,
  depositNonce: null,
  depositReceiptVersion: null,
} satisfies Partial<RpcReceipt>;
