import { publicColumns, type Table } from "../../schema/table.ts";

/**
 * Bytes of any length: a query by their exact value is useless, and sorting by them would read all of them.
 */
const LONG_COLUMNS = new Set(["data", "input", "extra_data"]);

/** The columns that records can be grouped and sorted by. */
export function queryableColumns(table: Table): string[] {
  return publicColumns(table)
    .map(([name]) => name)
    .filter((name) => !LONG_COLUMNS.has(name));
}
