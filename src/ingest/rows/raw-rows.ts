import { NATIVE_DECIMALS } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { type RecordNumbering, recordIndexOf } from "../../schema/record-index.ts";
import type { RowOf } from "../../schema/tables.ts";

/** Length of `0x` and the four bytes that select a contract's function. */
const SELECTOR_DIGITS = 10;

/** Columns of `blocks` that depend on the chain and the rows of other tables, not on the block alone. */
type DecodedColumns = Pick<
  RowOf<"blocks">,
  | "log_count"
  | "singleton_log_count"
  | "erc20_count"
  | "erc721_count"
  | "trade_count"
  | "pool_count"
  | "token_count"
  | "balance_count"
  | "logged_singletons"
>;

/** Makes the block's row of `blocks`. */
export function blockRow(numbering: RecordNumbering, block: Block, decoded: DecodedColumns): RowOf<"blocks"> {
  return {
    timestamp: block.timestamp,
    block_number: block.number,
    block_hash: block.hash,
    parent_hash: block.parentHash,
    miner: block.miner,
    gas_limit: block.gasLimit,
    gas_used: block.gasUsed,
    base_fee_per_gas: block.baseFeePerGas,
    transaction_count: block.transactions.length,
    size: block.size,
    extra_data: block.extraData,
    record_index: recordIndexOf(numbering, block.number, 0),
    ...decoded,
    proof: block.proof,
    origin: block.origin,
  };
}

/**
 * Makes the block's rows of `transactions`, in order.
 *
 * @param feeUsd the fee of each transaction in USD; null or absent if there is no price
 */
export function transactionRows(
  numbering: RecordNumbering,
  block: Block,
  feeUsd: readonly (number | null)[],
): RowOf<"transactions">[] {
  return block.transactions.map((transaction, i) => ({
    timestamp: block.timestamp,
    block_number: block.number,
    block_hash: block.hash,
    ...transactionFields(transaction),
    transaction_fee_usd: feeUsd[i] ?? null,
    record_index: recordIndexOf(numbering, block.number, transaction.transactionIndex),
  }));
}

function transactionFields(transaction: Transaction) {
  return {
    transaction_hash: transaction.hash,
    transaction_index: transaction.transactionIndex,
    from_address: transaction.from,
    to_address: transaction.to,
    contract_address: transaction.contractAddress,
    value_base: transaction.value,
    value_eth: toUnits(transaction.value, NATIVE_DECIMALS),
    nonce: transaction.nonce,
    input: transaction.input,
    method_id: methodIdOf(transaction.input),
    type: transaction.type,
    gas_limit: transaction.gasLimit,
    gas_used: transaction.gasUsed,
    gas_price: transaction.gasPrice,
    max_fee_per_gas: transaction.maxFeePerGas,
    max_priority_fee_per_gas: transaction.maxPriorityFeePerGas,
    transaction_fee_eth: toUnits(transaction.fee, NATIVE_DECIMALS),
    status: transaction.status,
  };
}

function methodIdOf(input: Hex): Hex | null {
  return input.length < SELECTOR_DIGITS ? null : (input.slice(0, SELECTOR_DIGITS) as Hex);
}

/** Makes the block's rows of `logs`, in order. */
export function logRows(numbering: RecordNumbering, block: Block): RowOf<"logs">[] {
  const rows: RowOf<"logs">[] = [];
  for (const transaction of block.transactions) {
    for (const log of transaction.logs) {
      const [topic_0 = null, topic_1 = null, topic_2 = null, topic_3 = null] = log.topics;
      rows.push({
        timestamp: block.timestamp,
        address: log.address,
        block_hash: block.hash,
        block_number: block.number,
        data: log.data,
        log_index: log.logIndex,
        record_index: recordIndexOf(numbering, block.number, log.logIndex),
        topic_0,
        topic_1,
        topic_2,
        topic_3,
        transaction_hash: transaction.hash,
        transaction_index: transaction.transactionIndex,
      });
    }
  }
  return rows;
}

/**
 * Makes the block's rows of `singleton_logs`. `logs` are the block's logs that determine the state of
 * singletons' pools.
 */
export function singletonLogRows(
  numbering: RecordNumbering,
  block: Block,
  logs: readonly Log[],
): RowOf<"singleton_logs">[] {
  return logs.flatMap(({ topics: [topic_0, topic_1], data, logIndex }) =>
    topic_0 === undefined || topic_1 === undefined
      ? []
      : [
          {
            topic_1,
            topic_0,
            record_index: recordIndexOf(numbering, block.number, logIndex),
            block_number: block.number,
            data,
          },
        ],
  );
}
