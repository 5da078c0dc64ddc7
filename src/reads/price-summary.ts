import type { Hex } from "../lib/hex.ts";
import { hexBytesArray, integer, join, type Sql, sql, text } from "../lib/sql-text.ts";
import { newestSeal, priceStates, summaryTable } from "../storage/price-summary.ts";
import { overtaken, type Snapshot } from "./snapshot.ts";
import type { TradePrice } from "./trade-price.ts";

interface SummaryQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
  /** Which of a token's trades are wanted. */
  states: readonly SummaryState[];
}

/** The first, highest, lowest and last trade with a price; of equal prices the first. */
export type SummaryState = "opened" | "highest" | "lowest" | "closed";

/** A trade as the summary holds it. */
export interface SummaryTrade {
  priceUsd: number;
  /** Unix seconds. */
  tradedAt: number;
  transactionHash: Hex;
}

const MERGE: Record<SummaryState, Sql> = {
  opened: sql`argMinMerge(opened)`,
  highest: sql`argMaxMerge(highest)`,
  lowest: sql`argMinMerge(lowest)`,
  closed: sql`argMaxMerge(closed)`,
};

/**
 * Each token's first, highest, lowest or last trades over all pools and all time: the sealed ones out of the
 * summary, the newer ones out of the trades. Tokens without a price are left out.
 */
export async function readSummary<R>(
  snapshot: Snapshot,
  question: SummaryQuestion,
  select: (state: SummaryState) => Sql,
): Promise<R[]> {
  const { chain, commit } = snapshot;
  const seal = await requireSeal(snapshot);
  const tokens = hexBytesArray(question.tokens, 20);
  const among = sql`token_address IN (SELECT arrayJoin(${tokens}))`;
  const above = seal === null ? sql`1` : sql`block_number > ${integer(seal)}`;
  const newer = sql`${among} AND ${above} AND block_number <= ${integer(commit.blockNumber)}`;
  const parts = [priceStates(chain.name, question.priceType, newer)];
  if (seal !== null) {
    parts.push(sql`SELECT token_address, price_type, opened, highest, lowest, closed FROM ${summaryTable(chain.name)}
      WHERE price_type = ${text(question.priceType)} AND ${among}`);
  }
  const merged = question.states.map((state) => sql`${MERGE[state]} AS ${state as Sql}_trade`);
  const rows = await snapshot.query<R>(sql`SELECT concat('0x', lower(hex(token_address))) AS tokenAddress,
    ${join(question.states.map(select))}
    FROM (SELECT token_address, ${join(merged)} FROM (${join(parts, " UNION ALL ")}) GROUP BY token_address)`);
  await requireSeal(snapshot);
  return rows;
}

/** A summary that may hold trades above the snapshot's block belongs to a newer commit: then that is asked. */
async function requireSeal(snapshot: Snapshot): Promise<number | null> {
  const { done, begun } = await newestSeal(snapshot, snapshot.chain.name);
  if (begun !== null && begun > snapshot.commit.blockNumber) throw overtaken(snapshot);
  return done;
}
