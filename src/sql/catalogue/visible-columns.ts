import { publicColumns, type Table } from "../../schema/table.ts";

/** The columns of `SELECT *`: `timestamp` first, then alphabetically. Clients know this order. */
export function visibleColumns(table: Table): readonly string[] {
  const known = VISIBLE_COLUMNS.get(table) ?? sortedColumns(table);
  VISIBLE_COLUMNS.set(table, known);
  return known;
}

/** Tables never change, and sorting their columns takes longer than the rest of compiling a short query. */
const VISIBLE_COLUMNS = new WeakMap<Table, readonly string[]>();

function sortedColumns(table: Table): string[] {
  const names = publicColumns(table).map(([name]) => name);
  const rest = names.filter((name) => name !== "timestamp").sort();
  return rest.length < names.length ? ["timestamp", ...rest] : rest;
}
