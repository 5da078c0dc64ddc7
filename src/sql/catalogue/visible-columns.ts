import type { Column } from "../../schema/column.ts";
import { publicColumns, type Table } from "../../schema/table.ts";

/**
 * Returns the columns of `SELECT *`: `timestamp` first, the others in alphabetical order. Clients rely on this
 * order.
 */
export function visibleColumns(table: Table): readonly string[] {
  const known = VISIBLE_COLUMNS.get(table) ?? sortedColumns(table);
  VISIBLE_COLUMNS.set(table, known);
  return known;
}

/**
 * Sorted columns of each table. Sorting them for each query would take longer than the rest of compiling a
 * short query.
 */
const VISIBLE_COLUMNS = new WeakMap<Table, readonly string[]>();

function sortedColumns(table: Table): string[] {
  const names = publicColumns(table).map(([name]) => name);
  const rest = names.filter((name) => name !== "timestamp").sort();
  return rest.length < names.length ? ["timestamp", ...rest] : rest;
}

/** Returns the columns that a query may name: the columns of `SELECT *`, then the verdicts. */
export function queryableColumns(table: Table): readonly string[] {
  return [...visibleColumns(table), ...Object.keys(table.verdicts ?? {})];
}

/** Returns the declaration of a column that a query may name, or null if the column is unknown or hidden. */
export function queryableColumn({ columns, verdicts = {} }: Table, name: string): Column | null {
  const declared = Object.hasOwn(columns, name) ? columns : verdicts;
  const column = Object.hasOwn(declared, name) ? declared[name] : undefined;
  return column === undefined || column.hidden === true ? null : column;
}
