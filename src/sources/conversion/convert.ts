import type { Hex } from "../../lib/hex.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { RpcFormatError, toInteger, toUint64 } from "../rpc/field-reader.ts";
import { hasUnknownNonce, paysBaseFeeOnly } from "../verify/arbitrum.ts";
import { quantityBytes } from "../verify/encoding.ts";
import { DEPOSIT_TYPE, hashedFees } from "../verify/transaction.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction } from "../wire/rpc-block.ts";
import { blobFee, createdAddress, effectiveGasPrice } from "./derived-values.ts";

/**
 * Where derived values come from.
 *
 * - `proven`: the block was verified. Values that follow from verified fields are computed: index and gas
 *   used of transactions, gas price, index of logs, address of a created contract. Fee caps and tips that no
 *   hash covers are null. Wrong values from an endpoint therefore have no effect, and neither does a log
 *   index that restarts in each transaction.
 * - `given`: nothing was verified. All values are as the endpoint sent them. This is also used for recordings
 *   that contain only some logs.
 */
export type Trust = "proven" | "given";

/**
 * Converts the block to the form that the rest of Quarry uses.
 *
 * @param checked the block's proof and origin; default: as for a block from an endpoint
 * @throws RpcFormatError if a number does not fit its field or a receipt is missing; the message names the
 * block and the field
 */
export function toBlock(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  trust: Trust,
  checked: Pick<Block, "proof" | "origin"> = CHECKED[trust],
): Block {
  const number = Number(block.number);
  const integer = (name: "timestamp" | "gasUsed") => toInteger(block[name], `block ${number}: ${name}`);
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: integer("timestamp"),
    miner: block.miner,
    gasLimit: toUint64(block.gasLimit, `block ${number}: gasLimit`),
    gasUsed: integer("gasUsed"),
    baseFeePerGas: block.baseFeePerGas === null ? null : BigInt(block.baseFeePerGas),
    size: block.size === null ? 0 : toInteger(block.size, `block ${number}: size`),
    extraData: block.extraData,
    transactions:
      trust === "proven" ? provenTransactions(block, receipts) : givenTransactions(block, receipts),
    ...checked,
  };
}

/** Proof and origin of blocks from endpoints, by trust. */
const CHECKED = {
  proven: { proof: "block", origin: "rpc" },
  given: { proof: "none", origin: "rpc" },
} satisfies Record<Trust, Pick<Block, "proof" | "origin">>;

/**
 * Converts the transactions of a verified block. Verification has shown that the receipts are in the order of
 * the transactions.
 */
function provenTransactions(block: RpcBlock, receipts: readonly RpcReceipt[]): Transaction[] {
  let cumulative = 0;
  let logIndex = 0;
  const baseFee = amount(block.baseFeePerGas);
  const fixedPrice = paysBaseFeeOnly(block) ? (baseFee ?? 0n) : null;
  return block.transactions.map((tx, index) => {
    const fees = hashedFees(tx);
    const where = `block ${Number(block.number)}, transactions[${index}]`;
    const receipt = receipts[index];
    if (receipt === undefined) throw missingReceipt(where);
    const total = toInteger(receipt.cumulativeGasUsed, `${where}: cumulativeGasUsed`);
    // The cumulative gas of Polygon's state-sync transaction starts again at zero. No root covered that
    // transaction until 2025.
    const gasUsed = Math.max(0, total - cumulative);
    cumulative = Math.max(cumulative, total);
    const logs = receipt.logs.map(({ address, topics, data }) => ({
      address,
      topics,
      data,
      logIndex: logIndex++,
    }));
    return toTransaction(tx, receipt, where, {
      fees,
      transactionIndex: index,
      gasUsed,
      gasPrice: fixedPrice ?? gasPriceOf(tx, fees, baseFee),
      contractAddress: createdContract(tx, receipt),
      logs,
    });
  });
}

function givenTransactions(block: RpcBlock, receipts: readonly RpcReceipt[]): Transaction[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  return block.transactions.map((tx, index) => {
    const where = `block ${Number(block.number)}, transactions[${index}]`;
    const receipt = byHash.get(tx.hash);
    if (receipt === undefined) throw missingReceipt(where);
    return toTransaction(tx, receipt, where, {
      fees: tx,
      transactionIndex: tx.transactionIndex ?? index,
      gasUsed: toInteger(receipt.gasUsed, `${where}: gasUsed`),
      gasPrice: BigInt(receipt.effectiveGasPrice ?? tx.gasPrice ?? "0x0"),
      contractAddress: receipt.contractAddress,
      logs: receipt.logs,
    });
  });
}

