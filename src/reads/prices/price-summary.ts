import { hexBytes, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import {
  EXTREME_COLUMNS,
  extremeCandidates,
  extremePrices,
  HIGHEST_RANK,
  type PriceExtreme,
} from "../../storage/summaries/price-extremes.ts";
import type { Checkpoint } from "../../storage/summaries/price-summary.ts";
import { ALL_POOLS, firstTradesTable, summaryTable } from "../../storage/tables/summary-tables.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { IN_TOKEN_LIST_UNINDEXED, ofTokens, TOKEN_LIST, withTokenList } from "../trades/trade-conditions.ts";

interface SummaryQuery {
  tokens: readonly Hex[];
  priceType: TradePrice;
  extremes: readonly PriceExtreme[];
  /** Columns of the result, computed from those of `extremePrices`. */
  select: Sql;
}

/**
 * Reads extreme trades in the whole history of tokens, across all pools: from the summary up to the
 * checkpoint, and from the trades after it. Returns one row for each extreme of each token that has a price.
 */
export async function readSummary<R>(snapshot: Snapshot, query: SummaryQuery): Promise<R[]> {
  const { tokens, priceType, extremes, select } = query;
  const { name: chain } = snapshot.chain;
  const checkpoint = await requireCheckpoint(snapshot);
  const known = sql`block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const of = { chain, priceType, extremes };
  const parts =
    checkpoint.complete === null
      ? [extremePrices({ ...of, condition: sql`${ofTokens(TOKEN_LIST)} AND ${known}` })]
      : [
          extremeCandidates({
            ...of,
            condition: sql`block_number > ${integer(checkpoint.complete)} AND ${known} AND ${IN_TOKEN_LIST_UNINDEXED}`,
          }),
          sql`SELECT ${EXTREME_COLUMNS} FROM ${summaryTable(chain)} WHERE price_type = ${text(priceType)}
            AND extreme IN (${join(extremes.map(text))}) AND ${ofTokens(TOKEN_LIST)}`,
        ];
  return snapshot.query<R>(sql`${withTokenList(tokens)} SELECT ${select}
    FROM (${join(parts, " UNION ALL ")}) ${HIGHEST_RANK}`);
}

/**
 * Reads the time of a token's first trade that has a price, across all pools, unix seconds; null if there is
 * none.
 */
export async function readFirstPricedOfToken(
  snapshot: Snapshot,
  token: Hex,
  priceType: TradePrice,
): Promise<number | null> {
  const [opened] = await readSummary<{ at: number }>(snapshot, {
    tokens: [token],
    priceType,
    extremes: ["opened"],
    select: sql`toUnixTimestamp(traded_at) AS at`,
  });
  return opened?.at ?? null;
}

/**
 * Reads the time of a token's first trade up to the checkpoint `upTo`, in one pool or in all pools, unix
 * seconds; null if there is no such trade, or no checkpoint.
 */
export async function readSummarizedFirstTrade(
  snapshot: Snapshot,
  token: Hex,
  pool: Hex | "all",
): Promise<{ first: number | null; upTo: number | null }> {
  const { complete: upTo } = await requireCheckpoint(snapshot);
  if (upTo === null) return { first: null, upTo };
  const [found] = await snapshot.query<{ first: number | null }>(
    sql`SELECT toUnixTimestamp(minOrNull(traded_at)) AS first FROM ${firstTradesTable(snapshot.chain.name)}
      WHERE ${ofTokens(token)} AND pool_address = ${pool === "all" ? ALL_POOLS : hexBytes(pool)}`,
  );
  return { first: found?.first ?? null, upTo };
}

/**
 * Returns the checkpoint of the summary, which shows the blocks that the summary covers. Must be called
 * before the summary is read; `readSnapshot` confirms the checkpoint at the end.
 *
 * @throws ReorganizedDuringRead if the summary may hold trades above the snapshot's block, so that the query
 * restarts at a newer commit
 */
export async function requireCheckpoint(snapshot: Snapshot): Promise<Checkpoint> {
  const checkpoint = await snapshot.checkpoint.read();
  if (checkpoint === null) throw outdated(snapshot);
  return checkpoint;
}
