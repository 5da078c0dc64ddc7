import type { Table } from "../schema/table.ts";
import { type Sql, sql } from "./sql-text.ts";

/**
 * Prints the columns t0 and t1 (least and greatest time) and h0 and h1 (the same for the block hash) of rows
 * that are grouped by block, each after a comma; without those that the table does not have.
 */
export function blockMarks({ columns }: Table): Sql {
  const times = "timestamp" in columns ? sql`, min(timestamp) AS t0, max(timestamp) AS t1` : sql``;
  const hashes = "block_hash" in columns ? sql`, min(block_hash) AS h0, max(block_hash) AS h1` : sql``;
  return sql`${times} ${hashes}`;
}

/** Prints the condition that one of a block's rows has another time or hash than its block: t and h. */
export function differsFromBlock({ columns }: Table): Sql {
  const times = "timestamp" in columns ? sql`t0 != t OR t1 != t` : sql`0`;
  const hashes = "block_hash" in columns ? sql`h0 != h OR h1 != h` : sql`0`;
  return sql`(${times} OR ${hashes})`;
}
