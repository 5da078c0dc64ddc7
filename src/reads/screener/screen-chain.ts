import type { Snapshot } from "../snapshot/snapshot.ts";
import { countWashed, readCandidates } from "./candidates.ts";
import { listRows, rowsOf, type ScreenRow, withFigures } from "./screen-list.ts";
import { type ScreenQuery, uses } from "./screen-query.ts";
import { StoredFacts } from "./stored-facts.ts";

/** The list of one chain. */
export interface ChainScreen {
  /** The first rows of the list, as many as the query reads. */
  rows: ScreenRow[];
  /** Number of rows in the whole list, which has at most `MAX_CANDIDATES`. */
  total: number;
  /**
   * Number of candidates that meet the filters but are left out: as spam, or because all of their trades are
   * wash trades.
   */
  hiddenSpam: number;
  hiddenWash: number;
  /** Whether there were more candidates than a list may have. */
  isLimited: boolean;
}

/** Reads the list of a chain: tokens or pools by their trades in the window before its newest block. */
export async function readScreen(snapshot: Snapshot, query: ScreenQuery): Promise<ChainScreen> {
  const [{ candidates, isLimited }, hiddenWash] = await Promise.all([
    readCandidates(snapshot, query),
    countWashed(snapshot, query),
  ]);
  const facts = new StoredFacts(snapshot, query);
  await facts.readListings(candidates.map(({ subject }) => subject));
  const known = rowsOf(snapshot.chain, query, candidates, facts);
  if (uses(query, "price_change_pct")) await facts.readChanges(known);
  if (uses(query, "liquidity_usd")) await facts.readLiquidity(known);
  const { rows, hiddenSpam } = listRows(query, known, facts);
  const first = rows.slice(0, query.rows);
  await Promise.all([facts.readChanges(first), facts.readLiquidity(first)]);
  return {
    rows: first.map((row) => withFigures(row, facts)),
    ...{ total: rows.length, hiddenSpam, hiddenWash, isLimited },
  };
}
