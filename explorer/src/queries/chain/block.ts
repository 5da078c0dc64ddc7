import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";
import type { SqlRow } from "../service/sql-row.ts";

export type Block = SqlRow<"blocks">;

/** Reads a block by its number; null if it is not indexed. A reorg may replace it. */
export function blockQuery(chain: string, number: number) {
  const { sql } = sqlText`SELECT * FROM ${table(chain, "blocks")} WHERE block_number = ${number} LIMIT 1`;
  return liveQuery(["block", chain, number], async (signal): Promise<Block | null> => {
    const { rows } = await quarry.sql<Block>(sql, { signal });
    return rows[0] ?? null;
  });
}
