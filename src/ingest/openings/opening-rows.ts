import type { Chain } from "../../chains/chain.ts";
import { integer, sql, text } from "../../engine-sql/sql-text.ts";
import { NULL_REASONS, type OpeningRow } from "../../schema/tables/opening-balances.ts";
import { completeOpenings, draftOpenings } from "../../storage/openings/apply-openings.ts";
import {
  holdingIn,
  type IndexedFrom,
  nextVersion,
  openingRows,
  selectOpenings,
  writeOpenings,
} from "../../storage/openings/stored-openings.ts";
import { dropDraft } from "../../storage/rows/amendment.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { type Holding, isWithin } from "../../storage/stored-balances.ts";
import type { JudgedRow } from "./judge-reading.ts";

/** Maximum number of holdings whose stored balances are recomputed in one change. */
const MAX_APPLIED = 2_000;

/** Stores rows that replace all earlier rows of the same holdings, even if the clock was set back. */
export async function storeOpenings(
  engine: Pick<Engine, "query" | "insert">,
  chain: string,
  rows: readonly JudgedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const version = await nextVersion(engine, chain);
  await writeOpenings(
    engine,
    chain,
    rows.map((row) => ({ ...row, version })),
  );
}

/** Returns the stored rows of some holdings. Holdings without a row are absent. */
export async function knownOpenings(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  holdings: readonly Holding[],
): Promise<Map<Holding, OpeningRow>> {
  if (holdings.length === 0) return new Map();
  const rows = await selectOpenings(engine, from, { where: isWithin(holdings), limit: holdings.length });
  return new Map(rows.map((row) => [holdingIn(row), row]));
}

/**
 * Reads the confirmed balances to check again: those last checked before a time (Unix seconds) and never
 * rechecked, and those of tokens for which another balance has been rejected since the last check.
 */
export function selectRechecks(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  { before, limit }: { before: number; limit: number },
): Promise<OpeningRow[]> {
  const rejections = sql`SELECT token_address, max(checked_at) AS at FROM ${openingRows(from)}
    WHERE status = 'rejected' AND reason = ${text(NULL_REASONS.notAsTransferred)} GROUP BY token_address`;
  const suspect = sql`SELECT confirmed.wallet_address, confirmed.token_address FROM ${openingRows(from)} AS confirmed
    INNER JOIN (${rejections}) AS rejections ON rejections.token_address = confirmed.token_address
    WHERE confirmed.status = 'confirmed' AND confirmed.checked_at <= rejections.at`;
  const where = sql`status = 'confirmed' AND is_applied = 1
    AND ((is_rechecked = 0 AND checked_at < ${integer(before)}) OR (wallet_address, token_address) IN (${suspect}))`;
  return selectOpenings(engine, from, { where, limit });
}

interface ApplyContext {
  chain: Chain;
  engine: Engine;
  store: Pick<ChainStore, "committed" | "amend">;
}

/** A prepared change of stored balances. */
export interface OpeningDraft {
  rows: readonly OpeningRow[];
  /** The newest commit when the draft was begun. */
  drafted: Commit;
}

/** Prepares a change of stored balances from judgements that are not applied yet; null if there are none. */
export async function draftStoredOpenings(
  { chain, engine, store }: ApplyContext,
  signal?: AbortSignal,
): Promise<OpeningDraft | null> {
  const drafted = await store.committed();
  if (drafted === null) return null;
  const { firstBlock, blockNumber } = drafted;
  const from = { chain: chain.name, firstBlock };
  const rows = await selectOpenings(engine, from, { where: sql`is_applied = 0`, limit: MAX_APPLIED });
  if (rows.length === 0) return null;
  const change = { chain, firstBlock, holdings: rows.map(holdingIn) };
  await draftOpenings(engine, change, { upTo: blockNumber, signal });
  return { rows, drafted };
}

/**
 * Applies judgements to the stored balances. They count as applied only after the commit that makes the
 * change visible, so an interrupted change is repeated. No judgement may be stored between the draft and this
 * call.
 *
 * @returns that commit; null if nothing was done, because drafted blocks have changed since
 */
export async function applyDraft(
  { rows, drafted }: OpeningDraft,
  { chain, engine, store }: ApplyContext,
): Promise<Commit | null> {
  const holdings = rows.map(holdingIn);
  try {
    const commit = await store.amend(({ firstBlock, blockNumber: upTo }, guarded) =>
      completeOpenings(guarded, { chain, firstBlock, holdings }, { drafted, upTo }),
    );
    if (commit === null) return null;
    const applied = rows.map(({ version: _, ...row }) => ({ ...row, is_applied: 1 }));
    await storeOpenings(engine, chain.name, applied);
    return commit;
  } finally {
    // If the draft was used, it has been renamed, and this drops nothing.
    await dropDraft(engine, chain.name).catch(() => undefined);
  }
}
