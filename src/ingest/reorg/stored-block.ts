import { hexText, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";

export interface StoredBlock {
  number: number;
  hash: Hex;
  timestamp: number;
}

/** Reads the stored block with this number; null if it is not indexed. */
export async function storedBlock(
  engine: Engine,
  chain: string,
  number: number,
): Promise<StoredBlock | null> {
  const rows = await engine.query<StoredBlock>(sql`SELECT block_number AS number,
    ${hexText(sql`block_hash`)} AS hash, toUnixTimestamp(timestamp) AS timestamp
    FROM ${engineTable(chain, "blocks")} WHERE block_number = ${integer(number)} LIMIT 1`);
  return rows[0] ?? null;
}
