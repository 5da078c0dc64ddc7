import { type Hex, toQuantity } from "../../lib/hex.ts";
import { MAX_UINT64 } from "../../lib/units.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { blobFee, createdAddress, effectiveGasPrice } from "../conversion/derived-values.ts";
import { quantityBytes } from "../verify/encoding.ts";
import type { ArchivedHeader } from "./archived-header.ts";
import type { ArchivedReceipt } from "./archived-receipts.ts";
import type { ArchivedTransaction } from "./archived-transaction.ts";
import { blobGasPrice } from "./blob-schedule.ts";
import { InvalidBlock, type ProvenBlock } from "./prove-block.ts";

/**
 * Converts a proven block to the form that the rest of Quarry uses.
 *
 * @param senders the senders of the transactions, in the same order
 * @throws InvalidBlock if a number does not fit its field, or a transaction has no sender or receipt;
 * UnknownFormat if the price of blobs is not known
 */
export function archivedBlock(
  { header, transactions, receipts, size }: ProvenBlock,
  senders: readonly Hex[],
  chainId: number,
): Block {
  const prices = pricesOf(header, transactions, chainId);
  let cumulative = 0;
  return {
    number: header.number,
    hash: header.hash,
    parentHash: header.parentHash,
    timestamp: integer(header, "timestamp"),
    miner: text(header, "miner"),
    gasLimit: uint64(header, "gasLimit"),
    gasUsed: integer(header, "gasUsed"),
    baseFeePerGas: prices.baseFee,
    size,
    extraData: text(header, "extraData"),
    transactions: transactions.map((transaction, transactionIndex) => {
      const [from, receipt] = [senders[transactionIndex], receipts[transactionIndex]];
      if (from === undefined || receipt === undefined)
        throw new InvalidBlock(`transaction ${transactionIndex} has no sender or no receipt`);
      const gasUsed = receipt.cumulativeGasUsed - cumulative;
      cumulative = receipt.cumulativeGasUsed;
      return toTransaction(transaction, receipt, { transactionIndex, from, gasUsed }, prices);
    }),
    proof: "block",
    origin: "era",
  };
}

/** Prices of gas and blob gas in a block. */
interface Prices {
  /** Null before London. */
  baseFee: bigint | null;
  /** Price of one unit of blob gas; 0 if no transaction has blobs. */
  blobGas: bigint;
}

function pricesOf(
  { fields }: ArchivedHeader,
  transactions: readonly ArchivedTransaction[],
  chainId: number,
): Prices {
  const baseFee = fields.get("baseFeePerGas");
  const hasBlobs = transactions.some(({ blobs }) => blobs > 0);
  return {
    baseFee: baseFee === undefined ? null : BigInt(baseFee),
    blobGas: hasBlobs ? blobGasPrice(fields, chainId) : 0n,
  };
}

function toTransaction(
  transaction: ArchivedTransaction,
  { status, logs }: ArchivedReceipt,
  derived: Pick<Transaction, "transactionIndex" | "from" | "gasUsed">,
  { baseFee, blobGas }: Prices,
): Transaction {
  const { hash, to, value, nonce, input, type, gasLimit, blobs } = transaction;
  const { from, transactionIndex, gasUsed } = derived;
  const gasPrice = effectiveGasPrice(transaction, baseFee);
  return {
    hash,
    transactionIndex,
    from,
    to,
    // Set even if the creation failed, as in the responses of nodes.
    contractAddress: to === null ? createdAddress(from, quantityBytes(toQuantity(nonce))) : null,
    value,
    nonce,
    input,
    type,
    gasLimit,
    gasUsed,
    gasPrice,
    maxFeePerGas: transaction.maxFeePerGas,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas,
    fee: BigInt(gasUsed) * gasPrice + (blobs === 0 ? 0n : blobFee(blobs, blobGas)),
    status,
    logs,
  };
}

function text({ fields }: ArchivedHeader, name: string): Hex {
  return fields.get(name) ?? "0x";
}

function integer({ fields }: ArchivedHeader, name: string): number {
  const value = Number(fields.get(name));
  if (!Number.isSafeInteger(value)) throw new InvalidBlock(`its ${name} is 2^53 or more`);
  return value;
}

function uint64({ fields }: ArchivedHeader, name: string): bigint {
  const value = BigInt(fields.get(name) ?? "0x0");
  if (value > MAX_UINT64) throw new InvalidBlock(`its ${name} is 2^64 or more`);
  return value;
}
