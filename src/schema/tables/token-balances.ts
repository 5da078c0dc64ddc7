import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import { blockNumber, recordIndex, timestamp } from "./shared-columns.ts";

export const tokenBalances = table({
  name: "token_balances",
  doc: "Token balances of wallets, as of their last change.",
  columns: {
    wallet_address: column("address", "holder"),
    token_address: column("address", "token contract"),
    token_symbol: nullable("label", "the token's symbol, as the contract tells it"),
    balance_base: column("amount", "balance", "base units"),
    balance_token: nullable("double", "balance; null when the token has no decimals()", "tokens"),
    block_number: blockNumber,
    timestamp,
    record_index: recordIndex,
  },
  key: ["wallet_address", "token_address"],
  order: ["wallet_address", "token_address", "record_index"],
  blockColumn: "block_number",
  filled: false,
});
