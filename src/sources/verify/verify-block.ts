import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction, RpcWithdrawal } from "../wire/rpc-block.ts";
import { unionOf } from "./bloom.ts";
import { keccakHex, quantityBytes, rlp } from "./encoding.ts";
import { hashMatches, headerHash, unknownFields } from "./header.ts";
import { orderedRoot } from "./ordered-root.ts";
import { bloomOfReceipt, encodeReceipt } from "./receipt.ts";
import { STATE_SYNC_TYPE, type StateSync, stateSyncOf } from "./state-sync.ts";
import { encodeTransaction } from "./transaction.ts";
import { IncompleteTransaction, UnsupportedTransactionType } from "./unprovable.ts";

/** The reason why a block failed verification. */
export interface Problem {
  /**
   * - `invalid`: the data contradicts itself.
   * - `inconsistent`: the block or its receipts are missing, or they come from two forks. A lagging endpoint
   *   or a reorg between two calls can cause that, so it is not the endpoint's fault.
   * - `unsupported`: this version cannot verify the format.
   */
  kind: "invalid" | "inconsistent" | "unsupported";
  /** Explanation for users. */
  message: string;
}

/**
 * Verifies a block against its own header: block hash, transactions root, each transaction's hash, receipts
 * root (with every log, status and cumulative gas), logs bloom, and withdrawals root if the withdrawals are
 * present. Returns null if all of them match.
 *
 * The following values are taken from the endpoint, because a block does not prove them: the block's size, a
 * rollup's L1 fee, the price of blob gas, and on Polygon the exceptions in state-sync.ts. A transaction's
 * hash covers the sender only in deposits of OP-stack chains and in most of Arbitrum's own transactions. All
 * other senders follow from signatures, which `verifySenders` checks if it is requested. The parent hash
 * proves which chain the block belongs to (see `verifyLink`).
 */
export function verifyBlock(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  chainId: number,
): Problem | null {
  const sync = stateSyncOf(block, chainId);
  try {
    return (
      verifyHeader(block) ??
      verifyPairs(block, receipts) ??
      verifyTransactions(block, chainId, sync) ??
      verifyReceipts(block, receipts, { chainId, sync }) ??
      verifyWithdrawals(block)
    );
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnsupportedTransactionType) return { kind: "unsupported", message: error.message };
  if (error instanceof IncompleteTransaction) return invalid(error.message);
  throw error;
}

/**
 * Returns the receipts of a verified block, with the status 0 for each receipt that has neither a status nor
 * a state root. Such a receipt has the encoding of a failed transaction, so the receipts root proves that the
 * transaction failed. The root does not prove the status of a state-sync transaction.
 */
export function withProvenStatuses(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  chainId: number,
): readonly RpcReceipt[] {
  const proven = stateSyncOf(block, chainId) === "none" ? receipts.length : receipts.length - 1;
  return receipts.map((receipt, i) =>
    i < proven && receipt.root === null && receipt.status === null ? { ...receipt, status: "0x0" } : receipt,
  );
}

/**
 * Verifies a block without receipts against its own header: block hash, transactions and withdrawals. Returns
 * null if all of them match.
 */
export function verifyWithoutReceipts(block: RpcBlock, chainId: number): Problem | null {
  try {
    return (
      verifyHeader(block) ??
      verifyTransactions(block, chainId, stateSyncOf(block, chainId)) ??
      verifyWithdrawals(block)
    );
  } catch (error) {
    return problemOf(error);
  }
}

/** Returns null if `child` names `parent` as its parent. */
export function verifyLink(
  parent: { number: number; hash: Hex },
  child: { number: number; parentHash: Hex },
): Problem | null {
  if (child.parentHash === parent.hash) return null;
  return {
    kind: "inconsistent",
    message: `parent hash ${child.parentHash} is not the hash of block ${parent.number}, ${parent.hash}`,
  };
}

/** Returns a problem if the block's hash is not the hash of its header. */
export function verifyHeader(block: RpcBlock): Problem | null {
  if (hashMatches(block)) return null;
  const unknown = unknownFields(block);
  if (unknown.length > 0) {
    return {
      kind: "unsupported",
      message: `header format is not supported by this version of Quarry: unknown fields ${unknown.join(", ")}`,
    };
  }
  const hash = headerHash(block);
  if (hash === null) return invalid("header is incomplete: a required field is missing");
  return invalid(`block hash ${block.hash} does not match the hash of its header, ${hash}`);
}

