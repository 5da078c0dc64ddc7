import type { Table } from "../schema/table.ts";
import { identifier, integer, join, type Sql, sql } from "./sql-text.ts";

interface Shown {
  /** The engine's table. */
  from: Sql;
  /** What the conditions call it. */
  as: Sql;
  /** The newest block that counts. */
  upTo: number;
  /** Conditions; those on the columns of `newestOf` save reading what others would. */
  among: readonly Sql[];
}

/**
 * The rows of a table that readers see, to stand behind FROM: of a history the newest of each key up to a block, of
 * those that the conditions allow; of other tables all rows, whatever the bound and the conditions.
 *
 * Read along the sort order, so that no row waits for another.
 */
export function visibleRows(table: Table, { from, as, upTo, among }: Shown): Sql {
  const { newestOf, order, blockColumn } = table;
  if (newestOf === undefined) return from;
  const column = (name: string) => sql`${as}.${identifier(name)}`;
  const conditions = [sql`${column(blockColumn)} <= ${integer(upTo)}`, ...among];
  return sql`(SELECT * FROM ${from} AS ${as} WHERE ${join(conditions, " AND ")}
    ORDER BY ${join(order.map((name) => sql`${column(name)} DESC`))} LIMIT 1 BY ${join(newestOf.map(column))})`;
}
