import { TRANSFER_TOPIC } from "../../../decode/transfers/transfers.ts";
import { hexBytes, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { bytesOf, damageByBlock, from, type Invariant, inScope, type Scope } from "../../invariant.ts";

type TransferTable = "erc20" | "erc721";

/**
 * The transferred amount or id, in the table and in the log, and the condition that a log with the transfer
 * topic follows the standard.
 */
const MEASURES: Record<TransferTable, { column: Sql; logged: Sql; form: Sql }> = {
  erc20: {
    column: sql`value_base`,
    logged: sql`reinterpretAsUInt256(reverse(substring(data, 1, 32)))`,
    form: sql`topic_3 IS NULL AND length(data) >= 32`,
  },
  erc721: {
    column: sql`token_id`,
    logged: sql`reinterpretAsUInt256(reverse(assumeNotNull(substring(topic_3, 1))))`,
    form: sql`topic_3 IS NOT NULL`,
  },
};

/**
 * Invariants: each transfer agrees with its log, and each log of a transfer with its row. Here, the engine
 * decodes the logs, not Quarry's decoder.
 */
export const TRANSFER_INVARIANTS: readonly Invariant[] = [
  {
    name: "logs have transactions",
    doc: "each log's transaction is in transactions, with the same index",
    impact: "the senders of these logs' transactions are unknown",
    remedy: "blocks",
    needs: { complete: ["logs", "transactions"] },
    query: orphanLogs,
  },
  transferInvariant("erc20"),
  transferInvariant("erc721"),
];

function orphanLogs(scope: Scope): Sql {
  return damageByBlock(sql`SELECT block_number AS n, concat('log ', toString(log_index)) AS what
    FROM (SELECT block_number, log_index, transaction_index, transaction_hash FROM ${from("logs", scope)}
      WHERE ${inScope("logs", scope)}) AS l
    LEFT ANTI JOIN (SELECT block_number, transaction_index, transaction_hash FROM ${from("transactions", scope)}
      WHERE ${inScope("transactions", scope)}) AS t
    ON l.block_number = t.block_number AND l.transaction_index = t.transaction_index
      AND l.transaction_hash = t.transaction_hash`);
}

function transferInvariant(table: TransferTable): Invariant {
  return {
    name: `${table} as logged`,
    doc: `${table} matches the transfers in the logs exactly: token, sender, receiver, ${MEASURES[table].column}, transaction`,
    impact: "transfers are missing, invented or wrong",
    remedy: "blocks",
    needs: { complete: ["logs", table] },
    query: (scope) => disagreements(table, scope),
  };
}

/** Prints the condition that a topic holds an address: twelve zero bytes precede an address. */
const isAddress = (topic: Sql) =>
  sql`startsWith(ifNull(${bytesOf(topic)}, ''), unhex('000000000000000000000000'))`;
const addressIn = (topic: Sql) => sql`substring(ifNull(${bytesOf(topic)}, ''), 13, 20)`;

function disagreements(table: TransferTable, scope: Scope): Sql {
  const { column, logged, form } = MEASURES[table];
  const [first, second] = [sql`topic_1`, sql`topic_2`];
  return damageByBlock(sql`SELECT if(is_row, t.n, l.n) AS n, multiIf(
      NOT is_row, concat('log ', toString(l.i), ' has no row'),
      NOT is_log, concat('the row of log ', toString(t.i), ' has no matching log'),
      concat('the row of log ', toString(t.i), ' differs from its log')) AS what
    FROM (SELECT 1 AS is_row, block_number AS n, log_index AS i, transaction_index AS x, (${bytesOf(sql`token_address`)},
      ${bytesOf(sql`from_address`)}, ${bytesOf(sql`to_address`)}, ${column}, transaction_hash) AS said
      FROM ${from(table, scope)} WHERE ${inScope(table, scope)}) AS t
    FULL JOIN (SELECT 1 AS is_log, block_number AS n, log_index AS i, transaction_index AS x, (${bytesOf(sql`address`)},
      ${addressIn(first)}, ${addressIn(second)}, ${logged}, transaction_hash) AS said
      FROM ${from("logs", scope)} WHERE ${inScope("logs", scope)} AND topic_0 = ${hexBytes(TRANSFER_TOPIC)}
      AND ${isAddress(first)} AND ${isAddress(second)} AND ${form}) AS l
    ON t.n = l.n AND t.i = l.i
    WHERE NOT is_row OR NOT is_log OR t.x != l.x OR t.said != l.said`);
}
