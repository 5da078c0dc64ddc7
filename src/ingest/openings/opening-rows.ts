import type { Chain } from "../../chains/chain.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { OpeningRow } from "../../schema/opening-balances.ts";
import { isWithin, prepareOpenings } from "../../storage/openings/apply-openings.ts";
import {
  holdingIn,
  type IndexedFrom,
  selectOpenings,
  writeOpenings,
} from "../../storage/openings/stored-openings.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import type { Holding } from "../../storage/stored-balances.ts";
import type { JudgedRow } from "./judge-reading.ts";

/** Holdings whose stored balances one change computes again. */
const MAX_APPLIED = 2_000;

let lastVersion = 0;

/** Numbers rows so that they replace all earlier ones, whatever the clock does. */
export function numbered(rows: readonly JudgedRow[], clock: Clock): OpeningRow[] {
  const version = Math.max(Math.floor(clock.now() * 1_000), lastVersion + 1);
  lastVersion = version;
  return rows.map((row) => ({ ...row, version }));
}

/** Reads what is known of some holdings. */
export async function knownOpenings(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  holdings: readonly Holding[],
): Promise<Map<Holding, OpeningRow>> {
  if (holdings.length === 0) return new Map();
  const rows = await selectOpenings(engine, from, { where: isWithin(holdings), limit: holdings.length });
  return new Map(rows.map((row) => [holdingIn(row), row]));
}

/** Reads confirmed balances that were not checked again since a time, in unix seconds. */
export function selectRechecks(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  { before, limit }: { before: number; limit: number },
): Promise<OpeningRow[]> {
  const where = sql`status = 'confirmed' AND is_rechecked = 0 AND is_applied = 1 AND checked_at < ${integer(before)}`;
  return selectOpenings(engine, from, { where, limit });
}

interface ApplyContext {
  chain: Chain;
  engine: Engine;
  store: Pick<ChainStore, "committed" | "amend">;
}

/**
 * Puts judgements into the stored balances. They count as applied only after the commit that shows it, so an
 * interruption repeats the change.
 *
 * @returns null if there was nothing to change
 */
export async function applyStoredOpenings(
  { chain, engine, store }: ApplyContext,
  clock: Clock,
): Promise<Commit | null> {
  const newest = await store.committed();
  if (newest === null) return null;
  const from = { chain: chain.name, firstBlock: newest.firstBlock };
  const rows = await selectOpenings(engine, from, { where: sql`is_applied = 0`, limit: MAX_APPLIED });
  if (rows.length === 0) return null;
  const commit = await store.amend(({ firstBlock, blockNumber: upTo }) =>
    prepareOpenings(engine, { chain, firstBlock, upTo }, rows.map(holdingIn)),
  );
  const applied = rows.map(({ version: _, ...row }) => ({ ...row, is_applied: 1 }));
  await writeOpenings(engine, chain.name, numbered(applied, clock));
  return commit;
}
