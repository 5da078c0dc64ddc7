import { type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import { SERVED_TABLES, type ServingState } from "../../serving/serving-state.ts";
import { isExchanging } from "../../storage/commits/commit-log.ts";
import type { Commit, CommitLog } from "../../storage/store.ts";
import { isSameCommit, requireUnchanged, retryOnReorg, snapshotAt } from "../snapshot/snapshot.ts";
import { readBlockRows } from "./block-rows.ts";
import type { FillSource } from "./fill-misses.ts";

/**
 * Maximum numbers of commits and blocks through which a state catches up. Beyond them it starts over with
 * everything unknown, which is quicker.
 */
export const MAX_COMMITS = 500;
export const MAX_BLOCKS = 500;

/**
 * Maximum number of rows per table: decoding this many takes a tenth of a second, during which no request is
 * answered.
 */
export const MAX_ROWS = 10_000;

/**
 * Brings a state to the newest commit of a chain that another process writes, by reading the rows of the new
 * blocks from the store. A state that is too far behind, or that knows blocks that were replaced, starts over
 * with everything unknown.
 *
 * @throws ReorganizedDuringRead, and whatever the reads throw; the state is then unchanged
 */
export function catchUp(source: FillSource, serving: ServingState, log: CommitLog): Promise<void> {
  return retryOnReorg(async () => {
    const known = serving.position;
    const commits = known === null ? [] : await log.from(known.sequence, MAX_COMMITS + 1, source.limits);
    const way = wayOver(known, commits);
    if (way === null || !(await advance(source, serving, way))) serving.startAt(await startOf(log));
  });
}

/** Returns the newest commit; null while nothing is indexed or the chain's tables are being exchanged. */
async function startOf(log: CommitLog): Promise<Commit | null> {
  const newest = await log.committed();
  return newest === null || isExchanging(newest) ? null : newest;
}

/** The commits from the known commit on, and the lowest of their block numbers. */
interface Way {
  commits: readonly Commit[];
  lowest: number;
}

/**
 * Returns the commits through which a state can follow; null if it cannot follow from the known commit.
 *
 * @param commits the known commit, if it is still stored, and the later commits
 */
export function wayOver(known: Commit | null, commits: readonly Commit[]): Way | null {
  const [first] = commits;
  const newest = commits.at(-1);
  if (known === null || first === undefined || newest === undefined || !isSameCommit(first, known))
    return null;
  const isReplaced = commits.some((commit, i) => commit.blockNumber === commits[i - 1]?.blockNumber);
  if (isReplaced || commits.length > MAX_COMMITS) return null;
  const lowest = Math.min(...commits.map(({ blockNumber }) => blockNumber));
  return newest.blockNumber - lowest > MAX_BLOCKS ? null : { commits, lowest };
}

/** Applies the commits to a state. Returns false if there are too many rows to read. */
async function advance(
  { reader, readable, limits }: FillSource,
  serving: ServingState,
  { commits, lowest }: Way,
): Promise<boolean> {
  const newest = commits.at(-1);
  if (newest === undefined || commits.length === 1) return true;
  const snapshot = snapshotAt(reader, readable, newest, limits);
  const rows =
    newest.blockNumber === lowest
      ? {}
      : await readBlockRows(snapshot, SERVED_TABLES, { above: lowest, maxRows: MAX_ROWS });
  if (rows === null) return false;
  await requireUnchanged(snapshot);
  replay(serving, commits, rows);
  return true;
}

/** Applies each commit as its writer did; rows of blocks that a later commit removed are left out. */
function replay(serving: ServingState, commits: readonly Commit[], rows: Rows): void {
  commits.slice(1).forEach((commit, i) => {
    const above = commits[i]?.blockNumber ?? 0;
    if (commit.blockNumber < above) serving.rolledBack(commit);
    else {
      const upTo = Math.min(...commits.slice(i + 1).map(({ blockNumber }) => blockNumber));
      serving.extended(commit, commits.length === 2 ? rows : rowsBetween(rows, above, upTo));
    }
  });
}

function rowsBetween(rows: Rows, above: number, upTo: number): Rows {
  const tables = Object.entries(rows).map(([name, all]: [string, Record<string, unknown>[]]) => {
    const { blockColumn } = tableOf(name as TableName);
    const isBetween = (block: unknown) => typeof block === "number" && block > above && block <= upTo;
    return [name, all.filter((row) => isBetween(row[blockColumn]))];
  });
  return Object.fromEntries(tables) as Rows;
}
