import { integer, type Sql, sql } from "../lib/sql-text.ts";
import { type TableName, tableOf } from "../schema/tables.ts";
import type { Snapshot } from "./snapshot.ts";

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

const DAY_SECONDS = 86_400;

/**
 * A day holds enough of what is busy, a month of most; what a month lacks is rare, so that all of it is not much
 * to read.
 */
const SPANS_SECONDS = [DAY_SECONDS, 30 * DAY_SECONDS];

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
    return [...SPANS_SECONDS.map((span) => sql`stored.timestamp >= ${time(end - span)}`), null];
  }
  const begin = await beginOf(snapshot, table);
  return [...SPANS_SECONDS.map((span) => sql`stored.timestamp <= ${time(begin + span)}`), null];
}

async function beginOf(snapshot: Snapshot, table: TableName): Promise<number> {
  const [first] = await snapshot.query<{ begin: number }>(
    sql`SELECT toUnixTimestamp(min(timestamp)) AS begin FROM ${snapshot.table(table)}`,
  );
  return first?.begin ?? 0;
}

/** The engine's times end here (2106-02-07). */
const MAX_TIMESTAMP = 2 ** 32 - 1;

function time(timestamp: number): Sql {
  return sql`toDateTime(${integer(Math.min(Math.max(0, timestamp), MAX_TIMESTAMP))}, 'UTC')`;
}
