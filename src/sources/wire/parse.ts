import type { Hex } from "../../lib/hex.ts";
import { FieldReader, RpcFormatError } from "../rpc/field-reader.ts";
import type {
  RpcAccess,
  RpcArbitrumFields,
  RpcAuthorization,
  RpcBlock,
  RpcLog,
  RpcReceipt,
  RpcTransaction,
  RpcWithdrawal,
} from "./rpc-block.ts";

/**
 * Parses an eth_getBlockByNumber result with full transactions. Checks the form of the values, but verifies
 * none of them.
 *
 * @throws RpcFormatError, which names the wrong field
 */
export function parseBlock(json: unknown, number: number): RpcBlock {
  const where = `block ${number}`;
  const block = new FieldReader(json, where);
  if (block.integer("number") !== number) throw block.wrong("number", `${number}, the requested block`);
  return {
    number: block.quantity("number"),
    hash: block.bytes("hash", 32),
    parentHash: block.bytes("parentHash", 32),
    transactionsRoot: block.bytesOrNull("transactionsRoot", 32),
    receiptsRoot: block.bytesOrNull("receiptsRoot", 32),
    withdrawalsRoot: block.bytesOrNull("withdrawalsRoot", 32),
    logsBloom: block.bytesOrNull("logsBloom", 256),
    timestamp: block.quantity("timestamp"),
    miner: block.bytes("miner", 20),
    gasLimit: block.quantity("gasLimit"),
    gasUsed: block.quantity("gasUsed"),
    baseFeePerGas: block.quantityOrNull("baseFeePerGas"),
    size: block.quantityOrNull("size"),
    extraData: block.bytes("extraData"),
    transactions: block
      .list("transactions")
      .map((tx, i) => parseTransaction(block.at(tx, `transactions[${i}]`))),
    withdrawals: block.has("withdrawals") ? parseWithdrawals(block) : null,
    header: hexFields(block),
  };
}

/** Parses an eth_getBlockReceipts result, or a list of eth_getTransactionReceipt results. */
export function parseReceipts(json: unknown, number: number): RpcReceipt[] {
  if (!Array.isArray(json)) throw new RpcFormatError(`block ${number}: receipts are not a list`);
  return json.map((item, i) => parseReceipt(new FieldReader(item, `block ${number}, receipts[${i}]`)));
}

/** Parses one log, from eth_getLogs or from a receipt. */
export function parseLog(log: FieldReader): RpcLog {
  return {
    address: log.bytes("address", 20),
    topics: log.bytesList("topics", 32),
    data: log.bytes("data"),
    logIndex: log.integer("logIndex"),
  };
}

function parseReceipt(receipt: FieldReader): RpcReceipt {
  return {
    transactionHash: receipt.bytes("transactionHash", 32),
    blockHash: receipt.bytes("blockHash", 32),
    type: receipt.has("type") ? receipt.integer("type") : null,
    status: receipt.quantityOrNull("status"),
    root: stateRoot(receipt),
    cumulativeGasUsed: receipt.quantity("cumulativeGasUsed"),
    gasUsed: receipt.quantity("gasUsed"),
    effectiveGasPrice: receipt.quantityOrNull("effectiveGasPrice"),
    contractAddress: receipt.bytesOrNull("contractAddress", 20),
    logsBloom: receipt.bytesOrNull("logsBloom", 256),
    logs: receipt.list("logs").map((log, i) => parseLog(receipt.at(log, `logs[${i}]`))),
    blobGasUsed: receipt.quantityOrNull("blobGasUsed"),
    blobGasPrice: receipt.quantityOrNull("blobGasPrice"),
    l1Fee: receipt.quantityOrNull("l1Fee"),
    operatorFeeScalar: receipt.quantityOrNull("operatorFeeScalar"),
    operatorFeeConstant: receipt.quantityOrNull("operatorFeeConstant"),
    daFootprintGasScalar: receipt.quantityOrNull("daFootprintGasScalar"),
    depositNonce: receipt.quantityOrNull("depositNonce"),
    depositReceiptVersion: receipt.quantityOrNull("depositReceiptVersion"),
  };
}

const STATE_ROOT = /^0x(?!0{64}$)[0-9a-f]{64}$/i;

/**
 * Reads the state root. Some nodes send an empty, zero or shorter root together with the status. Such a root
 * counts as absent.
 */
function stateRoot(receipt: FieldReader): Hex | null {
  const { root } = receipt.object;
  return typeof root === "string" && STATE_ROOT.test(root) ? receipt.bytes("root", 32) : null;
}

