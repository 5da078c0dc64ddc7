import { integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { MAX_SUMMED } from "../../schema/tables/opening-balances.ts";
import { type SnapshotCommit, wasRewritten } from "../commits/commit-log.ts";
import { type Amendment, completeAmendment, draftAmendment } from "../rows/amendment.ts";
import type { Engine } from "../store.ts";
import { type Holding, isWithin } from "../stored-balances.ts";
import { engineTable } from "../tables/ddl.ts";
import { type IndexedFrom, openingRows } from "./stored-openings.ts";
import { REQUESTED, requestedChanges, requestedHoldings, type SummedChain } from "./transfer-sums.ts";

/** The holdings whose stored balances change, and the index that has them. */
export interface OpeningChange {
  chain: SummedChain;
  firstBlock: number;
  holdings: readonly Holding[];
}

/**
 * Computes the stored balances of some holdings again, up to a block, from the balance before the first block
 * and the stored transfers. If the balance before the first block is not confirmed, the balances of the
 * holding become null. The result is a draft, which readers do not see; further blocks may be committed in
 * the meantime.
 */
export function draftOpenings(
  engine: Engine,
  change: OpeningChange,
  { upTo, signal }: { upTo: number; signal?: AbortSignal | undefined },
): Promise<void> {
  return draftAmendment(engine, amendmentOf(change, upTo), { upTo, signal });
}

/**
 * Completes a draft with the blocks that were committed since. No block may be committed while it runs.
 *
 * @param drafted the newest commit when the draft was begun
 * @param upTo the newest committed block
 * @returns the step that replaces the rows; null if drafted blocks were rolled back or replaced since
 */
export async function completeOpenings(
  engine: Engine,
  change: OpeningChange,
  { drafted, upTo }: { drafted: SnapshotCommit; upTo: number },
): Promise<(() => Promise<void>) | null> {
  if (await wasRewritten(engine, change.chain.name, drafted)) return null;
  return completeAmendment(engine, amendmentOf(change, upTo), drafted.blockNumber);
}

function amendmentOf({ chain, firstBlock, holdings }: OpeningChange, upTo: number): Amendment {
  const requested = requestedHoldings(holdings.map((holding) => ({ holding, base: 0 })));
  const from = { chain: chain.name, firstBlock };
  const changed = (table: Sql, where: Sql) =>
    sql`WITH ${requested} ${balancesAgain({ chain, from, upTo }, sql`FROM ${table} WHERE ${where}`)}`;
  return { chain: chain.name, isChanged: isWithin(holdings), changed };
}

interface AgainQuery {
  chain: SummedChain;
  from: IndexedFrom;
  upTo: number;
}

/**
 * Prints the query for the rows that `token_balances` has for the holdings in `requested`, with the balances
 * computed again. A decimal text is parsed as the nearest double, as in `toUnits()`.
 */
function balancesAgain({ chain, from, upTo }: AgainQuery, rows: Sql): Sql {
  const stored = sql`SELECT wallet_address AS wallet, token_address AS token, block_number AS block,
    token_symbol AS symbol, timestamp AS time, record_index AS position, toInt256(0) AS change, toUInt256(0) AS largest, 1 AS is_row
    ${rows} AND (wallet_address, token_address) IN ${REQUESTED}`;
  const moved = sql`SELECT wallet, token, block, CAST(NULL AS Nullable(String)) AS symbol,
    toDateTime(0, 'UTC') AS time, toUInt64(0) AS position, change, largest, 0 AS is_row
    FROM (${requestedChanges(chain, upTo)})`;
  const blocks = sql`SELECT wallet, token, block, any(symbol) AS symbol, max(time) AS time, max(position) AS position,
    sum(change) AS change, max(largest) AS largest, max(is_row) AS is_row FROM (${stored} UNION ALL ${moved}) GROUP BY wallet, token, block`;
  const running = sql`SELECT *, sum(change) OVER w AS running, max(largest) OVER w AS largest_so_far FROM (${blocks})
    WINDOW w AS (PARTITION BY wallet, token ORDER BY block)`;
  const openings = sql`SELECT wallet_address AS wallet, token_address AS token,
    if(status = ${text("confirmed")}, toInt256(balance_base), NULL) AS opening FROM ${openingRows(from)}
    WHERE (wallet_address, token_address) IN ${REQUESTED}`;
  const decimals = sql`SELECT token_address AS token, any(decimals) AS decimals
    FROM ${engineTable(chain.name, "token_metadata")} WHERE token_address IN (SELECT token FROM requested)
    AND first_seen_block_number <= ${integer(upTo)} GROUP BY token`;
  const known = sql`SELECT history.*, openings.opening + history.running AS total,
    min(total) OVER w AS lowest
    FROM (${running}) AS history
    LEFT JOIN (${openings}) AS openings ON openings.wallet = history.wallet AND openings.token = history.token
    WINDOW w AS (PARTITION BY history.wallet, history.token ORDER BY history.block)`;
  // Once a sum cannot be a balance, all later balances are also unknown, as they are during indexing.
  const isBalance = sql`history.lowest >= 0 AND history.largest_so_far < toUInt256(${text(String(MAX_SUMMED))})`;
  const balance = sql`if(${isBalance}, toUInt256(history.total), NULL)`;
  return sql`SELECT history.wallet AS wallet_address, history.token AS token_address, history.symbol AS token_symbol,
    ${balance} AS balance_base, toFloat64(concat(toString(${balance}), 'e-', toString(decimals.decimals))) AS balance_token,
    history.block AS block_number, history.time AS timestamp, history.position AS record_index
    FROM (${known}) AS history
    LEFT JOIN (${decimals}) AS decimals ON decimals.token = history.token
    WHERE history.is_row = 1`;
}