/** Returns a problem unless each transaction has one receipt, in the same order. */
function verifyPairs(block: RpcBlock, receipts: readonly RpcReceipt[]): Problem | null {
  const foreign = receipts.find((receipt) => receipt.blockHash !== block.hash);
  if (foreign !== undefined) {
    return {
      kind: "inconsistent",
      message: `receipts have block hash ${foreign.blockHash}, but the block has hash ${block.hash}`,
    };
  }
  if (receipts.length !== block.transactions.length) {
    return invalid(`${receipts.length} receipts for ${block.transactions.length} transactions`);
  }
  const at = block.transactions.findIndex((tx, i) => tx.hash !== receipts[i]?.transactionHash);
  return at < 0 ? null : invalid(`receipt ${at} belongs to another transaction`);
}

function verifyTransactions(block: RpcBlock, chainId: number, sync: StateSync): Problem | null {
  const encodable = withoutStateSync(block.transactions, sync);
  const encoded = encodable.map((tx) => encodeTransaction(tx, chainId));
  const at = encodable.findIndex((tx, i) => tx.hash !== keccakHex(encoded[i] ?? new Uint8Array()));
  if (at >= 0) return invalid(`transaction ${at}: hash ${encodable[at]?.hash} does not match its content`);
  if (sync === "inside" || block.transactionsRoot === orderedRoot(encoded)) return null;
  return invalid("transactions root does not match the transactions");
}

/** First block of Byzantium, by chain id. Newer chains started with Byzantium. */
export const BYZANTIUM = new Map([[1, 4_370_000]]);

function verifyReceipts(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  { chainId, sync }: { chainId: number; sync: StateSync },
): Problem | null {
  const proven = sync === "outside" ? receipts.slice(0, -1) : receipts;
  const blooms = proven.map(bloomOfReceipt);
  const encoded = proven.map((receipt, i) =>
    encodeReceipt(receipt, block.transactions[i]?.type ?? 0, blooms[i]),
  );
  if (block.receiptsRoot === orderedRoot(encoded)) return verifyBloom(block, blooms);
  if (sync === "inside" && block.receiptsRoot === orderedRoot(withBareType(encoded))) {
    return verifyBloom(block, blooms);
  }
  if (Number(block.number) < (BYZANTIUM.get(chainId) ?? 0) && receipts.some(({ root }) => root === null)) {
    return {
      kind: "unsupported",
      message:
        "receipts before Byzantium can only be verified with their state roots, which the endpoint omits",
    };
  }
  return invalid("receipts root does not match the receipts and their logs");
}

/**
 * Returns the encoded receipts, with the last one replaced by the byte of its type. For receipt types that
 * geth does not know, Bor's list hashing writes only this byte.
 */
function withBareType(encoded: Uint8Array[]): Uint8Array[] {
  return [...encoded.slice(0, -1), Uint8Array.of(STATE_SYNC_TYPE)];
}

function verifyBloom(block: RpcBlock, blooms: readonly Uint8Array[]): Problem | null {
  if (block.logsBloom === fromBytes(unionOf(blooms))) return null;
  return invalid("logs bloom of the header does not match the logs");
}

function verifyWithdrawals(block: RpcBlock): Problem | null {
  if (block.withdrawals === null || block.withdrawalsRoot === null) return null;
  // Since Isthmus, OP-stack chains store the message passer's storage root here. They have no withdrawals.
  if (block.withdrawals.length === 0) return null;
  if (block.withdrawalsRoot === orderedRoot(block.withdrawals.map(encodeWithdrawal))) return null;
  return invalid("withdrawals root does not match the withdrawals");
}

function encodeWithdrawal(withdrawal: RpcWithdrawal): Uint8Array {
  return rlp([
    quantityBytes(withdrawal.index),
    quantityBytes(withdrawal.validatorIndex),
    toBytes(withdrawal.address),
    quantityBytes(withdrawal.amount),
  ]);
}

function withoutStateSync(transactions: RpcTransaction[], sync: StateSync): RpcTransaction[] {
  return sync === "none" ? transactions : transactions.slice(0, -1);
}

function invalid(message: string): Problem {
  return { kind: "invalid", message };
}
