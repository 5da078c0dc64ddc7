import { hexBytes, integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { from, type Invariant, inScope, type Scope } from "../../invariant.ts";

/** Invariants: every block of the stored range is present once and follows the previous block. */
export const CONTINUITY_INVARIANTS: readonly Invariant[] = [
  {
    name: "every block once",
    doc: "each block from the first indexed one to the newest commit has one row in blocks",
    impact: "blocks are missing or counted twice, so every sum over them is wrong",
    remedy: "blocks",
    query: (scope) => sql`SELECT first, last, rows, example FROM (${gaps(scope)} UNION ALL
      ${lastGap(scope)} UNION ALL ${duplicates(scope)}) ORDER BY first`,
  },
  {
    name: "blocks linked",
    doc: "each block's parent_hash is the hash of the block before it, and its timestamp is not earlier",
    impact: "blocks of two forks are mixed, or a header is damaged",
    remedy: "blocks",
    query: (scope) => sql`SELECT n - 1 AS first, n AS last, 1 AS rows,
      if(p != ph, 'parent_hash is not the hash of the previous block', 'older than the previous block') AS example
      FROM (${withPrevious(scope)}) WHERE ${inside(scope)} AND nth > 1 AND n = pn + 1 AND (p != ph OR t < pt)
      ORDER BY n`,
  },
  {
    name: "newest block committed",
    doc: "the newest block's hash is the one in its commit",
    impact: "responses report a block hash that differs from the stored one",
    remedy: "blocks",
    query: tip,
  },
];

/** Selects the scope's blocks and the block before the scope, each with its previous block. */
function withPrevious(scope: Scope): Sql {
  const before = integer(Math.max(scope.first - 1, scope.commit.firstBlock));
  return sql`SELECT block_number AS n, parent_hash AS p, toUnixTimestamp(timestamp) AS t, row_number() OVER w AS nth,
    lagInFrame(block_number) OVER w AS pn, lagInFrame(block_hash) OVER w AS ph,
    lagInFrame(toUnixTimestamp(timestamp)) OVER w AS pt
    FROM ${from("blocks", scope)} WHERE block_number >= ${before} AND block_number <= ${integer(scope.last)}
    WINDOW w AS (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
}

function inside({ first, last }: Scope): Sql {
  return sql`n >= ${integer(first)} AND n <= ${integer(last)}`;
}

/** Selects the missing blocks that have a block above them in the scope. */
function gaps(scope: Scope): Sql {
  const first = integer(scope.first);
  return sql`SELECT greatest(pn + 1, ${first}) AS first, n - 1 AS last, n - greatest(pn + 1, ${first}) AS rows,
    'missing' AS example FROM (${withPrevious(scope)})
    WHERE ${inside(scope)} AND n > greatest(if(nth > 1, pn + 1, 0), ${first})`;
}

/** Selects the missing blocks at the end of the scope. */
function lastGap(scope: Scope): Sql {
  const { first, last } = scope;
  return sql`SELECT next AS first, ${integer(last)} AS last, ${integer(last + 1)} - next AS rows, 'missing' AS example
    FROM (SELECT greatest(max(block_number) + 1, ${integer(first)}) AS next FROM ${from("blocks", scope)}
      WHERE block_number >= ${integer(first)} AND block_number <= ${integer(last)}) WHERE next <= ${integer(last)}`;
}

function duplicates(scope: Scope): Sql {
  const { first, last } = scope;
  return sql`SELECT block_number AS first, block_number AS last, count() - 1 AS rows, 'stored more than once' AS example
    FROM ${from("blocks", scope)} WHERE block_number >= ${integer(first)} AND block_number <= ${integer(last)}
    GROUP BY block_number HAVING count() > 1`;
}

function tip(scope: Scope): Sql {
  const { blockNumber, blockHash } = scope.commit;
  return sql`SELECT block_number AS first, block_number AS last, 1 AS rows, 'its hash is not the one in its commit' AS example
    FROM ${from("blocks", scope)} WHERE ${inScope("blocks", scope)} AND block_number = ${integer(blockNumber)}
    AND block_hash != ${hexBytes(blockHash)} LIMIT 1`;
}
