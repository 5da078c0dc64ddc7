import { NATIVE_DECIMALS } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import type { RowOf } from "../../schema/tables.ts";

/** Stored rows of consecutive blocks, in chain order. */
export interface StoredRows {
  blocks: RowOf<"blocks">[];
  transactions: RowOf<"transactions">[];
  logs: RowOf<"logs">[];
}

/**
 * Makes a block from its rows. Indexing it gives the same rows again. Returns null if rows are missing or do
 * not fit together, or if a transaction's fee cannot be restored.
 */
export function rebuiltBlock(
  row: RowOf<"blocks">,
  transactionRows: readonly RowOf<"transactions">[],
  logRows: readonly RowOf<"logs">[],
): Block | null {
  if (transactionRows.length !== row.transaction_count || logRows.length !== row.log_count) return null;
  const transactions: Transaction[] = [];
  for (const [i, transactionRow] of transactionRows.entries()) {
    const transaction = rebuiltTransaction(transactionRow);
    if (transaction === null || transaction.transactionIndex !== i) return null;
    transactions.push(transaction);
  }
  for (const log of logRows) {
    const transaction = transactions[log.transaction_index];
    if (transaction?.hash !== log.transaction_hash) return null;
    transaction.logs.push(rebuiltLog(log));
  }
  return {
    number: row.block_number,
    hash: row.block_hash,
    parentHash: row.parent_hash,
    timestamp: row.timestamp,
    miner: row.miner,
    gasLimit: row.gas_limit,
    gasUsed: row.gas_used,
    baseFeePerGas: row.base_fee_per_gas,
    size: row.size,
    extraData: row.extra_data,
    transactions,
    proof: row.proof as Block["proof"],
    origin: row.origin as Block["origin"],
  };
}

function rebuiltTransaction(row: RowOf<"transactions">): Transaction | null {
  const fee = rebuiltFee(row.transaction_fee_eth);
  if (fee === null) return null;
  return {
    hash: row.transaction_hash,
    transactionIndex: row.transaction_index,
    from: row.from_address,
    to: row.to_address,
    contractAddress: row.contract_address,
    value: row.value_base,
    nonce: row.nonce,
    input: row.input,
    type: row.type,
    gasLimit: row.gas_limit,
    gasUsed: row.gas_used,
    gasPrice: row.gas_price,
    maxFeePerGas: row.max_fee_per_gas,
    maxPriorityFeePerGas: row.max_priority_fee_per_gas,
    fee,
    status: row.status as Transaction["status"],
    logs: [],
  };
}

function rebuiltLog({ address, topic_0, topic_1, topic_2, topic_3, data, log_index }: RowOf<"logs">): Log {
  const topics = [topic_0, topic_1, topic_2, topic_3].filter((topic): topic is Hex => topic !== null);
  return { address, topics, data, logIndex: log_index };
}

const DECIMAL = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Returns an amount of wei that converts to the stored double; null if there is none. The exact fee is not
 * stored, but the rows depend only on the double.
 */
export function rebuiltFee(feeEth: number): bigint | null {
  const [, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(String(feeEth)) ?? [];
  const zeros = NATIVE_DECIMALS + Number(exponent) - fraction.length;
  if (whole === "" || zeros < 0) return null;
  const fee = BigInt(whole + fraction) * 10n ** BigInt(zeros);
  return toUnits(fee, NATIVE_DECIMALS) === feeEth ? fee : null;
}
