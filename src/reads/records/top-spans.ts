import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { RECENT_SECONDS } from "../trades/newest-first.ts";

interface Ranked {
  table: TableName;
  groupBy: string;
  sortBy: string;
  order: "asc" | "desc";
}

/** All of them rank records in chain order. */
const CHAIN_ORDER = new Set(["timestamp", "block_number", "record_index"]);

/** Records with one value of these lie in one block: wherever it is, a span of time is not nearer to it. */
const OF_ONE_BLOCK = new Set([
  ...CHAIN_ORDER,
  "block_hash",
  "parent_hash",
  "transaction_hash",
  "contract_address",
]);

/**
 * Where to look for the first records of groups, one after the other: conditions on `stored` rows, each at the end
 * of the chain that the order begins with; null, the last, is no condition.
 */
export async function spansOf(snapshot: Snapshot, ranked: Ranked): Promise<(Sql | null)[]> {
  const { table, groupBy, sortBy, order } = ranked;
  const inTime = tableOf(table).partitionBy === "timestamp";
  if (!inTime || !CHAIN_ORDER.has(sortBy) || OF_ONE_BLOCK.has(groupBy)) return [null];
  if (order === "desc") {
    const end = snapshot.commit.timestamp;
    return spansWith((span) => sql`stored.timestamp >= ${time(Math.max(0, end - span))}`);
  }
  const begin = await beginOf(snapshot, table);
  return spansWith((span) => sql`stored.timestamp <= ${time(Math.min(begin + span, MAX_TIMESTAMP))}`);
}

function spansWith(condition: (seconds: number) => Sql): (Sql | null)[] {
  return [...RECENT_SECONDS.map(condition), null];
}

async function beginOf(snapshot: Snapshot, table: TableName): Promise<number> {
  const [first] = await snapshot.query<{ begin: number }>(
    sql`SELECT toUnixTimestamp(min(timestamp)) AS begin FROM ${snapshot.table(table)}`,
  );
  return first?.begin ?? 0;
}
