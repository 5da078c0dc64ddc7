import { balancerV3Vaults, type Chain, scopeOf } from "../../chains/chain.ts";
import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { ROW_COUNTS } from "../../schema/tables.ts";
import type { KeyedCache } from "../../serving/cache/keyed-cache.ts";
import { type PartName, partEntries } from "../../serving/parts.ts";
import { ServingState } from "../../serving/serving-state.ts";
import { chainCommits, readableCommit } from "../../storage/commits/commit-log.ts";
import type { Commit } from "../../storage/store.ts";
import { newestCheckpoint } from "../../storage/summaries/price-summary.ts";
import { type QueryLimits, type Reader, type Snapshot, snapshotAt } from "../snapshot/snapshot.ts";
import { checkWindow } from "./check-window.ts";
import type { FillSource } from "./fill-misses.ts";
import { FILLERS, type Filler } from "./fillers.ts";
import { catchUp, MAX_BLOCKS, MAX_COMMITS, MAX_ROWS, wayOver } from "./follow-commits.ts";
import { loadWindow } from "./load-window.ts";
import { sampleKeys } from "./sample-keys.ts";
import { checkServing, type Mismatch } from "./self-check.ts";

/** Memory for the sample, and for about 170,000 of the newest trades. */
const STATE_BYTES = 64 * 2 ** 20;

/** The differences between the store and a state that has followed the commits since `start`. */
export interface Followed {
  start: Commit;
  mismatches: Mismatch[];
}

/**
 * Fills part of a serving state as of an earlier commit, lets it follow the later commits, as `quarry serve`
 * does, and compares it with the store as of the newest commit. Returns null if nothing is stored.
 *
 * @throws ReorganizedDuringRead if rows contradict each other, and whatever the statements throw
 */
export async function checkFollowing(
  { engine }: Pick<Reader, "engine">,
  chain: Chain,
  limits: QueryLimits,
): Promise<Followed | null> {
  const log = chainCommits(engine, chain.name);
  const newest = await readableCommit(log);
  if (newest === null) return null;
  const serving = new ServingState(STATE_BYTES, scopeOf(chain), balancerV3Vaults(chain));
  const readable = { chain, store: log, serving };
  const source = { reader: { engine, chains: [readable] }, readable, limits };
  const snapshot = snapshotAt(source.reader, readable, newest, limits);
  const commits = await log.from(newest.sequence - MAX_COMMITS + 1, MAX_COMMITS, limits);
  const start = earliestOf(commits, await lowestReadable(snapshot)) ?? newest;
  const keys = await sampleKeys(snapshot, start);
  serving.startAt(start);
  await load(source, serving, keys);
  await catchUp(source, serving, log);
  // Loads the values that became unknown while the state followed the commits.
  await load(source, serving, keys);
  const different = await checkServing(source.reader, readable, limits, Number.POSITIVE_INFINITY);
  return { start, mismatches: [...different, ...(await checkWindow(source, serving, STATE_BYTES))] };
}

/**
 * Returns the earliest commit whose blocks are all still on the chain and that is followed by few enough
 * blocks to read.
 */
function earliestOf(commits: readonly Commit[], lowestBlock: number): Commit | undefined {
  return commits.find((commit, i) => {
    const way = wayOver(commit, commits.slice(i));
    return way?.lowest === commit.blockNumber && commit.blockNumber >= lowestBlock;
  });
}

/**
 * Returns the lowest block from which a state can follow: above it, no table has more rows than are read at
 * once, and the price summary has no trades. Reads as of earlier commits must not use a summary of later
 * trades.
 */
async function lowestReadable({ chain, commit: newest, query, table }: Snapshot): Promise<number> {
  const { started } = await newestCheckpoint({ query }, chain.name);
  const counts = [...new Set(Object.values(ROW_COUNTS))].map(
    (column): Sql => sql`sum(${identifier(column)}) OVER w`,
  );
  const [found] = await query<{ block: number }>(
    sql`SELECT min(block) AS block FROM (SELECT block_number AS block, greatest(${join(counts)}) AS rows
      FROM ${table("blocks")} WHERE block_number <= ${integer(newest.blockNumber)}
      AND block_number > ${integer(Math.max(0, newest.blockNumber - MAX_BLOCKS))}
      WINDOW w AS (ORDER BY block_number DESC)) WHERE rows <= ${integer(MAX_ROWS)} HAVING count() > 0`,
  );
  return Math.max(started ?? 0, found === undefined ? newest.blockNumber : found.block - 1);
}

/** Loads the newest trades, and the keys that are unknown, as of the state's commit. */
async function load(
  { reader, readable, limits }: FillSource,
  serving: ServingState,
  keys: Record<PartName, string[]>,
): Promise<void> {
  await loadWindow(reader, readable, limits);
  const { commit } = serving;
  if (commit === null) return;
  const snapshot = snapshotAt(reader, readable, commit, limits);
  const fill = async (part: PartName, cache: KeyedCache<unknown>) => {
    if (part === "basePrices" && serving.window.rows === null) return;
    const unknown = keys[part].filter((key) => cache.get(key) === undefined);
    if (unknown.length === 0) return;
    const values = await (FILLERS[part] as Filler<unknown>)(snapshot, unknown, serving);
    if (values !== null) cache.startFill(unknown).complete(values, commit.blockNumber);
  };
  await Promise.all(partEntries(serving.parts).map(([part, cache]) => fill(part, cache)));
}
