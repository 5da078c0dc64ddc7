import type { Hex } from "../lib/hex.ts";
import { integer, join, type Sql, sql, text } from "../lib/sql-text.ts";
import { newestSeal, priceStates, summaryTable } from "../storage/price-summary.ts";
import { overtaken, type Snapshot } from "./snapshot.ts";
import { ofTokens } from "./trade-conditions.ts";
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
  const among = ofTokens(tokens);
  const above = sealed === null ? sql`1` : sql`block_number > ${integer(sealed)}`;
  const newer = sql`${among} AND ${above} AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
  const parts = [priceStates(name, priceType, newer)];
  if (sealed !== null) {
    parts.push(sql`SELECT token_address, opened, highest, lowest, closed FROM ${summaryTable(name)}
      WHERE price_type = ${text(priceType)} AND ${among}`);
  }
  const merged = join(states.map((state) => MERGED[state]));
  const rows = await snapshot.query<R>(sql`SELECT ${select} FROM (SELECT token_address, ${merged}
    FROM (${join(parts, " UNION ALL ")}) AS parts GROUP BY token_address)`);
  await requireSeal(snapshot);
  return rows;
}

/** A summary that may hold trades above the snapshot's block belongs to a newer commit: then that is asked. */
async function requireSeal(snapshot: Snapshot): Promise<number | null> {
  const { done, begun } = await newestSeal(snapshot, snapshot.chain.name);
  if (begun !== null && begun > snapshot.commit.blockNumber) throw overtaken(snapshot);
  return done;
}
