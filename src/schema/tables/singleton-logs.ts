import { column } from "../column.ts";
import { table } from "../table.ts";
import { blockNumber, recordIndex } from "./shared-columns.ts";

/**
 * The price and the liquidity of a singleton's pool follow from its logs alone, but the logs of all pools
 * have the same address, so a search for one pool in `logs` would read all of them. Not partitioned by month,
 * like `wallet_trades`.
 */
export const singletonLogs = table({
  name: "singleton_logs",
  doc: "The logs that determine the state of each pool of a singleton, ordered by pool.",
  columns: {
    topic_1: column("hash", "id of the pool"),
    topic_0: column("hash", "hash of the event's signature"),
    record_index: recordIndex,
    block_number: blockNumber,
    data: column("bytes", "non-indexed event data"),
  },
  key: ["record_index"],
  order: ["topic_1", "topic_0", "record_index"],
  blockColumn: "block_number",
  skipIndexes: ["block_number"],
  excerptOf: "logs",
  rowsPerMark: 512,
});
