import type { TableFormat } from "./table-format.ts";

const BLOCKS: TableFormat["blocks"] = {
  number: "number",
  hash: "hash",
  parentHash: "parent_hash",
  sha3Uncles: "sha3_uncles",
  miner: "miner",
  stateRoot: "state_root",
  transactionsRoot: "transactions_root",
  receiptsRoot: "receipts_root",
  logsBloom: "logs_bloom",
  difficulty: "difficulty",
  gasLimit: "gas_limit",
  gasUsed: "gas_used",
  timestamp: "timestamp",
  extraData: "extra_data",
  nonce: "nonce",
  baseFeePerGas: "base_fee_per_gas",
  withdrawalsRoot: "withdrawals_root",
  size: "size",
  transactionCount: "transaction_count",
};

const TRANSACTIONS = {
  block: "block_number",
  index: "transaction_index",
  hash: "hash",
  blockHash: "block_hash",
  from: "from_address",
  to: "to_address",
  nonce: "nonce",
  value: "value",
  input: "input",
  gas: "gas",
  gasPrice: "gas_price",
  type: "transaction_type",
  maxFeePerGas: "max_fee_per_gas",
  maxPriorityFeePerGas: "max_priority_fee_per_gas",
} satisfies TableFormat["transactions"];

const LOGS: TableFormat["logs"] = {
  block: "block_number",
  index: "log_index",
  transactionIndex: "transaction_index",
  hash: "transaction_hash",
  blockHash: "block_hash",
  address: "address",
  topics: "topics",
  data: "data",
};

const MARKS: TableFormat["marks"] = {
  blocks: ["number", "hash", "miner", "receipts_root"],
  transactions: ["hash", "block_number", "transaction_index", "from_address", "gas"],
  logs: ["log_index", "transaction_hash", "transaction_index", "topics", "data"],
};

/** The files of `ethereumetl export_all` (blockchain-etl/ethereum-etl, docs/schema.md). */
export const ETHEREUM_ETL: TableFormat = {
  origin: "ethereum-etl",
  blocks: BLOCKS,
  transactions: TRANSACTIONS,
  receipts: {
    block: "block_number",
    index: "transaction_index",
    hash: "transaction_hash",
    blockHash: "block_hash",
    status: "status",
    root: "root",
    gasUsed: "gas_used",
    cumulativeGasUsed: "cumulative_gas_used",
  },
  receiptsIn: "receipts",
  logs: LOGS,
  marks: {
    ...MARKS,
    receipts: ["transaction_hash", "transaction_index", "cumulative_gas_used"],
  },
  lacksTransactions: false,
};

/** The fields that place a transaction in its block, and those that its receipt needs. */
const { block, index, hash, blockHash, type } = TRANSACTIONS;

/**
 * The files of the AWS public dataset (s3://aws-public-blockchain/v1.0/eth): the columns of ethereum-etl,
 * with the receipts in the rows of transactions. `value` is a double, and there is no signature. The node's
 * transactions are used instead, so most columns of transactions are not read.
 */
export const AWS: TableFormat = {
  origin: "aws",
  blocks: BLOCKS,
  transactions: { block, index, hash, blockHash, type },
  receipts: {
    block: "block_number",
    status: "receipt_status",
    gasUsed: "receipt_gas_used",
    cumulativeGasUsed: "receipt_cumulative_gas_used",
  },
  receiptsIn: "transactions",
  logs: LOGS,
  marks: {
    ...MARKS,
    transactions: [...(MARKS.transactions ?? []), "receipt_status"],
  },
  lacksTransactions: true,
};
