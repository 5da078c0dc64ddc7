import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcArbitrumFields, RpcBlock, RpcTransaction } from "../wire/rpc-block.ts";
import { EMPTY, quantityBytes, type RlpItem } from "./encoding.ts";
import { IncompleteTransaction, UnsupportedTransactionType } from "./unprovable.ts";

/** Types of Arbitrum's own transactions, from core/types/transaction.go of OffchainLabs/go-ethereum. */
export const ARBITRUM_TYPES = {
  deposit: 0x64,
  unsigned: 0x65,
  contract: 0x66,
  retry: 0x68,
  submitRetryable: 0x69,
  internal: 0x6a,
  /** Type of Arbitrum Classic, before block 22,207,818 of Arbitrum One. */
  classic: 0x78,
} as const;

/** Receipts of Classic are hashed with a constant in place of the status, and their gas is not cumulative. */
const CLASSIC =
  "is from Arbitrum Classic, where no root covers the status and the gas used: begin with the first block of " +
  "Nitro (22207818 on Arbitrum One)";

type Encoder = (tx: RpcTransaction, chain: RlpItem) => RlpItem[];

/** Fields in the order of the structs in core/types/arb_types.go of OffchainLabs/go-ethereum. */
const ENCODERS = new Map<number, Encoder>([
  [
    ARBITRUM_TYPES.deposit,
    (tx, chain) => [chain, bytes(tx, "requestId"), from(tx), to(tx), quantityBytes(tx.value)],
  ],
  [ARBITRUM_TYPES.unsigned, (tx, chain) => [chain, from(tx), quantityBytes(tx.nonce), ...callOf(tx)]],
  [ARBITRUM_TYPES.contract, (tx, chain) => [chain, bytes(tx, "requestId"), from(tx), ...callOf(tx)]],
  [
    ARBITRUM_TYPES.retry,
    (tx, chain) => [
      chain,
      quantityBytes(tx.nonce),
      from(tx),
      ...callOf(tx),
      bytes(tx, "ticketId"),
      bytes(tx, "refundTo"),
      quantity(tx, "maxRefund"),
      quantity(tx, "submissionFeeRefund"),
    ],
  ],
  [
    ARBITRUM_TYPES.submitRetryable,
    (tx, chain) => [
      chain,
      bytes(tx, "requestId"),
      from(tx),
      quantity(tx, "l1BaseFee"),
      quantity(tx, "depositValue"),
      gasFeeCap(tx),
      quantityBytes(tx.gas),
      toBytes(tx.arbitrum?.retryTo ?? "0x"),
      quantity(tx, "retryValue"),
      bytes(tx, "beneficiary"),
      quantity(tx, "maxSubmissionFee"),
      bytes(tx, "refundTo"),
      bytes(tx, "retryData"),
    ],
  ],
  [ARBITRUM_TYPES.internal, (tx, chain) => [chain, toBytes(tx.input)]],
]);

/**
 * Returns the fields that the transactions root commits to; null if the type is not one of Arbitrum's.
 *
 * @param chain the chain id, encoded
 * @throws IncompleteTransaction, and UnsupportedTransactionType for a transaction of Arbitrum Classic
 */
export function arbitrumFields(tx: RpcTransaction, chain: RlpItem): RlpItem[] | null {
  if (tx.type === ARBITRUM_TYPES.classic) throw new UnsupportedTransactionType(tx.type, CLASSIC);
  return ENCODERS.get(tx.type)?.(tx, chain) ?? null;
}

/**
 * Returns true if the transactions of a block pay only the base fee. On Arbitrum they pay no tip, whatever
 * the sender offers, unless ArbOS collects tips. The mix hash of the header says whether it does (HeaderInfo
 * in arb_types.go). Each block of Nitro begins with an internal transaction.
 */
export function paysBaseFeeOnly(block: RpcBlock): boolean {
  if (block.transactions[0]?.type !== ARBITRUM_TYPES.internal) return false;
  const mixHash = toBytes(block.header.get("mixHash") ?? "0x");
  const arbosVersion = Number(`0x${Buffer.from(mixHash.subarray(16, 24)).toString("hex") || "0"}`);
  const hasTipFlag = ((mixHash[25] ?? 0) & 1) === 1;
  return !(hasTipFlag || arbosVersion === TIP_VERSION);
}

/** ArbOS 9 collected tips without a flag in the header. */
const TIP_VERSION = 9;

/** Types whose hash covers the fee cap. No hash of Arbitrum's own types covers a tip. */
export const ARBITRUM_CAPPED_TYPES: ReadonlySet<number> = new Set([
  ARBITRUM_TYPES.unsigned,
  ARBITRUM_TYPES.contract,
  ARBITRUM_TYPES.retry,
  ARBITRUM_TYPES.submitRetryable,
]);

/** Returns true for types whose nonce does not determine the address of a created contract. */
export function hasUnknownNonce({ type }: RpcTransaction): boolean {
  return type === ARBITRUM_TYPES.contract || type === ARBITRUM_TYPES.retry;
}

/** Returns the fee cap, gas limit, receiver, value and input. */
function callOf(tx: RpcTransaction): RlpItem[] {
  return [gasFeeCap(tx), quantityBytes(tx.gas), to(tx), quantityBytes(tx.value), toBytes(tx.input)];
}

/** Returns the fee cap. For an unsigned transaction, endpoints return it only as the gas price. */
function gasFeeCap(tx: RpcTransaction): RlpItem {
  return quantityBytes(tx.maxFeePerGas ?? tx.gasPrice);
}

function from(tx: RpcTransaction): RlpItem {
  return toBytes(tx.from);
}

function to(tx: RpcTransaction): RlpItem {
  return tx.to === null ? EMPTY : toBytes(tx.to);
}

function bytes(tx: RpcTransaction, field: keyof RpcArbitrumFields): RlpItem {
  return toBytes(required(tx, field));
}

function quantity(tx: RpcTransaction, field: keyof RpcArbitrumFields): RlpItem {
  return quantityBytes(required(tx, field));
}

function required(tx: RpcTransaction, field: keyof RpcArbitrumFields): Hex {
  const value = tx.arbitrum?.[field] ?? null;
  if (value === null) throw new IncompleteTransaction(tx, field);
  return value;
}
