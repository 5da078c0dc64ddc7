import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Reads the time of the newest block that was final at the snapshot's commit, unix seconds; null if none is
 * known.
 */
export async function readFinalizedTime({ commit, table, query }: Snapshot): Promise<number | null> {
  if (commit.finalized === null) return null;
  const [block] = await query<{ time: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS time FROM ${table("blocks")}
      WHERE block_number = ${integer(commit.finalized)} LIMIT 1`,
  );
  return block?.time ?? null;
}
