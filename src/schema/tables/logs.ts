import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import {
  blockHash,
  blockNumber,
  logIndex,
  recordIndex,
  timestamp,
  transactionHash,
  transactionIndex,
} from "./shared-columns.ts";

export const logs = table({
  name: "logs",
  doc: "Event logs, as emitted.",
  columns: {
    timestamp,
    address: column("address", "contract that emitted the log"),
    block_hash: blockHash,
    block_number: blockNumber,
    data: column("bytes", "non-indexed event data"),
    log_index: logIndex,
    record_index: recordIndex,
    topic_0: nullable("hash", "hash of the event's signature; null for anonymous events"),
    topic_1: nullable("hash", "first indexed argument"),
    topic_2: nullable("hash", "second indexed argument"),
    topic_3: nullable("hash", "third indexed argument"),
    transaction_hash: transactionHash,
    transaction_index: transactionIndex,
  },
  key: ["block_number", "log_index"],
  order: ["address", "timestamp", "record_index"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["block_number", "transaction_hash", "topic_0"],
});
