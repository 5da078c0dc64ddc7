import { scopeOf } from "../../chains/chain.ts";
import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { completeFrom } from "../../schema/scope.ts";
import { PUBLIC_TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import type { RowCounts } from "../../serving/counts/row-counts.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Reads the number of rows of each table up to the snapshot's block, without the rows of pruned blocks. For a
 * table with history (`newestOf`), all stored rows are counted, not only those visible in SQL.
 */
export async function readTableRows(snapshot: Snapshot): Promise<RowCounts> {
  const counts = PUBLIC_TABLE_NAMES.map((name) => {
    const block = identifier(tableOf(name).blockColumn);
    const from = integer(completeFrom(scopeOf(snapshot.chain), name) ?? 0);
    return sql`SELECT ${text(name)} AS name, count() AS rows FROM ${snapshot.table(name)}
      WHERE ${block} <= ${integer(snapshot.commit.blockNumber)} AND ${block} >= ${from}`;
  });
  const rows = await snapshot.query<{ name: TableName; rows: number }>(join(counts, " UNION ALL "));
  const found = new Map(rows.map(({ name, rows: count }) => [name, count]));
  return Object.fromEntries(PUBLIC_TABLE_NAMES.map((name) => [name, found.get(name) ?? 0])) as RowCounts;
}
