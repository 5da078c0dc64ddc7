import { identifier, integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { COUNTED_TABLES, type CountedTable, isCopy, ROW_COUNTS, tableOf } from "../../../schema/tables.ts";
import { from, type Invariant, inScope, type Scope } from "../../invariant.ts";

/**
 * The column that is the ordinal in `record_index`; elsewhere it is the row's number among its block's. Such
 * ordinals are the chain's own and may have holes in a recording of some logs only.
 */
const ORDINALS: Partial<Record<CountedTable, string>> = {
  transactions: "transaction_index",
  logs: "log_index",
};

/** Room for one block's rows in `record_index`. */
const STEP = integer(recordIndexOf(1, 0));

/** The invariant of one table: each block has the rows that its row in `blocks` counts, each at its own place. */
export function countInvariant(table: CountedTable): Invariant {
  return {
    name: `rows of ${table}`,
    doc: `${table} holds for each block the rows that blocks.${ROW_COUNTS[table]} states, each at its own place, with the block's hash and time`,
    impact: `rows of ${table} are missing, doubled or misplaced: sums and counts over them are wrong`,
    remedy: "blocks",
    query: (
      scope,
    ) => sql`SELECT n AS first, n AS last, greatest(1, abs(toInt64(held) - toInt64(stated))) AS rows,
      multiIf(held != stated, concat(toString(stated), ' stated, ', toString(held), ' stored'),
        NOT placed, 'record_index is not their place', 'not the hash or the time of its block') AS example
      FROM (${statedRows(table, scope)}) AS b LEFT JOIN (${storedRows(table, scope)}) AS r ON b.n = r.n
      WHERE held != stated OR (held > 0 AND (NOT placed OR ${elsewhere(table)})) ORDER BY n`,
  };
}

/** Not of copies and histories: their order is not that of blocks, so they are examined as a whole. */
export const BLOCKWISE_TABLES = COUNTED_TABLES.filter(
  (table) => !isCopy(table) && tableOf(table).newestOf === undefined,
);

export const COUNT_INVARIANTS: readonly Invariant[] = BLOCKWISE_TABLES.map(countInvariant);

function statedRows(table: CountedTable, scope: Scope): Sql {
  return sql`SELECT block_number AS n, ${identifier(ROW_COUNTS[table])} AS stated, timestamp AS t, block_hash AS h
    FROM ${from("blocks", scope)} WHERE ${inScope("blocks", scope)}`;
}

function storedRows(table: CountedTable, scope: Scope): Sql {
  const { blockColumn, columns } = tableOf(table);
  const block = identifier(blockColumn);
  const ordinal = ORDINALS[table];
  const inOrder =
    ordinal === undefined
      ? sql`min(record_index) = n * ${STEP} AND max(record_index) = n * ${STEP} + held - 1`
      : sql`countIf(record_index != ${block} * ${STEP} + ${identifier(ordinal)}) = 0`;
  const times = "timestamp" in columns ? sql`, min(timestamp) AS t0, max(timestamp) AS t1` : sql``;
  const hashes = "block_hash" in columns ? sql`, min(block_hash) AS h0, max(block_hash) AS h1` : sql``;
  return sql`SELECT ${block} AS n, count() AS held, (uniqExact(record_index) = held AND ${inOrder}) AS placed
    ${times} ${hashes} FROM ${from(table, scope)} WHERE ${inScope(table, scope)} GROUP BY n`;
}

/** True when a row's copies of its block's facts are not the block's. */
function elsewhere(table: CountedTable): Sql {
  const { columns } = tableOf(table);
  const times = "timestamp" in columns ? sql`t0 != t OR t1 != t` : sql`0`;
  const hashes = "block_hash" in columns ? sql`h0 != h OR h1 != h` : sql`0`;
  return sql`(${times} OR ${hashes})`;
}
