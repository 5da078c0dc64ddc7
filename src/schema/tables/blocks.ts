import type { BlockOrigin, BlockProof } from "../block.ts";
import { added, column, hidden, nullable } from "../column.ts";
import { table } from "../table.ts";
import { blockHash, blockNumber, recordIndex, timestamp } from "./shared-columns.ts";

/**
 * Declares a hidden column with the number of the block's rows in another table. If that table has a
 * different number, it has lost or duplicated rows.
 */
const rowCount = (doc: string) => hidden(column("integer", doc));

export const blocks = table({
  name: "blocks",
  doc: "Block headers.",
  columns: {
    timestamp,
    block_number: blockNumber,
    block_hash: blockHash,
    parent_hash: column("hash", "hash of the previous block"),
    miner: column("address", "recipient of the block's fees (coinbase)"),
    gas_limit: column("uint64", "gas limit of the block", "gas"),
    gas_used: column("integer", "gas used by all transactions", "gas"),
    base_fee_per_gas: nullable("wei", "base fee; null before London", "wei per gas"),
    transaction_count: column("integer", "transactions in the block"),
    size: column("integer", "size of the encoded block; 0 if the node does not report it", "bytes"),
    extra_data: column("bytes", "arbitrary bytes set by the block's producer"),
    record_index: recordIndex,
    log_count: rowCount("logs in the block"),
    singleton_log_count: rowCount("logs in the block that determine the state of a singleton's pools"),
    erc20_count: rowCount("ERC-20 transfers in the block"),
    erc721_count: rowCount("ERC-721 transfers in the block"),
    trade_count: rowCount("trades in the block"),
    pool_count: rowCount("pools first seen in the block"),
    token_count: rowCount("tokens first seen in the block"),
    balance_count: rowCount("balances that changed in the block"),
    proof: hidden(
      added(column("label", "how much of the block was proven when it was stored"), {
        format: 8,
        earlier: "unrecorded" satisfies BlockProof,
      }),
    ),
    origin: hidden(
      added(column("label", "where the block came from"), {
        format: 8,
        earlier: "unrecorded" satisfies BlockOrigin,
      }),
    ),
    logged_singletons: hidden(
      added(
        column("label", "singletons, except Uniswap V4's, whose logs of the block are in singleton_logs"),
        {
          format: 9,
          earlier: "",
        },
      ),
    ),
  },
  key: ["block_number"],
  order: ["block_number"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["block_hash"],
});
