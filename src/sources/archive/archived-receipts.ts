import type { Hex } from "../../lib/hex.ts";
import { bloomOf } from "../verify/bloom.ts";
import { envelope, type RlpItem, rlp } from "../verify/encoding.ts";
import type { RpcLog, RpcReceipt } from "../wire/rpc-block.ts";
import { wordsOf } from "./archived-transaction.ts";
import { ADDRESS_BYTES, decodeRlp, MalformedRlp, RlpFields, WORD_BYTES } from "./rlp-fields.ts";

const BLOOM_BYTES = 256;

type Outcome = Pick<RpcReceipt, "status" | "root" | "cumulativeGasUsed" | "logs">;

export interface ArchivedReceipt {
  /** The bytes that the receipts root commits to. */
  encoded: Uint8Array;
  bloom: Uint8Array;
  type: number;
  outcome: Outcome;
}

/**
 * Decodes the receipts of a block.
 *
 * @param form `full`: the form that the receipts root commits to; `slim`: with the type but without the
 * bloom, which is computed from the logs
 * @throws MalformedRlp
 */
export function decodeReceipts(bytes: Uint8Array, form: "full" | "slim"): ArchivedReceipt[] {
  const { items } = decodeRlp(bytes, "the receipts");
  return items.map((item, i) => (form === "full" ? fullReceipt(item, i) : slimReceipt(item, i)));
}

function fullReceipt(item: RlpItem, index: number): ArchivedReceipt {
  const what = `receipt ${index}`;
  const type = Array.isArray(item) ? 0 : (item[0] ?? 0);
  const receipt = Array.isArray(item) ? new RlpFields(item, what) : decodeRlp(item.subarray(1), what);
  receipt.requireLength(4);
  return {
    encoded: Array.isArray(item) ? rlp(item) : item,
    bloom: receipt.raw(2, BLOOM_BYTES),
    type,
    outcome: readOutcome(receipt, 0, 3),
  };
}

function slimReceipt(item: RlpItem, index: number): ArchivedReceipt {
  const receipt = new RlpFields(item, `receipt ${index}`);
  receipt.requireLength(4);
  const type = Number(receipt.quantity(0));
  const outcome = readOutcome(receipt, 1, 3);
  const bloom = bloomOf(outcome.logs);
  const fields = [receipt.raw(1), receipt.raw(2), bloom, [...receipt.fields(3, "logs").items]];
  return { encoded: envelope(type, rlp(fields)), bloom, type, outcome };
}

/** @param at index of the status (before Byzantium, of the state root); the cumulative gas follows it */
function readOutcome(receipt: RlpFields, at: number, logs: number): Outcome {
  const { length } = receipt.raw(at);
  if (length > 1 && length !== WORD_BYTES)
    throw new MalformedRlp(`a receipt has a status of ${length} bytes`);
  const hasRoot = length === WORD_BYTES;
  let logIndex = 0;
  return {
    status: hasRoot ? null : receipt.quantity(at),
    root: hasRoot ? receipt.bytes(at) : null,
    cumulativeGasUsed: receipt.quantity(at + 1),
    logs: receipt.map(logs, "log", (log) => readLog(log, logIndex++)),
  };
}

function readLog(log: RlpFields, logIndex: number): RpcLog {
  log.requireLength(3);
  return {
    address: log.bytes(0, ADDRESS_BYTES),
    topics: wordsOf(log.fields(1, "topics")),
    data: log.bytes(2),
    logIndex,
  };
}

interface Origin {
  blockHash: Hex;
  transactionHash: Hex;
  gasUsed: Hex;
  /** Price of blob gas in the block; null for a transaction without blobs. */
  blobGasPrice: Hex | null;
  /**
   * Null unless the transaction creates a contract. In that case any address will do: only its presence
   * matters.
   */
  contractAddress: Hex | null;
}

/**
 * Converts the receipt to the form of JSON-RPC. The fields that only rollups have are null, because rollups
 * have no such files.
 */
export function rpcReceipt({ type, outcome }: ArchivedReceipt, origin: Origin): RpcReceipt {
  return {
    ...origin,
    ...outcome,
    type,
    effectiveGasPrice: null,
    logsBloom: null,
    blobGasUsed: null,
    l1Fee: null,
    operatorFeeScalar: null,
    operatorFeeConstant: null,
    daFootprintGasScalar: null,
    depositNonce: null,
    depositReceiptVersion: null,
  };
}
