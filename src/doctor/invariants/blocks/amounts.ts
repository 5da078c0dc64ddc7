import { integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { damageByBlock, from, type Invariant, inScope, type Scope } from "../../invariant.ts";
import { tradedAmounts } from "./trades.ts";

/**
 * Tolerated relative difference. A double computed by the engine and one computed by Quarry may differ in the
 * last bit.
 */
const ROUNDING = sql`1e-12`;

/**
 * If a token has more than this many rows and all of them disagree with its decimals, the token's metadata is
 * wrong, not the rows. In that case, only the first row is reported, together with the metadata.
 */
const ROWS_AGAINST_METADATA = 20;

/** Invariants that compare amounts in tokens with amounts in base units. */
export const AMOUNT_INVARIANTS: readonly Invariant[] = [
  {
    name: "amounts in tokens",
    doc: "amounts of transfers and trades equal those in their logs, scaled by the token's decimals; null if it has none",
    impact: "amounts are wrong, and so are the prices and volumes computed from them",
    remedy: "blocks",
    needs: { complete: ["logs", "erc20"] },
    query: wrongAmounts,
  },
];

/**
 * Selects the rows with wrong amounts, except zero amounts. If all rows of a token are wrong, also selects
 * the block of its metadata, once per token: after that block is replaced, later rows get the right decimals.
 */
function wrongAmounts(scope: Scope): Sql {
  const row = sql`(if(all_wrong AND c > ${integer(ROWS_AGAINST_METADATA)}, earliest, n), concat('the row of log ', toString(i)))`;
  const metadata = sql`(seen, 'decimals of its tokens disagree with their amounts')`;
  return damageByBlock(sql`SELECT tupleElement(fault, 1) AS n, tupleElement(fault, 2) AS what
    FROM (SELECT arrayJoin(if(all_wrong AND place = 1, [${row}, ${metadata}], [${row}])) AS fault
      FROM (${judged(scope)}) WHERE wrong)`);
}

function judged(scope: Scope): Sql {
  return sql`SELECT n, i, seen, wrong, min(wrong) OVER w AS all_wrong, count() OVER w AS c, min(n) OVER w AS earliest,
      row_number() OVER w AS place
    FROM (SELECT a.n AS n, a.i AS i, a.token AS token, seen, (amount IS NULL) != (places IS NULL) OR ifNull(
        abs(base / exp10(places) - amount) > ${ROUNDING} * amount, 0) AS wrong
      FROM (${transferredAmounts(scope)} UNION ALL ${tradedAmounts(scope)}) AS a
      INNER JOIN (SELECT token_address AS token, any(decimals) AS places, min(first_seen_block_number) AS seen
        FROM ${from("token_metadata", scope)} GROUP BY token) AS m ON a.token = m.token WHERE base > 0)
    WINDOW w AS (PARTITION BY token)`;
}

function transferredAmounts(scope: Scope): Sql {
  return sql`SELECT token_address AS token, block_number AS n, log_index AS i, value_token AS amount,
    toFloat64(value_base) AS base FROM ${from("erc20", scope)} WHERE ${inScope("erc20", scope)}`;
}
