import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Columns that sort records in chain order. */
export const CHAIN_ORDER = new Set(["timestamp", "block_number", "record_index"]);

/**
 * Columns whose equal values are all in one block. The block can be anywhere in time, so searching by spans
 * does not help.
 */
const WITHIN_ONE_BLOCK = new Set([
  ...CHAIN_ORDER,
  "block_hash",
  "parent_hash",
  "transaction_hash",
  "contract_address",
]);

/**
 * Returns spans of time in which to search for the first records of groups, from the shortest to the longest.
 * A span is a condition on `stored` rows. For descending order, it ends at the newest block; for ascending
 * order, it starts at the oldest one. The last span is null: no condition.
 */
export async function spansOf(
  snapshot: Snapshot,
  table: TableName,
  { groupBy, sortBy, order }: { groupBy: string; sortBy: string; order: "asc" | "desc" },
): Promise<(Sql | null)[]> {
  const inTime = tableOf(table).partitionBy === "timestamp";
  if (!inTime || !CHAIN_ORDER.has(sortBy) || WITHIN_ONE_BLOCK.has(groupBy)) return [null];
  if (order === "desc") {
    const end = snapshot.commit.timestamp;
    return spansWith((span) => sql`stored.timestamp >= ${time(Math.max(0, end - span))}`);
  }
  const start = await startOf(snapshot, table);
  return spansWith((span) => sql`stored.timestamp <= ${time(Math.min(start + span, MAX_TIMESTAMP))}`);
}

function spansWith(condition: (seconds: number) => Sql): (Sql | null)[] {
  return [...RECENT_SECONDS.map(condition), null];
}

async function startOf(snapshot: Snapshot, table: TableName): Promise<number> {
  const [first] = await snapshot.query<{ start: number }>(
    sql`SELECT toUnixTimestamp(min(timestamp)) AS start FROM ${snapshot.table(table)}`,
  );
  return first?.start ?? 0;
}