function parseTransaction(tx: FieldReader): RpcTransaction {
  return {
    hash: tx.bytes("hash", 32),
    type: transactionType(tx),
    transactionIndex: tx.has("transactionIndex") ? tx.integer("transactionIndex") : null,
    from: tx.bytes("from", 20),
    to: tx.bytesOrNull("to", 20),
    nonce: tx.quantity("nonce"),
    value: tx.quantity("value"),
    gas: tx.quantity("gas"),
    input: tx.has("input") ? tx.bytes("input") : tx.bytes("data"),
    chainId: tx.quantityOrNull("chainId"),
    gasPrice: tx.quantityOrNull("gasPrice"),
    maxFeePerGas: tx.quantityOrNull("maxFeePerGas"),
    maxPriorityFeePerGas: tx.quantityOrNull("maxPriorityFeePerGas"),
    maxFeePerBlobGas: tx.quantityOrNull("maxFeePerBlobGas"),
    accessList: tx.listOrEmpty("accessList").map((item, i) => parseAccess(tx.at(item, `accessList[${i}]`))),
    blobVersionedHashes: tx.bytesList("blobVersionedHashes", 32),
    authorizationList: tx
      .listOrEmpty("authorizationList")
      .map((item, i) => parseAuthorization(tx.at(item, `authorizationList[${i}]`))),
    v: tx.quantityOrNull("v"),
    yParity: tx.quantityOrNull("yParity"),
    r: tx.quantityOrNull("r"),
    s: tx.quantityOrNull("s"),
    sourceHash: tx.bytesOrNull("sourceHash", 32),
    mint: tx.quantityOrNull("mint"),
    isSystemTx: tx.object.isSystemTx === true,
    arbitrum: tx.has("requestId") || tx.has("ticketId") ? parseArbitrumFields(tx) : null,
  };
}

function parseArbitrumFields(tx: FieldReader): RpcArbitrumFields {
  return {
    requestId: tx.bytesOrNull("requestId", 32),
    ticketId: tx.bytesOrNull("ticketId", 32),
    refundTo: tx.bytesOrNull("refundTo", 20),
    maxRefund: tx.quantityOrNull("maxRefund"),
    submissionFeeRefund: tx.quantityOrNull("submissionFeeRefund"),
    l1BaseFee: tx.quantityOrNull("l1BaseFee"),
    depositValue: tx.quantityOrNull("depositValue"),
    retryTo: tx.bytesOrNull("retryTo", 20),
    retryValue: tx.quantityOrNull("retryValue"),
    retryData: tx.bytesOrNull("retryData"),
    beneficiary: tx.bytesOrNull("beneficiary", 20),
    maxSubmissionFee: tx.quantityOrNull("maxSubmissionFee"),
  };
}

/**
 * Returns the type of a transaction. Nodes older than EIP-2718 omit it, so it is derived from the other
 * fields.
 */
function transactionType(tx: FieldReader): number {
  if (tx.has("type")) return tx.integer("type");
  if (tx.has("authorizationList")) return 4;
  if (tx.has("blobVersionedHashes")) return 3;
  if (tx.has("maxFeePerGas")) return 2;
  return tx.has("accessList") ? 1 : 0;
}

function parseAccess(access: FieldReader): RpcAccess {
  return { address: access.bytes("address", 20), storageKeys: access.bytesList("storageKeys", 32) };
}

function parseAuthorization(item: FieldReader): RpcAuthorization {
  return {
    chainId: item.quantity("chainId"),
    address: item.bytes("address", 20),
    nonce: item.quantity("nonce"),
    yParity: item.has("yParity") ? item.quantity("yParity") : item.quantity("v"),
    r: item.quantity("r"),
    s: item.quantity("s"),
  };
}

function parseWithdrawals(block: FieldReader): RpcWithdrawal[] {
  return block.list("withdrawals").map((item, i) => {
    const withdrawal = block.at(item, `withdrawals[${i}]`);
    return {
      index: withdrawal.quantity("index"),
      validatorIndex: withdrawal.quantity("validatorIndex"),
      address: withdrawal.bytes("address", 20),
      amount: withdrawal.quantity("amount"),
    };
  });
}

const ANY_HEX = /^0x[0-9a-f]*$/i;

function hexFields(block: FieldReader): ReadonlyMap<string, Hex> {
  const fields = new Map<string, Hex>();
  for (const [name, value] of Object.entries(block.object)) {
    if (typeof value === "string" && ANY_HEX.test(value)) fields.set(name, value.toLowerCase() as Hex);
  }
  return fields;
}
