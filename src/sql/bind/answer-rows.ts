import { tableOf } from "../../schema/tables.ts";
import { type CheckedExpression, keyOf } from "../expressions/checked-expression.ts";
import { type CheckedOrder, type CheckedSelect, hasOneRow } from "../expressions/checked-select.ts";
import type { SqlLimits } from "../syntax/limits.ts";
import { SqlError, WHOLE_TEXT } from "../syntax/sql-error.ts";
import { columnType } from "../types/value-type.ts";

/** The part of a query's rows that the client asks for, in addition to LIMIT and OFFSET. */
export interface RequestedRows {
  /** Maximum number of rows in the answer, even if the query's LIMIT is higher; default: the LIMIT. */
  maxRows?: number;
  /**
   * Number of rows before the first one of the answer. If given, even as 0, the answer is one of several
   * pages, and rows that ORDER BY does not put in order have a fixed order.
   */
  skipRows?: number;
}

/** The rows of an answer. */
export interface AnswerRows {
  /** Maximum number of rows in the answer. */
  rowLimit: number;
  /**
   * Maximum number of rows that the engine returns. One more than `rowLimit` if the query may have more rows.
   * The additional row shows that the answer is truncated, and must be dropped.
   */
  mostRows: number;
}

/** Returns how many rows an answer has, for a query's LIMIT. */
export function answerRows(
  limit: number | null,
  { maxRows = Number.POSITIVE_INFINITY, skipRows = 0 }: RequestedRows,
  { defaultRows }: Pick<SqlLimits, "defaultRows">,
): AnswerRows {
  const left = limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - skipRows);
  const rowLimit = Math.min(maxRows, limit === null ? defaultRows : left);
  return { rowLimit, mostRows: left > rowLimit ? rowLimit + 1 : rowLimit };
}

/**
 * Returns the query that skips the rows of the pages before, whose rows are in a fixed order. @throws SqlError
 */
export function pageOf(query: CheckedSelect, skipRows: number, { maxOffset }: SqlLimits): CheckedSelect {
  const offset = query.offset + skipRows;
  if (offset > maxOffset) {
    throw new SqlError(
      WHOLE_TEXT,
      `the page begins after row ${offset}, which is above ${maxOffset}: narrow the query with WHERE`,
    );
  }
  return { ...query, offset, orderBy: [...query.orderBy, ...tieBreakers(query)] };
}

/**
 * Returns what has to follow ORDER BY for a fixed order of the rows. The direction is that of the last key of
 * ORDER BY, so that the engine can still read rows in stored order.
 */
function tieBreakers(query: CheckedSelect): CheckedOrder[] {
  if (hasOneRow(query)) return [];
  const ordered = new Set(query.orderBy.map(({ value }) => keyOf(value)));
  const descending = query.orderBy.at(-1)?.descending ?? false;
  return identityOf(query)
    .filter((value) => value.node !== "literal" && !ordered.has(keyOf(value)))
    .map((value) => ({ value, descending, nullsFirst: false }));
}

/** Returns values that together differ between any two rows, or are equal only in rows that are equal. */
function identityOf({ table, distinct, columns, groupBy, orderBy }: CheckedSelect): CheckedExpression[] {
  if (distinct) return columns.map(({ value }) => value);
  if (groupBy.length > 0) return groupBy;
  // Without ORDER BY, the sort order of the table is the quickest to read.
  const { columns: declared, key, order } = tableOf(table);
  return (orderBy.length > 0 ? key : order).flatMap((name) => {
    const column = declared[name];
    return column === undefined ? [] : [{ node: "column", name, type: columnType(column), at: WHOLE_TEXT }];
  });
}
