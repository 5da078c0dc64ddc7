import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { RpcFormatError, toInteger } from "../rpc/field-reader.ts";
import { hasUnknownNonce, paysBaseFeeOnly } from "../verify/arbitrum.ts";
import { quantityBytes, rlp } from "../verify/encoding.ts";
import { DEPOSIT_TYPE } from "../verify/transaction.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction } from "../wire/rpc-block.ts";

/**
 * Where derived values come from.
 *
 * - `proven`: the block was verified. Values that follow from verified fields are computed (index and gas
 *   used of transactions, gas price, index of logs, address of a created contract), so an endpoint that sends
 *   wrong values, or restarts the log index in each transaction, has no effect.
 * - `given`: nothing was verified. All values are as the endpoint sent them. Also for recordings that contain
 *   only some logs.
 */
export type Trust = "proven" | "given";

/**
 * Converts the block to the form that the rest of Quarry uses.
 *
 * @param checked how far the block is proven, and where it came from; default: those of endpoints
 * @throws RpcFormatError if a number is above 2^53 or a receipt is missing; it names the block and the field
 */
export function toBlock(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  trust: Trust,
  checked: Pick<Block, "proof" | "origin"> = CHECKED[trust],
): Block {
  const number = Number(block.number);
  const integer = (name: "timestamp" | "gasLimit" | "gasUsed") =>
    toInteger(block[name], `block ${number}: ${name}`);
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: integer("timestamp"),
    miner: block.miner,
    gasLimit: integer("gasLimit"),
    gasUsed: integer("gasUsed"),
    baseFeePerGas: block.baseFeePerGas === null ? null : BigInt(block.baseFeePerGas),
    size: block.size === null ? 0 : toInteger(block.size, `block ${number}: size`),
    extraData: block.extraData,
    transactions:
      trust === "proven" ? provenTransactions(block, receipts) : givenTransactions(block, receipts),
    ...checked,
  };
}

/** Blocks of endpoints. */
const CHECKED = {
  proven: { proof: "block", origin: "rpc" },
  given: { proof: "none", origin: "rpc" },
} satisfies Record<Trust, Pick<Block, "proof" | "origin">>;

/** Verification has shown that the receipts are in the order of the transactions. */
function provenTransactions(block: RpcBlock, receipts: readonly RpcReceipt[]): Transaction[] {
  let cumulative = 0;
  let logIndex = 0;
  const fixedPrice = paysBaseFeeOnly(block) ? BigInt(block.baseFeePerGas ?? "0x0") : null;
  return block.transactions.map((tx, index) => {
    const where = `block ${Number(block.number)}, transactions[${index}]`;
    const receipt = receipts[index];
    if (receipt === undefined) throw missingReceipt(where);
    const total = toInteger(receipt.cumulativeGasUsed, `${where}: cumulativeGasUsed`);
    // The cumulative gas of Polygon's state-sync transaction (in no root until 2025) starts again at zero.
    const gasUsed = Math.max(0, total - cumulative);
    cumulative = Math.max(cumulative, total);
    const logs = receipt.logs.map((log) => ({ ...log, logIndex: logIndex++ }));
    return toTransaction(tx, receipt, where, {
      transactionIndex: index,
      gasUsed,
      gasPrice: fixedPrice ?? effectiveGasPrice(tx, block.baseFeePerGas),
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
      transactionIndex: tx.transactionIndex ?? index,
      gasUsed: toInteger(receipt.gasUsed, `${where}: gasUsed`),
      gasPrice: BigInt(receipt.effectiveGasPrice ?? tx.gasPrice ?? "0x0"),
      contractAddress: receipt.contractAddress,
      logs: receipt.logs,
    });
  });
}

type Derived = Pick<Transaction, "transactionIndex" | "gasUsed" | "gasPrice" | "contractAddress" | "logs">;

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
    gasLimit: toInteger(tx.gas, `${where}: gas`),
    gasUsed: derived.gasUsed,
    gasPrice: derived.gasPrice,
    maxFeePerGas: amount(tx.maxFeePerGas),
    maxPriorityFeePerGas: amount(tx.maxPriorityFeePerGas),
    fee: BigInt(derived.gasUsed) * derived.gasPrice + otherFees(tx, receipt, derived.gasUsed),
    status: statusOf(receipt),
    logs: derived.logs,
  };
}

/** EIP-4844: gas of one blob. */
const GAS_PER_BLOB = 2n ** 17n;

/**
 * Returns the fees besides gas: blob gas and, on OP-stack chains, the L1 data fee and the operator fee.
 * Ignores the blob gas in receipts, because OP-stack chains have returned another value in that field since
 * Jovian.
 */
function otherFees(tx: RpcTransaction, receipt: RpcReceipt, gasUsed: number): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  const blob = GAS_PER_BLOB * BigInt(tx.blobVersionedHashes.length) * BigInt(receipt.blobGasPrice ?? "0x0");
  return blob + BigInt(receipt.l1Fee ?? "0x0") + operatorFee(receipt, BigInt(gasUsed));
}

/**
 * Computes the operator fee of https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee.
 * Jovian changed the multiplier.
 */
function operatorFee(receipt: RpcReceipt, gasUsed: bigint): bigint {
  const scaled = gasUsed * BigInt(receipt.operatorFeeScalar ?? "0x0");
  const variable = receipt.daFootprintGasScalar === null ? scaled / 1_000_000n : scaled * 100n;
  return variable + BigInt(receipt.operatorFeeConstant ?? "0x0");
}

/** EIP-1559: the base fee plus the tip, limited by the sender's maximum. Deposits pay nothing. */
function effectiveGasPrice(tx: RpcTransaction, baseFee: Hex | null): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  if (tx.maxFeePerGas === null || tx.type < 2) return BigInt(tx.gasPrice ?? "0x0");
  const wanted = BigInt(baseFee ?? "0x0") + BigInt(tx.maxPriorityFeePerGas ?? "0x0");
  const max = BigInt(tx.maxFeePerGas);
  return wanted < max ? wanted : max;
}

/**
 * Returns the address that CREATE computes: the keccak hash of sender and nonce. A failed creation has one
 * only if the endpoint sends one.
 */
function createdContract(tx: RpcTransaction, receipt: RpcReceipt): Hex | null {
  if (tx.to !== null || (statusOf(receipt) === 0 && receipt.contractAddress === null)) return null;
  if (hasUnknownNonce(tx)) return receipt.contractAddress;
  const nonce = receipt.depositNonce ?? tx.nonce;
  return fromBytes(keccak256(rlp([toBytes(tx.from), quantityBytes(nonce)])).subarray(12));
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
