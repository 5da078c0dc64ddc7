import type { Table } from "../schema/table.ts";
import { identifier, integer, join, type Sql, sql } from "./sql-text.ts";

interface VisibleRowsOptions {
  /** The engine's table. */
  from: Sql;
  /** Alias of the table in the conditions. */
  as: Sql;
  /** Number of the newest visible block. */
  upTo: number;
  /** Conditions on the rows. Conditions on the columns of `newestOf` also reduce the rows that are read. */
  where: readonly Sql[];
}

/**
 * Prints a table expression, for use after FROM, with the rows of a table that readers see. For a history,
 * these are the newest row of each key up to the block, among the rows that meet the conditions. For any
 * other table, these are all rows, regardless of the block and the conditions.
 *
 * The engine reads the rows in sort order, so it finds the newest without buffering all rows.
 */
export function visibleRows(table: Table, { from, as, upTo, where }: VisibleRowsOptions): Sql {
  const { newestOf, order, blockColumn } = table;
  if (newestOf === undefined) return from;
  const column = (name: string) => sql`${as}.${identifier(name)}`;
  const conditions = [sql`${column(blockColumn)} <= ${integer(upTo)}`, ...where];
  return sql`(SELECT * FROM ${from} AS ${as} WHERE ${join(conditions, " AND ")}
    ORDER BY ${join(order.map((name) => sql`${column(name)} DESC`))} LIMIT 1 BY ${join(newestOf.map(column))})`;
}
