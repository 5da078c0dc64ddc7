import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { PUBLIC_TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Rows of each table up to the snapshot's block. Histories count every stored row, not only those visible in
 * SQL.
 */
export async function readTableRows(snapshot: Snapshot): Promise<Partial<Record<TableName, number>>> {
  const counts = PUBLIC_TABLE_NAMES.map(
    (name) =>
      sql`SELECT ${text(name)} AS name, count() AS rows FROM ${snapshot.table(name)} WHERE ${identifier(tableOf(name).blockColumn)} <= ${integer(snapshot.commit.blockNumber)}`,
  );
  const rows = await snapshot.query<{ name: TableName; rows: number }>(join(counts, " UNION ALL "));
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}
