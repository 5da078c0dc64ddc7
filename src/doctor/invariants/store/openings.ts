import { hexText, integer, sql } from "../../../engine-sql/sql-text.ts";
import { isWholeFrom } from "../../../schema/block.ts";
import { openingRows } from "../../../storage/openings/stored-openings.ts";
import { REQUESTED, requestedChanges } from "../../../storage/openings/transfer-sums.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import { openingTableName } from "../../../storage/tables/opening-table.ts";
import { tableExists } from "../../../storage/tables/table-exists.ts";
import { type Damage, QUERY_LIMITS, type StoredChain } from "../../invariant.ts";

/** Maximum number of holdings that one check reports. */
const MAX_HOLDINGS = 1_000;

/**
 * Finds the holdings whose newest stored balance is known, but is not the confirmed balance before the first
 * block plus the transfers since then. Also finds holdings that have a balance although none was confirmed.
 * Skips results that are not applied yet. Sums are modulo 2^256.
 */
export async function unequalOpenings({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const { firstBlock, blockNumber } = commit;
  if (isWholeFrom(firstBlock) || !(await tableExists(engine, openingTableName(chain.name)))) return [];
  const from = { chain: chain.name, firstBlock };
  const requested = sql`requested AS (SELECT wallet_address AS wallet, token_address AS token, status = 'confirmed' AS is_confirmed,
    toInt256(ifNull(balance_base, toUInt256(0))) AS opening FROM ${openingRows(from)} WHERE is_applied = 1)`;
  const sums = sql`SELECT wallet, token, sum(change) AS total
    FROM (${requestedChanges(chain, blockNumber)}) GROUP BY wallet, token`;
  const newest = sql`SELECT wallet_address AS wallet, token_address AS token,
    tupleElement(argMax(tuple(balance_base), record_index), 1) AS balance
    FROM ${engineTable(chain.name, "token_balances")} WHERE block_number <= ${integer(blockNumber)}
    AND (wallet_address, token_address) IN ${REQUESTED} GROUP BY wallet, token HAVING balance IS NOT NULL`;
  return engine.query<Damage>(
    sql`WITH ${requested}
      SELECT ${integer(firstBlock)} AS first, ${integer(blockNumber)} AS last, 1 AS rows,
      concat('balance of ', ${hexText(sql`newest.wallet`)}, ' in ', ${hexText(sql`newest.token`)}) AS example
      FROM (${newest}) AS newest
      INNER JOIN requested ON requested.wallet = newest.wallet AND requested.token = newest.token
      LEFT JOIN (${sums}) AS sums ON sums.wallet = newest.wallet AND sums.token = newest.token
      WHERE requested.is_confirmed = 0 OR toInt256(assumeNotNull(newest.balance)) != requested.opening + sums.total
      ORDER BY newest.wallet, newest.token LIMIT ${integer(MAX_HOLDINGS)}`,
    QUERY_LIMITS,
  );
}
