import type { TableName } from "../../schema/tables.ts";
import { type CheckedExpression, hasAggregate } from "./checked-expression.ts";

export interface OutputColumn {
  name: string;
  value: CheckedExpression;
}

export interface CheckedOrder {
  value: CheckedExpression;
  descending: boolean;
  nullsFirst: boolean;
}

/** A query that can be printed. */
export interface CheckedSelect {
  chain: string;
  table: TableName;
  /** First block from which all rows of the table are stored; 0 if none were pruned. */
  firstBlock: number;
  distinct: boolean;
  columns: OutputColumn[];
  where: CheckedExpression | null;
  groupBy: CheckedExpression[];
  having: CheckedExpression | null;
  orderBy: CheckedOrder[];
  /** Number of names, values and operations, with the aliases written out. */
  nodes: number;
  /** Usual time in nanoseconds that string functions take for one row. */
  usualNs: number;
  /** Maximum time in nanoseconds for strings that are the same for every row. */
  constantNs: number;
  /** Usual time to copy the strings of a row, in nanoseconds. */
  copyNs: number;
  limit: number | null;
  offset: number;
}

/** Returns whether a query has at most one row: it has aggregates, but no GROUP BY. */
export function hasOneRow({ columns, groupBy }: CheckedSelect): boolean {
  return groupBy.length === 0 && columns.some(({ value }) => hasAggregate(value));
}
