import { numberingOf, scopeOf } from "../../../chains/chain.ts";
import { blockMarks, differsFromBlock } from "../../../engine-sql/block-marks.ts";
import { firstRecordIndexSql } from "../../../engine-sql/record-index.ts";
import { identifier, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { completeFrom } from "../../../schema/scope.ts";
import { COUNTED_TABLES, type CountedTable, isCopy, ROW_COUNTS, tableOf } from "../../../schema/tables.ts";
import { from, type Invariant, inScope, type Scope } from "../../invariant.ts";

/**
 * The column used as the ordinal in `record_index`. In other tables, the ordinal is the row's number within
 * its block. The values of these columns come from the chain, and have gaps in a recording that contains only
 * some logs.
 */
const ORDINALS: Partial<Record<CountedTable, string>> = {
  transactions: "transaction_index",
  logs: "log_index",
};

/**
 * Returns the invariant of a table: each block has as many rows as its row in `blocks` states, each with its
 * own record_index.
 */
export function countInvariant(table: CountedTable): Invariant {
  return {
    name: `rows of ${table}`,
    doc: `${table} has as many rows for each block as blocks.${ROW_COUNTS[table]} states, each with its own record_index and the block's hash and time`,
    impact: `rows of ${table} are missing, duplicated or misplaced, so sums and counts over them are wrong`,
    remedy: "blocks",
    needs: { counted: [table] },
    query: (
      scope,
    ) => sql`SELECT n AS first, n AS last, greatest(1, abs(toInt64(held) - toInt64(stated))) AS rows,
      multiIf(held != stated, concat(toString(stated), ' stated, ', toString(held), ' stored'),
        NOT placed, 'wrong record_index', 'not the hash or the time of its block') AS example
      FROM (${statedRows(table, scope)}) AS b LEFT JOIN (${storedRows(table, scope)}) AS r ON b.n = r.n
      WHERE held != stated OR (held > 0 AND (NOT placed OR ${differsFromBlock(tableOf(table))})) ORDER BY n`,
  };
}

/**
 * The tables that are checked block by block: all except copies and histories, which are checked as a whole,
 * because they are not ordered by block.
 */
export const BLOCKWISE_TABLES = COUNTED_TABLES.filter(
  (table) => !isCopy(table) && tableOf(table).newestOf === undefined,
);

export const COUNT_INVARIANTS: readonly Invariant[] = BLOCKWISE_TABLES.map(countInvariant);

function statedRows(table: CountedTable, scope: Scope): Sql {
  return sql`SELECT block_number AS n, ${identifier(ROW_COUNTS[table])} AS stated, timestamp AS t, block_hash AS h
    FROM ${from("blocks", scope)} WHERE ${inScope("blocks", scope)}`;
}

function storedRows(table: CountedTable, scope: Scope): Sql {
  const block = identifier(tableOf(table).blockColumn);
  const ordinal = ORDINALS[table];
  const isExcerpt = completeFrom(scopeOf(scope.chain), table) === null;
  const first = (number: Sql) => firstRecordIndexSql(numberingOf(scope.chain), number);
  const inOrder = isExcerpt
    ? sql`min(record_index) >= ${first(sql`n`)} AND max(record_index) < ${first(sql`n + 1`)}`
    : ordinal === undefined
      ? sql`min(record_index) = ${first(sql`n`)} AND max(record_index) = ${first(sql`n`)} + held - 1`
      : sql`countIf(record_index != ${first(block)} + ${identifier(ordinal)}) = 0`;
  return sql`SELECT ${block} AS n, count() AS held, (uniqExact(record_index) = held AND ${inOrder}) AS placed
    ${blockMarks(tableOf(table))} FROM ${from(table, scope)} WHERE ${inScope(table, scope)} GROUP BY n`;
}
