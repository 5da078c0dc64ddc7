import type { Column } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";

/** Bytes of any length: nobody looks for all of them, and to sort by them is to read them all. */
const LONG_COLUMNS = new Set(["data", "input", "extra_data"]);

/** The columns that records of a table have in answers. */
export function publicColumns({ columns }: Table): [name: string, column: Column][] {
  return Object.entries(columns).filter(([, column]) => column.hidden !== true);
}

/** The columns that records can be grouped and ranked by. */
export function askableColumns(table: Table): string[] {
  return publicColumns(table)
    .map(([name]) => name)
    .filter((name) => !LONG_COLUMNS.has(name));
}
