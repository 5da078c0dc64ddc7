import { toBytes } from "../../lib/hex.ts";
import type { RpcLog, RpcReceipt } from "../wire/rpc-block.ts";
import { bloomOf } from "./bloom.ts";
import { quantityBytes, type RlpItem, rlp } from "./encoding.ts";
import { DEPOSIT_TYPE } from "./transaction.ts";

/** The fields of a receipt that determine its encoding. */
type EncodedFields = Pick<
  RpcReceipt,
  "root" | "status" | "cumulativeGasUsed" | "logs" | "logsBloom" | "depositNonce" | "depositReceiptVersion"
>;

/**
 * Returns the bytes that the receipts root commits to.
 *
 * @param type type of the transaction, which the root also proves
 * @param bloom the receipt's bloom, if it is already known
 */
export function encodeReceipt(
  receipt: EncodedFields,
  type: number,
  bloom: Uint8Array = bloomOfReceipt(receipt),
): Uint8Array {
  const fields: RlpItem[] = [
    receipt.root ?? quantityBytes(receipt.status),
    quantityBytes(receipt.cumulativeGasUsed),
    bloom,
    receipt.logs.map(encodeLog),
  ];
  return rlp([...fields, ...depositFields(receipt, type)], type);
}

/**
 * Returns the bloom of a receipt. The root commits to the bloom that the endpoint sends, so it is computed
 * only if the endpoint omits it.
 */
export function bloomOfReceipt(receipt: Pick<RpcReceipt, "logs" | "logsBloom">): Uint8Array {
  return receipt.logsBloom === null ? bloomOf(receipt.logs) : toBytes(receipt.logsBloom);
}

/**
 * Returns the fields that only receipts of deposits have: the sender's nonce and a version, since Canyon.
 * Between Regolith and Canyon, nodes return the nonce, but the root does not cover it.
 */
function depositFields(receipt: EncodedFields, type: number): RlpItem[] {
  if (type !== DEPOSIT_TYPE || receipt.depositReceiptVersion === null) return [];
  return [quantityBytes(receipt.depositNonce ?? null), quantityBytes(receipt.depositReceiptVersion)];
}

function encodeLog({ address, topics, data }: RpcLog): RlpItem {
  return [address, topics, data];
}
