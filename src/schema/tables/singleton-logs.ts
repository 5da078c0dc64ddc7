import { column } from "../column.ts";
import { table } from "../table.ts";
import { blockNumber, recordIndex } from "./shared-columns.ts";

/**
 * The logs of a singleton's pool determine its price and liquidity, but the logs of all pools have the same
 * address. A search for one pool in `logs` would therefore read all of them. This table is not partitioned by
 * month, for the same reason as `wallet_trades`.
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
