import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import { blockNumber, recordIndex, timestamp } from "./shared-columns.ts";
import { spamVerdict } from "./verdict-columns.ts";

const UNKNOWN = "null if transfers do not determine it: see docs/balances.md";

/**
 * A history: one row for each block in which a balance changed. The balance as of any block is the last row
 * up to that block, and a rollback removes rows as in any other table. The table is not partitioned by month,
 * so the rows of a wallet's token are next to each other. On mainnet blocks, the projection for the holders
 * of a token takes 27 to 47 bytes per row, 4 to 7 % of the total.
 */
export const tokenBalances = table({
  name: "token_balances",
  doc: "Token balances of wallets, as of their last change.",
  columns: {
    wallet_address: column("address", "holder"),
    token_address: column("address", "token contract"),
    token_symbol: nullable("label", "token symbol, as reported by the contract or a token list"),
    balance_base: nullable("amount", `balance; ${UNKNOWN}`, "base units"),
    balance_token: nullable(
      "double",
      `balance; null if balance_base is null or the token has no decimals()`,
      "tokens",
    ),
    block_number: blockNumber,
    timestamp,
    record_index: recordIndex,
  },
  verdicts: spamVerdict,
  key: ["wallet_address", "token_address", "block_number"],
  order: ["wallet_address", "token_address", "record_index"],
  blockColumn: "block_number",
  skipIndexes: ["block_number"],
  projection: ["token_address", "wallet_address", "record_index"],
  newestOf: ["wallet_address", "token_address"],
  rowsPerMark: 512,
});