/** The fee cap and the tip of a transaction. */
type Fees = Pick<RpcTransaction, "maxFeePerGas" | "maxPriorityFeePerGas">;

interface Derived
  extends Pick<Transaction, "transactionIndex" | "gasUsed" | "gasPrice" | "contractAddress" | "logs"> {
  fees: Fees;
}

function toTransaction(
  tx: RpcTransaction,
  receipt: RpcReceipt,
  where: string,
  derived: Derived,
): Transaction {
  return {
    hash: tx.hash,
    transactionIndex: derived.transactionIndex,
    from: tx.from,
    to: tx.to,
    contractAddress: derived.contractAddress,
    value: BigInt(tx.value),
    nonce: toInteger(tx.nonce, `${where}: nonce`),
    input: tx.input,
    type: tx.type,
    gasLimit: toUint64(tx.gas, `${where}: gas`),
    gasUsed: derived.gasUsed,
    gasPrice: derived.gasPrice,
    maxFeePerGas: amount(derived.fees.maxFeePerGas),
    maxPriorityFeePerGas: amount(derived.fees.maxPriorityFeePerGas),
    fee: BigInt(derived.gasUsed) * derived.gasPrice + otherFees(tx, receipt, derived.gasUsed),
    status: statusOf(receipt),
    logs: derived.logs,
  };
}

/**
 * Returns the fees other than the fee for execution gas: the fee for blob gas and, on OP-stack chains, the L1
 * data fee and the operator fee. Ignores `blobGasUsed` in receipts, because OP-stack chains have returned
 * another value in that field since Jovian.
 */
function otherFees(tx: RpcTransaction, receipt: RpcReceipt, gasUsed: number): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  const { length: count } = tx.blobVersionedHashes;
  const blobs = count === 0 ? 0n : blobFee(count, BigInt(receipt.blobGasPrice ?? "0x0"));
  const hasOperator = receipt.operatorFeeScalar !== null || receipt.operatorFeeConstant !== null;
  const operator = hasOperator ? operatorFee(receipt, BigInt(gasUsed)) : 0n;
  return blobs + BigInt(receipt.l1Fee ?? "0x0") + operator;
}

/**
 * Returns the operator fee as defined in
 * https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee. Jovian changed the multiplier.
 */
function operatorFee(receipt: RpcReceipt, gasUsed: bigint): bigint {
  const scaled = gasUsed * BigInt(receipt.operatorFeeScalar ?? "0x0");
  const variable = receipt.daFootprintGasScalar === null ? scaled / 1_000_000n : scaled * 100n;
  return variable + BigInt(receipt.operatorFeeConstant ?? "0x0");
}

/** Returns the effective gas price of a transaction; 0 for a deposit. */
function gasPriceOf(tx: RpcTransaction, fees: Fees, baseFee: bigint | null): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  return effectiveGasPrice(
    {
      type: tx.type,
      gasPrice: amount(tx.gasPrice),
      maxFeePerGas: amount(fees.maxFeePerGas),
      maxPriorityFeePerGas: amount(fees.maxPriorityFeePerGas),
    },
    baseFee,
  );
}

/**
 * Returns the address of the created contract; null if there is none. If the creation failed, returns an
 * address only if the endpoint sends one. If the nonce does not determine the address, returns the one that
 * the endpoint sends.
 */
function createdContract(tx: RpcTransaction, receipt: RpcReceipt): Hex | null {
  if (tx.to !== null || (statusOf(receipt) === 0 && receipt.contractAddress === null)) return null;
  if (hasUnknownNonce(tx)) return receipt.contractAddress;
  return createdAddress(tx.from, quantityBytes(receipt.depositNonce ?? tx.nonce));
}

function statusOf(receipt: RpcReceipt): 0 | 1 | null {
  if (receipt.root !== null || receipt.status === null) return null;
  return BigInt(receipt.status) === 1n ? 1 : 0;
}

function amount(quantity: Hex | null): bigint | null {
  return quantity === null ? null : BigInt(quantity);
}

function missingReceipt(where: string): RpcFormatError {
  return new RpcFormatError(`${where}: its receipt is missing`);
}
