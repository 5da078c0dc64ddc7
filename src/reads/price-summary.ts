import type { Hex } from "../lib/hex.ts";
import { hexBytes, integer, join, type Sql, sql, text } from "../lib/sql-text.ts";
import {
  ALL_POOLS,
  firstTradesTable,
  newestSeal,
  priceStates,
  summaryTable,
} from "../storage/price-summary.ts";
import { overtaken, type Snapshot } from "./snapshot.ts";
import { ASKED, askedTokens, ofTokens } from "./trade-conditions.ts";
import type { TradePrice } from "./trade-price.ts";

/** The first, highest, lowest and last trade with a price; of equal prices the first. */
export type SummaryState = "opened" | "highest" | "lowest" | "closed";

interface SummaryQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
  states: readonly SummaryState[];
  /** Columns of the answer, made of `token_address` and the merged states, tuples named like them. */
  select: Sql;
}

const MERGED: Record<SummaryState, Sql> = {
  opened: sql`argMinMerge(parts.opened) AS opened`,
  highest: sql`argMaxMerge(parts.highest) AS highest`,
  lowest: sql`argMinMerge(parts.lowest) AS lowest`,
  closed: sql`argMaxMerge(parts.closed) AS closed`,
};

/**
 * Asks about trades that stand out in the whole history of tokens, over all pools: the sealed ones come out of the
 * summary, the newer ones out of the trades. Tokens without a price are left out.
 */
export async function readSummary<R>(snapshot: Snapshot, question: SummaryQuestion): Promise<R[]> {
  const { tokens, priceType, states, select } = question;
  const { name } = snapshot.chain;
  const sealed = await requireSeal(snapshot);
  const among = ofTokens(ASKED);
  const above = sealed === null ? sql`1` : sql`block_number > ${integer(sealed)}`;
  const newer = sql`${among} AND ${above} AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const parts = [priceStates(name, priceType, newer)];
  if (sealed !== null) {
    parts.push(sql`SELECT token_address, opened, highest, lowest, closed FROM ${summaryTable(name)}
      WHERE price_type = ${text(priceType)} AND ${among}`);
  }
  const merged = join(states.map((state) => MERGED[state]));
  const rows =
    await snapshot.query<R>(sql`${askedTokens(tokens)} SELECT ${select} FROM (SELECT token_address, ${merged}
    FROM (${join(parts, " UNION ALL ")}) AS parts GROUP BY token_address)`);
  await requireSeal(snapshot);
  return rows;
}

/** When a token was first traded, unix seconds, among the sealed trades; null when it was not. And up to which block these go. */
export async function readSealedFirstTrade(
  snapshot: Snapshot,
  { token, pool }: { token: Hex; pool: Hex | "all" },
): Promise<{ first: number | null; upTo: number | null }> {
  const upTo = await requireSeal(snapshot);
  if (upTo === null) return { first: null, upTo };
  const [found] = await snapshot.query<{ first: number | null }>(
    sql`SELECT toUnixTimestamp(minOrNull(traded_at)) AS first FROM ${firstTradesTable(snapshot.chain.name)}
      WHERE ${ofTokens(token)} AND pool_address = ${pool === "all" ? ALL_POOLS : hexBytes(pool)}`,
  );
  await requireSeal(snapshot);
  return { first: found?.first ?? null, upTo };
}

/**
 * The block up to which the summary holds all trades; null: it holds nothing that may be used. To be asked before
 * and after the summary is read.
 *
 * @throws ReorganizedMeanwhile when it may hold trades above the snapshot's block: then a newer commit is to be asked
 */
export async function requireSeal(snapshot: Snapshot): Promise<number | null> {
  const { done, begun } = await newestSeal(snapshot, snapshot.chain.name);
  if (begun !== null && begun > snapshot.commit.blockNumber) throw overtaken(snapshot);
  return done;
}
