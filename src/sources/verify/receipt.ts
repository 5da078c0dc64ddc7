import { toBytes } from "../../lib/hex.ts";
import type { RpcLog, RpcReceipt } from "../wire/rpc-block.ts";
import { bloomOf } from "./bloom.ts";
import { EMPTY, envelope, quantityBytes, type RlpItem, rlp } from "./encoding.ts";
import { DEPOSIT_TYPE } from "./transaction.ts";

/** The bytes that the receipts root commits to. `type` is the transaction's, which the root proves too. */
export function encodeReceipt(receipt: RpcReceipt, type: number): Uint8Array {
  const fields: RlpItem[] = [
    receipt.root === null ? quantityBytes(receipt.status) : toBytes(receipt.root),
    quantityBytes(receipt.cumulativeGasUsed),
    bloomOfReceipt(receipt),
    receipt.logs.map(encodeLog),
  ];
  return envelope(type, rlp([...fields, ...depositFields(receipt, type)]));
}

/** The root commits to the bloom as given, so it is only computed where the endpoint leaves it out. */
export function bloomOfReceipt(receipt: RpcReceipt): Uint8Array {
  return receipt.logsBloom === null ? bloomOf(receipt.logs) : toBytes(receipt.logsBloom);
}

/**
 * From Canyon on, the receipt of a deposit carries the sender's nonce and a version. Between Regolith and
 * Canyon nodes tell the nonce, but the root leaves it out.
 */
function depositFields(receipt: RpcReceipt, type: number): RlpItem[] {
  if (type !== DEPOSIT_TYPE || receipt.depositReceiptVersion === null) return [];
  return [quantityBytes(receipt.depositNonce ?? null), quantityBytes(receipt.depositReceiptVersion)];
}

function encodeLog(log: RpcLog): RlpItem {
  return [
    toBytes(log.address),
    log.topics.length === 0 ? [] : log.topics.map(toBytes),
    log.data === "0x" ? EMPTY : toBytes(log.data),
  ];
}
