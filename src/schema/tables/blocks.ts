import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import { blockHash, blockNumber, recordIndex, timestamp } from "./shared-columns.ts";

export const blocks = table({
  name: "blocks",
  doc: "Block headers.",
  columns: {
    timestamp,
    block_number: blockNumber,
    block_hash: blockHash,
    parent_hash: column("hash", "hash of the block before"),
    miner: column("address", "receiver of the block's fees (coinbase)"),
    gas_limit: column("integer", "most gas the block may use", "gas"),
    gas_used: column("integer", "gas used by all transactions", "gas"),
    base_fee_per_gas: nullable("wei", "base fee; null before London", "wei per gas"),
    transaction_count: column("integer", "transactions in the block"),
    size: column("integer", "size of the encoded block; 0 where the node does not tell", "bytes"),
    extra_data: column("bytes", "free bytes of the block's producer"),
    record_index: recordIndex,
  },
  key: ["block_number"],
  order: ["block_number"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
});
