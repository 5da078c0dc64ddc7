import { BaseError } from "../../lib/error.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction, RpcWithdrawal } from "../wire/rpc-block.ts";
import { unionOf } from "./bloom.ts";
import { keccakHex, quantityBytes, rlp } from "./encoding.ts";
import { hashMatches, headerHash, unknownFields } from "./header.ts";
import { orderedRoot } from "./ordered-root.ts";
import { bloomOfReceipt, encodeReceipt } from "./receipt.ts";
import { STATE_SYNC_TYPE, type StateSync, stateSyncOf } from "./state-sync.ts";
import { encodeTransaction } from "./transaction.ts";

/** Why a block is not what its header promises. */
export interface Problem {
  /**
   * - `false`: what the endpoint sent contradicts itself.
   * - `torn`: block and receipts are of two forks; a reorg happened between two calls, which is no lie.
   * - `unknown`: a format that this version cannot check.
   */
  kind: "false" | "torn" | "unknown";
  /** What does not hold, for people. */
  message: string;
}

/**
 * Proves a block against its own header: block hash, transactions root, each transaction's hash, receipts
 * root (with every log, status and cumulative gas), logs bloom, and withdrawals root where the body is there.
 * Null means proven.
 *
 * Not provable from a block alone, and taken from the endpoint: a transaction's sender (it takes a signature
 * recovery each; deposits of OP-stack chains are the exception), the block's size, a rollup's L1 fee, the
 * price of blob gas, and on Polygon what state-sync.ts tells. Which chain a block belongs to is told by its
 * parent hash, see `verifyLink`.
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
      verifyBloom(block, receipts, sync) ??
      verifyWithdrawals(block)
    );
  } catch (error) {
    if (error instanceof BaseError && error.code === "unsupported")
      return { kind: "unknown", message: error.message };
    throw error;
  }
}

/** Null when `child` names `parent` as its parent. */
export function verifyLink(
  parent: { number: number; hash: Hex },
  child: { number: number; parentHash: Hex },
): Problem | null {
  if (child.parentHash === parent.hash) return null;
  return {
    kind: "torn",
    message: `parent hash ${child.parentHash} is not the hash of block ${parent.number}, ${parent.hash}`,
  };
}

function verifyHeader(block: RpcBlock): Problem | null {
  if (hashMatches(block)) return null;
  const unknown = unknownFields(block);
  if (unknown.length > 0) {
    return {
      kind: "unknown",
      message: `header format is unknown to this version of Quarry: it has ${unknown.join(", ")}`,
    };
  }
  const hash = headerHash(block);
  if (hash === null) return wrong("header is incomplete: a field that every header has is missing");
  return wrong(`block hash ${block.hash} is not that of its header, ${hash}`);
}

/** Receipts must be those of this block's transactions, one each, in order. */
function verifyPairs(block: RpcBlock, receipts: readonly RpcReceipt[]): Problem | null {
  const foreign = receipts.find((receipt) => receipt.blockHash !== block.hash);
  if (foreign !== undefined) {
    return {
      kind: "torn",
      message: `receipts are of block hash ${foreign.blockHash}, the block's is ${block.hash}`,
    };
  }
  if (receipts.length !== block.transactions.length) {
    return wrong(`there are ${receipts.length} receipts for ${block.transactions.length} transactions`);
  }
  const at = block.transactions.findIndex((tx, i) => tx.hash !== receipts[i]?.transactionHash);
  return at < 0 ? null : wrong(`receipt ${at} is of another transaction`);
}

function verifyTransactions(block: RpcBlock, chainId: number, sync: StateSync): Problem | null {
  const encodable = withoutStateSync(block.transactions, sync);
  const encoded = encodable.map((tx) => encodeTransaction(tx, chainId));
  const at = encodable.findIndex((tx, i) => tx.hash !== keccakHex(encoded[i] ?? new Uint8Array()));
  if (at >= 0) return wrong(`transaction ${at}: hash ${encodable[at]?.hash} is not that of its content`);
  if (sync === "inside" || block.transactionsRoot === orderedRoot(encoded)) return null;
  return wrong("transactions root does not match the transactions");
}

/** First block of Byzantium, by chain id; newer chains have had it from their beginning. */
const BYZANTIUM = new Map([[1, 4_370_000]]);

function verifyReceipts(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  { chainId, sync }: { chainId: number; sync: StateSync },
): Problem | null {
  const proven = sync === "outside" ? receipts.slice(0, -1) : receipts;
  const encoded = proven.map((receipt, i) => encodeReceipt(receipt, block.transactions[i]?.type ?? 0));
  if (block.receiptsRoot === orderedRoot(encoded)) return null;
  if (sync === "inside" && block.receiptsRoot === orderedRoot(withBareType(encoded))) return null;
  if (Number(block.number) < (BYZANTIUM.get(chainId) ?? 0) && receipts.some(({ root }) => root === null)) {
    return {
      kind: "unknown",
      message:
        "receipts of blocks before Byzantium are proven by the state roots in them, which the endpoint leaves out",
    };
  }
  return wrong("receipts root does not match the receipts and their logs");
}

/** Bor's own list hashing writes nothing but the type's byte for receipt types that geth does not know. */
function withBareType(encoded: Uint8Array[]): Uint8Array[] {
  return [...encoded.slice(0, -1), Uint8Array.of(STATE_SYNC_TYPE)];
}

function verifyBloom(block: RpcBlock, receipts: readonly RpcReceipt[], sync: StateSync): Problem | null {
  const counted = sync === "outside" ? receipts.slice(0, -1) : receipts;
  if (block.logsBloom === fromBytes(unionOf(counted.map(bloomOfReceipt)))) return null;
  return wrong("logs bloom of the header does not match the logs");
}

function verifyWithdrawals(block: RpcBlock): Problem | null {
  if (block.withdrawals === null || block.withdrawalsRoot === null) return null;
  // OP-stack chains put the message passer's storage root there (Isthmus) and have no withdrawals at all.
  if (block.withdrawals.length === 0) return null;
  if (block.withdrawalsRoot === orderedRoot(block.withdrawals.map(encodeWithdrawal))) return null;
  return wrong("withdrawals root does not match the withdrawals");
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

function wrong(message: string): Problem {
  return { kind: "false", message };
}
