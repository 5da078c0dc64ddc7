import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { wholeOf } from "../../lib/async/whole-of.ts";
import { type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import { decodeRows } from "../../storage/rows/row-reader.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

interface BlockRowsQuery {
  /** Blocks with a higher number than this are read. */
  above: number;
  /** Newest of these blocks; default: the newest of the snapshot. */
  upTo?: number;
  /** Maximum number of rows per table. */
  maxRows: number;
  /** An additional condition on the rows of a table. */
  where?(table: TableName): Sql | null;
}

/**
 * Reads the rows of all blocks above a given one, as they were committed: in chain order, with all columns.
 * Null if a table has more than `maxRows`.
 */
export async function readBlockRows(
  snapshot: Snapshot,
  tables: readonly TableName[],
  query: BlockRowsQuery,
): Promise<Rows | null> {
  const read = await Promise.all(
    tables.map(async (table) => [table, await rowsOf(snapshot, table, query)] as const),
  );
  const isWhole = read.every(([, rows]) => rows.length <= query.maxRows);
  return isWhole ? (Object.fromEntries(read) as Rows) : null;
}

async function rowsOf(
  snapshot: Snapshot,
  name: TableName,
  { above, upTo = snapshot.commit.blockNumber, maxRows, where }: BlockRowsQuery,
): Promise<Record<string, unknown>[]> {
  const table = tableOf(name);
  const block = identifier(table.blockColumn);
  const statement = sql`SELECT ${join(Object.keys(table.columns).map(identifier))} FROM ${snapshot.table(name)}
    WHERE ${block} > ${integer(above)} AND ${block} <= ${integer(upTo)} AND ${where?.(name) ?? sql`1`}
    ORDER BY record_index LIMIT ${integer(maxRows + 1)}`;
  return decodeRows(table, await wholeOf(snapshot.binary(statement)));
}
