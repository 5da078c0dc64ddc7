import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import {
  blockNumber,
  logIndex,
  recordIndex,
  timestamp,
  transactionHash,
  transactionIndex,
} from "./shared-columns.ts";
import { spamVerdict } from "./verdict-columns.ts";

const transferColumns = {
  record_index: recordIndex,
  transaction_hash: transactionHash,
  transaction_index: transactionIndex,
  block_number: blockNumber,
  timestamp,
  from_address: column("address", "sender; the zero address if tokens are minted"),
  to_address: column("address", "recipient; the zero address if tokens are burned"),
  token_address: column("address", "token contract"),
  token_symbol: nullable("label", "token symbol, as reported by the contract or a token list"),
  token_name: nullable("label", "token name, as reported by the contract or a token list"),
  log_index: logIndex,
} as const;

export const erc20 = table({
  name: "erc20",
  doc: "Transfers of ERC-20 tokens.",
  columns: {
    ...transferColumns,
    value_base: column("amount", "amount", "base units"),
    value_token: nullable("double", "amount; null if the token has no decimals()", "tokens"),
    value_usd: nullable(
      "double",
      "amount at the token's robust price in force; null if there is none yet",
      "USD",
    ),
  },
  verdicts: spamVerdict,
  key: ["block_number", "log_index"],
  order: ["token_address", "timestamp", "record_index"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["block_number", "transaction_hash", "from_address", "to_address"],
});

export const erc721 = table({
  name: "erc721",
  doc: "Transfers of ERC-721 tokens (NFTs).",
  columns: {
    ...transferColumns,
    token_id: column("amount", "id of the transferred token"),
  },
  key: ["block_number", "log_index"],
  order: ["token_address", "timestamp", "record_index"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["block_number", "transaction_hash", "from_address", "to_address"],
});
