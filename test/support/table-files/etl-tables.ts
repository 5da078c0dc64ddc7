import {
  type CellOf,
  columnsOf,
  field,
  type JsonBlock,
  type JsonRow,
  number,
  rowsOf,
  type TableOfFile,
} from "./table-rows.ts";

const BLOCKS: Record<string, CellOf> = {
  number: ["u64", number("number")],
  hash: ["text", field("hash")],
  parent_hash: ["text", field("parentHash")],
  nonce: ["text", field("nonce")],
  sha3_uncles: ["text", field("sha3Uncles")],
  logs_bloom: ["text", field("logsBloom")],
  transactions_root: ["text", field("transactionsRoot")],
  state_root: ["text", field("stateRoot")],
  receipts_root: ["text", field("receiptsRoot")],
  miner: ["text", field("miner")],
  difficulty: ["u64", number("difficulty")],
  total_difficulty: ["u64", () => 58750003716598352816469n],
  size: ["u64", number("size")],
  extra_data: ["text", field("extraData")],
  gas_limit: ["u64", number("gasLimit")],
  gas_used: ["u64", number("gasUsed")],
  timestamp: ["u64", number("timestamp")],
  transaction_count: ["u64", (row) => BigInt((row.transactions as unknown[]).length)],
  base_fee_per_gas: ["u64", number("baseFeePerGas")],
  withdrawals_root: ["text", field("withdrawalsRoot")],
};

const TRANSACTIONS: Record<string, CellOf> = {
  hash: ["text", field("hash")],
  nonce: ["u64", number("nonce")],
  block_hash: ["text", field("blockHash")],
  block_number: ["u64", number("blockNumber")],
  transaction_index: ["u64", number("transactionIndex")],
  from_address: ["text", field("from")],
  to_address: ["text", field("to")],
  value: ["u64", number("value")],
  gas: ["u64", number("gas")],
  gas_price: ["u64", number("gasPrice")],
  input: ["text", field("input")],
  block_timestamp: ["u64", (row) => BigInt((row.block as JsonRow).timestamp as string)],
  max_fee_per_gas: ["u64", number("maxFeePerGas")],
  max_priority_fee_per_gas: ["u64", number("maxPriorityFeePerGas")],
  transaction_type: ["u64", (row) => BigInt((row.type as string | undefined) ?? 0)],
};

const RECEIPTS: Record<string, CellOf> = {
  transaction_hash: ["text", field("transactionHash")],
  transaction_index: ["u64", number("transactionIndex")],
  block_hash: ["text", field("blockHash")],
  block_number: ["u64", number("blockNumber")],
  cumulative_gas_used: ["u64", number("cumulativeGasUsed")],
  gas_used: ["u64", number("gasUsed")],
  contract_address: ["text", field("contractAddress")],
  root: ["text", field("root")],
  status: ["u64", number("status")],
  effective_gas_price: ["u64", number("effectiveGasPrice")],
};

const LOGS: Record<string, CellOf> = {
  log_index: ["u64", number("logIndex")],
  transaction_hash: ["text", field("transactionHash")],
  transaction_index: ["u64", number("transactionIndex")],
  block_hash: ["text", field("blockHash")],
  block_number: ["u64", number("blockNumber")],
  address: ["text", field("address")],
  data: ["text", field("data")],
  topics: ["texts", field("topics")],
};

/** Makes the rows of `ethereumetl export_all`. */
export function etlTables(blocks: readonly JsonBlock[]): TableOfFile {
  const rows = rowsOf(blocks);
  const located = rows.transactions.map(({ receipt, blockNumber, transactionIndex, blockHash }) => ({
    ...receipt,
    ...{ blockNumber, transactionIndex, blockHash },
  }));
  return {
    blocks: columnsOf(rows.blocks, BLOCKS),
    transactions: columnsOf(rows.transactions, TRANSACTIONS),
    receipts: columnsOf(located, RECEIPTS),
    logs: columnsOf(rows.logs, LOGS),
  };
}

const seconds = (row: JsonRow) =>
  new Date(1000 * Number((row.block as JsonRow | undefined)?.timestamp ?? row.timestamp));
const DATED: Record<string, CellOf> = { last_modified: ["time", seconds] };

const receipt = (name: string) => (row: JsonRow) => BigInt((row.receipt as JsonRow)[name] as string);
const orZero = (name: string) => (row: JsonRow) => BigInt((row[name] as string | undefined) ?? 0);

const AWS_TRANSACTIONS: Record<string, CellOf> = {
  ...TRANSACTIONS,
  value: ["double", (row) => Number(row.value)],
  receipt_cumulative_gas_used: ["u64", receipt("cumulativeGasUsed")],
  receipt_gas_used: ["u64", receipt("gasUsed")],
  receipt_contract_address: ["text", (row) => (row.receipt as JsonRow).contractAddress],
  receipt_status: ["u64", receipt("status")],
  block_timestamp: ["time", seconds],
  max_fee_per_gas: ["u64", orZero("maxFeePerGas")],
  max_priority_fee_per_gas: ["u64", orZero("maxPriorityFeePerGas")],
  ...DATED,
};

const { withdrawals_root: _, ...OLD_BLOCKS } = BLOCKS;
const AWS_BLOCKS: Record<string, CellOf> = {
  ...OLD_BLOCKS,
  timestamp: ["time", seconds],
  difficulty: ["double", (row) => Number(row.difficulty)],
  total_difficulty: ["double", () => 5.875e22],
  ...DATED,
};

/** Makes the rows of the AWS public dataset, v1.0/eth. */
export function awsTables(blocks: readonly JsonBlock[]): TableOfFile {
  const rows = rowsOf(blocks);
  return {
    blocks: columnsOf(rows.blocks, AWS_BLOCKS),
    transactions: columnsOf(rows.transactions, AWS_TRANSACTIONS),
    logs: columnsOf(rows.logs, { ...LOGS, block_timestamp: ["time", seconds], ...DATED }),
  };
}
