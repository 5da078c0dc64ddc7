import { hexText, identifier, integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { TableName } from "../../../schema/tables.ts";
import { from, type Invariant, inScope, type Scope } from "../../invariant.ts";

/**
 * The metadata of a pool or token belongs to the block in which it is first seen, so that block must be
 * repaired.
 */
export const METADATA_INVARIANTS: readonly Invariant[] = [
  {
    name: "pools known",
    doc: "each pool of a trade has one row in pool_metadata, and was first seen no later than the trade",
    impact: "trades of the pool cannot be found by its tokens, and its later swaps may be missing",
    remedy: "others",
    query: (scope) =>
      unknown(scope, {
        table: "pool_metadata",
        key: "pool_address",
        uses: sql`SELECT pool_address AS k, min(block_number) AS n, count() AS c
          FROM ${from("dex_trades", scope)} WHERE ${inScope("dex_trades", scope)} GROUP BY k`,
      }),
  },
  {
    name: "tokens known",
    doc: "each token of a trade or transfer has one row in token_metadata, and was first seen no later than its first use",
    impact: "readers do not see the name, symbol and decimals of the token",
    remedy: "others",
    query: (scope) =>
      unknown(scope, {
        table: "token_metadata",
        key: "token_address",
        uses: sql`SELECT k, min(n) AS n, sum(c) AS c FROM (${tokenUses(scope)}) GROUP BY k`,
      }),
  },
];

function tokenUses(scope: Scope): Sql {
  const used = (table: TableName, column: string) =>
    sql`SELECT ${identifier(column)} AS k, min(block_number) AS n, count() AS c
      FROM ${from(table, scope)} WHERE ${inScope(table, scope)} GROUP BY k`;
  return join(
    [
      used("erc20", "token_address"),
      used("erc721", "token_address"),
      used("dex_trades", "token_address"),
      used("dex_trades", "quote_address"),
    ],
    " UNION ALL ",
  );
}

/**
 * Selects the addresses whose metadata is missing, duplicated, or first seen after their first use, with one
 * row for each block. Of duplicates, the newest is wrong.
 */
function unknown(scope: Scope, { table, key, uses }: { table: TableName; key: string; uses: Sql }): Sql {
  return sql`SELECT n AS first, n AS last, sum(c) AS rows, min(what) AS example FROM (
    SELECT if(known > 1, newest, u.n) AS n, c, concat(${hexText(sql`u.k`)}, multiIf(known = 0, ' has no metadata', known > 1, ' has metadata twice',
      concat(' is first seen in block ', toString(seen)))) AS what
    FROM (${uses}) AS u LEFT JOIN (SELECT ${identifier(key)} AS k, count() AS known,
      min(first_seen_block_number) AS seen, max(first_seen_block_number) AS newest FROM ${from(table, scope)}
      WHERE first_seen_block_number <= ${integer(scope.commit.blockNumber)} GROUP BY k) AS m ON u.k = m.k
    WHERE known != 1 OR seen > u.n) GROUP BY n ORDER BY n`;
}
