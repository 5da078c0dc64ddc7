import { hexBytes, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import {
  EXTREME_COLUMNS,
  extremeCandidates,
  extremePrices,
  HIGHEST_RANK,
  type PriceExtreme,
} from "../../storage/summaries/price-extremes.ts";
import type { Checkpoint } from "../../storage/summaries/price-summary.ts";
import { ALL_POOLS, firstTradesTable, summaryTable } from "../../storage/tables/summary-tables.ts";
import { overtaken, type Snapshot } from "../snapshot/snapshot.ts";
import { ASKED, askedTokens, FEW_OF_ASKED, ofTokens } from "../trades/trade-conditions.ts";
import type { TradePrice } from "../trades/trade-price.ts";

interface SummaryQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
  extremes: readonly PriceExtreme[];
  /** Columns of the answer, made of those of `extremePrices`. */
  select: Sql;
}

/**
 * Asks about trades that stand out in the whole history of tokens, over all pools: the sealed ones come out of the
 * summary, the newer ones out of the trades. A row for each token that has a price and each extreme.
 */
export async function readSummary<R>(snapshot: Snapshot, question: SummaryQuestion): Promise<R[]> {
  const { tokens, priceType, extremes, select } = question;
  const { name: chain } = snapshot.chain;
  const seal = await requireSeal(snapshot);
  const known = sql`block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const of = { chain, priceType, extremes };
  const parts =
    seal.complete === null
      ? [extremePrices({ ...of, condition: sql`${ofTokens(ASKED)} AND ${known}` })]
      : [
          extremeCandidates({
            ...of,
            condition: sql`block_number > ${integer(seal.complete)} AND ${known} AND ${FEW_OF_ASKED}`,
          }),
          sql`SELECT ${EXTREME_COLUMNS} FROM ${summaryTable(chain)} WHERE price_type = ${text(priceType)}
            AND extreme IN (${join(extremes.map(text))}) AND ${ofTokens(ASKED)}`,
        ];
  return snapshot.query<R>(sql`${askedTokens(tokens)} SELECT ${select}
    FROM (${join(parts, " UNION ALL ")}) ${HIGHEST_RANK}`);
}

/** When a token was first traded, unix seconds, among the sealed trades; null when it was not. And up to which block these go. */
export async function readSealedFirstTrade(
  snapshot: Snapshot,
  { token, pool }: { token: Hex; pool: Hex | "all" },
): Promise<{ first: number | null; upTo: number | null }> {
  const { complete: upTo } = await requireSeal(snapshot);
  if (upTo === null) return { first: null, upTo };
  const [found] = await snapshot.query<{ first: number | null }>(
    sql`SELECT toUnixTimestamp(minOrNull(traded_at)) AS first FROM ${firstTradesTable(snapshot.chain.name)}
      WHERE ${ofTokens(token)} AND pool_address = ${pool === "all" ? ALL_POOLS : hexBytes(pool)}`,
  );
  return { first: found?.first ?? null, upTo };
}

/**
 * How far the summary goes. To be asked before it is read; what was read is confirmed with the whole answer.
 *
 * @throws ReorganizedMeanwhile when it may hold trades above the snapshot's block: then a newer commit is to be asked
 */
export async function requireSeal(snapshot: Snapshot): Promise<Checkpoint> {
  const seal = await snapshot.seal.read();
  if (seal === null) throw overtaken(snapshot);
  return seal;
}
