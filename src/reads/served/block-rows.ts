import { identifier, integer, join, sql } from "../../engine-sql/sql-text.ts";
import { type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import { decodeRows } from "../../storage/rows/row-reader.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * The rows of the blocks above a block, as they were committed: in chain order, every column included. Null:
 * a table has more than `maxRows`.
 */
export async function readBlockRows(
  snapshot: Snapshot,
  tables: readonly TableName[],
  { above, maxRows }: { above: number; maxRows: number },
): Promise<Rows | null> {
  const read = await Promise.all(
    tables.map(async (table) => [table, await rowsOf(snapshot, table, { above, maxRows })] as const),
  );
  const isWhole = read.every(([, rows]) => rows.length <= maxRows);
  return isWhole ? (Object.fromEntries(read) as Rows) : null;
}

async function rowsOf(
  snapshot: Snapshot,
  name: TableName,
  { above, maxRows }: { above: number; maxRows: number },
): Promise<Record<string, unknown>[]> {
  const table = tableOf(name);
  const block = identifier(table.blockColumn);
  const pieces: Uint8Array[] = [];
  const statement = sql`SELECT ${join(Object.keys(table.columns).map(identifier))} FROM ${snapshot.table(name)}
    WHERE ${block} > ${integer(above)} AND ${block} <= ${integer(snapshot.commit.blockNumber)}
    ORDER BY record_index LIMIT ${integer(maxRows + 1)}`;
  for await (const piece of snapshot.binary(statement)) pieces.push(piece);
  return decodeRows(table, Buffer.concat(pieces));
}
