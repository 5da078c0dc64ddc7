import { hexBytes, integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { SYNC_BYTES, SYNC_TOPIC } from "../../schema/events/sync-event.ts";
import type { RawTable } from "../../schema/scope.ts";
import { FAN_OUT_RECIPIENTS } from "../../schema/scope.ts";
import { engineTable } from "../tables/ddl.ts";

/** Condition for the Sync events of Uniswap V2 pairs in `logs`. */
export const IS_SYNC = sql`topic_0 = ${hexBytes(SYNC_TOPIC)} AND length(data) = ${integer(SYNC_BYTES)}`;

/**
 * Prints the condition for the rows of a raw table that remain when the rest is pruned. It applies within one
 * partition, which has all transfers of a transaction.
 */
export function excerptCondition(chain: string, table: RawTable, partition: string): Sql {
  switch (table) {
    case "logs":
      // A null topic makes the comparison null, which NOT would not turn into true.
      return sql`ifNull(${IS_SYNC}, 0) = 1`;
    case "erc20":
      return sql`(token_address, timestamp, transaction_hash) IN (
        SELECT token_address, timestamp, transaction_hash FROM ${engineTable(chain, table)}
        WHERE _partition_id = ${text(partition)} GROUP BY token_address, timestamp, transaction_hash
        HAVING uniqExact(to_address) >= ${integer(FAN_OUT_RECIPIENTS)})`;
    case "transactions":
    case "erc721":
      return sql`0`;
  }
}
