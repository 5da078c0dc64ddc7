import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { RpcFormatError, toInteger } from "../rpc/field-reader.ts";
import { keccak, quantityBytes, rlp } from "../verify/encoding.ts";
import { DEPOSIT_TYPE } from "../verify/transaction.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction } from "../wire/rpc-block.ts";

/**
 * What the numbers of a block rest on.
 *
 * - `proven`: the block was verified. Whatever follows from proven fields is computed from them (index and gas
 *   used of transactions, price in force, index of logs, address of a created contract), so that an endpoint
 *   that gets these wrong, or numbers logs anew in each transaction, does no harm.
 * - `given`: nothing was checked; all is as the endpoint says. For recordings that hold only some logs.
 */
export type Trust = "proven" | "given";

/**
 * The block that the rest of Quarry works with.
 *
 * @throws RpcFormatError naming block and field, when a number is above 2^53 or a receipt is missing
 */
export function toBlock(block: RpcBlock, receipts: readonly RpcReceipt[], trust: Trust): Block {
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
  };
}

/** Receipts are known to stand in the order of the transactions. */
function provenTransactions(block: RpcBlock, receipts: readonly RpcReceipt[]): Transaction[] {
  let cumulative = 0;
  let logIndex = 0;
  return block.transactions.map((tx, index) => {
    const where = `block ${Number(block.number)}, transactions[${index}]`;
    const receipt = receipts[index];
    if (receipt === undefined) throw missingReceipt(where);
    const total = toInteger(receipt.cumulativeGasUsed, `${where}: cumulativeGasUsed`);
    // The receipt of Polygon's state-sync transaction, in no root until 2025, starts anew at zero.
    const gasUsed = Math.max(0, total - cumulative);
    cumulative = Math.max(cumulative, total);
    const logs = receipt.logs.map((log) => ({ ...log, logIndex: logIndex++ }));
    return toTransaction(tx, receipt, {
      where,
      index,
      gasUsed,
      gasPrice: priceInForce(tx, block.baseFeePerGas),
      contractAddress: createdContract(tx, receipt),
      logs,
    });
  });
}

function givenTransactions(block: RpcBlock, receipts: readonly RpcReceipt[]): Transaction[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  return block.transactions.map((tx, place) => {
    const where = `block ${Number(block.number)}, transactions[${place}]`;
    const receipt = byHash.get(tx.hash);
    if (receipt === undefined) throw missingReceipt(where);
    return toTransaction(tx, receipt, {
      where,
      index: tx.transactionIndex ?? place,
      gasUsed: toInteger(receipt.gasUsed, `${where}: gasUsed`),
      gasPrice: BigInt(receipt.effectiveGasPrice ?? tx.gasPrice ?? "0x0"),
      contractAddress: receipt.contractAddress,
      logs: receipt.logs,
    });
  });
}

interface Derived {
  where: string;
  index: number;
  gasUsed: number;
  gasPrice: bigint;
  contractAddress: Hex | null;
  logs: Log[];
}

function toTransaction(tx: RpcTransaction, receipt: RpcReceipt, derived: Derived): Transaction {
  return {
    hash: tx.hash,
    transactionIndex: derived.index,
    from: tx.from,
    to: tx.to,
    contractAddress: derived.contractAddress,
    value: BigInt(tx.value),
    nonce: toInteger(tx.nonce, `${derived.where}: nonce`),
    input: tx.input,
    type: tx.type,
    gasLimit: toInteger(tx.gas, `${derived.where}: gas`),
    gasUsed: derived.gasUsed,
    gasPrice: derived.gasPrice,
    maxFeePerGas: amount(tx.maxFeePerGas),
    maxPriorityFeePerGas: amount(tx.maxPriorityFeePerGas),
    fee: BigInt(derived.gasUsed) * derived.gasPrice + feesBesideGas(tx, receipt, derived.gasUsed),
    status: statusOf(receipt),
    logs: derived.logs,
  };
}

/** EIP-4844: gas of one blob. */
const GAS_PER_BLOB = 2n ** 17n;

/**
 * Blob gas and, on OP-stack chains, the fees for L1 data and for the operator. The blob gas in receipts is not
 * taken: since Jovian, OP-stack chains give something else under its name.
 */
function feesBesideGas(tx: RpcTransaction, receipt: RpcReceipt, gasUsed: number): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  const blob = GAS_PER_BLOB * BigInt(tx.blobVersionedHashes.length) * BigInt(receipt.blobGasPrice ?? "0x0");
  return blob + BigInt(receipt.l1Fee ?? "0x0") + operatorFee(receipt, BigInt(gasUsed));
}

/** https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee, and Jovian's other multiplier. */
function operatorFee(receipt: RpcReceipt, gasUsed: bigint): bigint {
  const scaled = gasUsed * BigInt(receipt.operatorFeeScalar ?? "0x0");
  const variable = receipt.daFootprintGasScalar === null ? scaled / 1_000_000n : scaled * 100n;
  return variable + BigInt(receipt.operatorFeeConstant ?? "0x0");
}

/** EIP-1559: the base fee and the tip, no more than the sender's maximum. Deposits pay nothing. */
function priceInForce(tx: RpcTransaction, baseFee: Hex | null): bigint {
  if (tx.type === DEPOSIT_TYPE) return 0n;
  if (tx.maxFeePerGas === null || tx.type < 2) return BigInt(tx.gasPrice ?? "0x0");
  const wanted = BigInt(baseFee ?? "0x0") + BigInt(tx.maxPriorityFeePerGas ?? "0x0");
  const most = BigInt(tx.maxFeePerGas);
  return wanted < most ? wanted : most;
}

/** CREATE's address: keccak of sender and nonce. A failed creation has one only where the endpoint says so. */
function createdContract(tx: RpcTransaction, receipt: RpcReceipt): Hex | null {
  if (tx.to !== null || (statusOf(receipt) === 0 && receipt.contractAddress === null)) return null;
  const nonce = receipt.depositNonce ?? tx.nonce;
  return fromBytes(keccak(rlp([toBytes(tx.from), quantityBytes(nonce)])).subarray(12));
}

function statusOf(receipt: RpcReceipt): 0 | 1 | null {
  if (receipt.root !== null || receipt.status === null) return null;
  return BigInt(receipt.status) === 1n ? 1 : 0;
}

function amount(quantity: Hex | null): bigint | null {
  return quantity === null ? null : BigInt(quantity);
}

function missingReceipt(where: string): RpcFormatError {
  return new RpcFormatError(`${where}: there is no receipt for it`);
}
