import { hexBytes, hexText, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { POOL_FAMILIES, POOL_FAMILY_NAMES } from "../../schema/pool-families.ts";
import type { OpeningMode } from "../../schema/tables/opening-balances.ts";
import type { Engine } from "../store.ts";
import { type Holding, tokenOf, walletOf } from "../stored-balances.ts";
import { engineTable } from "../tables/ddl.ts";
import { type IndexedFrom, openingRows } from "./stored-openings.ts";

export interface CandidateQuery extends IndexedFrom {
  mode: Exclude<OpeningMode, "none">;
  /** Newest block whose rows are read. */
  upTo: number;
  /** Continues after this holding; null: starts at the first. */
  after: Holding | null;
  limit: number;
}

/**
 * Returns, in order, the holdings whose balance is unknown because transfers before the first block are
 * missing, and for which a reading would help: those not read yet, and those whose last reading reported no
 * balance or was followed by transfers.
 */
export async function findCandidates(
  engine: Pick<Engine, "query">,
  query: CandidateQuery,
): Promise<Holding[]> {
  const { chain, upTo, after, limit } = query;
  const last = (value: Sql) => sql`tupleElement(argMax(tuple(${value}), record_index), 1)`;
  const first = sql`tupleElement(argMin(tuple(balance_base), record_index), 1)`;
  const unknown = sql`SELECT wallet_address AS wallet, token_address AS token, max(block_number) AS changed
    FROM ${engineTable(chain, "token_balances")} WHERE block_number <= ${integer(upTo)}
    AND ${after === null ? sql`1` : isAfter(after)} AND ${isWanted(query)}
    GROUP BY wallet_address, token_address HAVING ${last(sql`balance_base`)} IS NULL AND ${first} IS NULL`;
  const known = sql`SELECT wallet_address AS wallet, token_address AS token, status, observed_block, observed_base,
    1 AS is_known FROM ${openingRows(query)}`;
  const rows = await engine.query<{ holding: Holding }>(
    sql`SELECT ${hexText(sql`unknown.wallet`, sql`unknown.token`)} AS holding FROM (${unknown}) AS unknown
      LEFT JOIN (${known}) AS known ON known.wallet = unknown.wallet AND known.token = unknown.token
      WHERE known.is_known = 0 OR (known.status = 'waiting'
        AND (known.observed_base IS NULL OR unknown.changed > known.observed_block))
      ORDER BY unknown.wallet, unknown.token LIMIT ${integer(limit)}
      SETTINGS optimize_aggregation_in_order = 1`,
  );
  return rows.map(({ holding }) => holding);
}

function isAfter(holding: Holding): Sql {
  return sql`(wallet_address, token_address) > (toFixedString(${hexBytes(walletOf(holding))}, 20),
    toFixedString(${hexBytes(tokenOf(holding))}, 20))`;
}

/**
 * Prints the condition for the holdings that the mode includes. It leaves out pools that were created in
 * indexed blocks and, unless the mode is `pools`, also tokens that were created there. Their balances are
 * unknown only if they change by means other than transfers.
 */
function isWanted({ chain, mode }: CandidateQuery): Sql {
  const pools = engineTable(chain, "pool_metadata");
  if (mode === "pools") return sql`(wallet_address, token_address) IN (${poolHoldings(pools)})`;
  return sql`token_address NOT IN (SELECT token_address FROM ${engineTable(chain, "token_metadata")} WHERE is_born = 1)
    AND wallet_address NOT IN (SELECT toFixedString(pool_address, 20) FROM ${pools}
      WHERE length(pool_address) = 20 AND block_number_created IS NOT NULL)`;
}

/**
 * Families whose pools hold their own tokens. Only for these is the contract's balance also the pool's
 * balance.
 */
const HOLDERS = join(POOL_FAMILY_NAMES.filter((family) => POOL_FAMILIES[family].holdsTokens).map(text));

function poolHoldings(pools: Sql): Sql {
  return sql`SELECT toFixedString(pool_address, 20), toFixedString(unhex(substring(token, 3)), 20)
    FROM (SELECT pool_address, arrayJoin(splitByChar(',', token_addresses)) AS token FROM ${pools}
      WHERE length(pool_address) = 20 AND block_number_created IS NULL AND family IN (${HOLDERS}))
    WHERE length(token) = 42`;
}
