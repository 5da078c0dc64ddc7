import { publicColumns, type Table } from "../../schema/table.ts";

/**
 * Columns with bytes of any length: querying them by exact value is useless, and sorting by them would read
 * all of their bytes.
 */
const LONG_COLUMNS = new Set(["data", "input", "extra_data"]);

/** Returns the columns by which records can be grouped and sorted. */
export function queryableColumns(table: Table): string[] {
  return publicColumns(table)
    .map(([name]) => name)
    .filter((name) => !LONG_COLUMNS.has(name));
}
