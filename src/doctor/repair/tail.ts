import type { Chain } from "../../chains/chain.ts";
import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { countedFrom, EVERYTHING, type StoredScope } from "../../schema/scope.ts";
import { COUNTED_TABLES, ROW_COUNTS, tableOf } from "../../schema/tables.ts";
import { storedForm } from "../../storage/commits/chain-registry.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { commitsTable, engineTable } from "../../storage/tables/ddl.ts";
import { type Chunk, chunksOf, exceedsLimits, halvesOf } from "../check/chunks.ts";
import type { BlockSpan } from "../invariant.ts";
import { rollbackChain } from "./rollback-chain.ts";

/**
 * Age from which a commit is safe from a power loss. The operating system normally writes data to disk within
 * about 30 seconds (Linux: vm.dirty_expire_centisecs), and takes longer only if the disk is very slow.
 */
export const UNSAFE_SECONDS = 5 * 60;

/**
 * Number of the newest commits that are checked regardless of their times: if the clock was set forward, a
 * commit may be seconds old although it seems older. While old blocks are indexed, this is about half a
 * minute's commits.
 */
const UNSAFE_COMMITS = 100;

/** Limits of the check. Most of its time is spent on reading two numbers from each of the newest rows. */
const TAIL_LIMITS = { memoryBytes: 2 * 1024 ** 3, timeoutMs: 60_000 };

export interface TailOptions {
  /** Default: everything is stored. */
  scope?: StoredScope;
  /** Number of the newest commits that are checked regardless of their times; default: `UNSAFE_COMMITS`. */
  commits?: number;
}

export interface CheckedTail {
  /** The first damaged block; null: no checked block is damaged. */
  damaged: number | null;
  /** Blocks that the limits left unchecked; null: none. */
  unchecked: BlockSpan | null;
}

/**
 * Finds the first damaged block among the blocks that a power loss may have damaged: the blocks of the newest
 * commits, and of all commits within five minutes before the newest one. A block is damaged if `blocks` does
 * not have exactly one row for it, or if a table does not hold the number of rows that this row states.
 * Checks the newest blocks first, as far as the limits allow.
 */
export async function checkTail(
  engine: Engine,
  chain: string,
  commit: Commit,
  { scope = EVERYTHING, commits = UNSAFE_COMMITS }: TailOptions = {},
): Promise<CheckedTail> {
  const first = await firstUnsafe(engine, { chain, commit, commits });
  if (first > commit.blockNumber) return { damaged: null, unchecked: null };
  const deadlineMs = systemClock.monotonic() + TAIL_LIMITS.timeoutMs;
  const since = await timeOf(engine, chain, first);
  const find = async (chunk: Chunk): Promise<number | null> => {
    const timeoutMs = Math.max(1, deadlineMs - systemClock.monotonic());
    const tail = { ...chunk, since: Math.max(since, earliestIn(chunk)) };
    const query = damagedQuery(chain, tail, scope);
    const [found] = await engine.query<{ damaged: number | null }>(query, { ...TAIL_LIMITS, timeoutMs });
    return found?.damaged ?? null;
  };
  const chunks = await chunksOf(engine, chain, { first, last: commit.blockNumber });
  let damaged: number | null = null;
  for (const chunk of chunks.reverse()) {
    const checked = await checkChunk(chunk, find);
    damaged = checked.damaged ?? damaged;
    if (checked.unchecked !== null) return { damaged, unchecked: { first, last: checked.unchecked.last } };
  }
  return { damaged, unchecked: null };
}

/** Checks a chunk or, if that exceeds the limits, its halves, the newer one first. */
async function checkChunk(
  chunk: Chunk,
  find: (chunk: Chunk) => Promise<number | null>,
): Promise<CheckedTail> {
  try {
    return { damaged: await find(chunk), unchecked: null };
  } catch (error) {
    if (!exceedsLimits(error)) throw error;
    const halves = halvesOf(chunk);
    if (halves === null) return { damaged: null, unchecked: chunk };
    const newer = await checkChunk(halves[1], find);
    if (newer.unchecked !== null) return newer;
    const older = await checkChunk(halves[0], find);
    return { damaged: older.damaged ?? newer.damaged, unchecked: older.unchecked };
  }
}

/** Returns the earliest time in a chunk; 0 for a chunk without stored blocks, which has no times. */
function earliestIn({ times }: Chunk): number {
  return times.earliest === MAX_TIMESTAMP ? 0 : times.earliest;
}

/**
 * Returns the lowest block of the recent commits: one above the lowest block on which a recent commit was
 * built, or to which a recent rollback went back. Goes back until a commit is more than `UNSAFE_SECONDS`
 * older or newer than the newest one: if the clock was set back, the commits before that change seem to be
 * newer than the newest.
 */
async function firstUnsafe(
  engine: Engine,
  { chain, commit, commits }: { chain: string; commit: Commit; commits: number },
): Promise<number> {
  const table = commitsTable(chain);
  const { sequence, committedAt } = commit;
  const always = integer(Math.max(0, sequence - commits + 1));
  const oldest = sql`(SELECT least(ifNull(maxOrNull(sequence) + 1, 0), ${always})
    FROM ${table} WHERE sequence < ${integer(sequence)}
    AND abs(toInt64(committed_at) - ${integer(committedAt)}) > ${integer(UNSAFE_SECONDS)})`;
  const [row] = await engine.query<{ lowest: number; isFirst: number }>(sql`SELECT
    min(block_number) AS lowest, countIf(sequence < ${oldest}) = 0 AS isFirst
    FROM ${table} WHERE sequence + 1 >= ${oldest}`);
  if (row === undefined || row.isFirst === 1) return commit.firstBlock;
  return Math.max(commit.firstBlock, Math.min(row.lowest, commit.blockNumber - 1) + 1);
}

/**
 * Returns the Unix time of a block, or of the newest stored block below it. It lets the engine skip earlier
 * months.
 */
async function timeOf(engine: Engine, chain: string, number: number): Promise<number> {
  const [row] = await engine.query<{ time: number }>(sql`SELECT toUnixTimestamp(timestamp) AS time
    FROM ${engineTable(chain, "blocks")} WHERE block_number <= ${integer(number)}
    ORDER BY block_number DESC LIMIT 1`);
  return row?.time ?? 0;
}

interface Tail {
  first: number;
  last: number;
  since: number;
}

function damagedQuery(chain: string, tail: Tail, scope: StoredScope): Sql {
  const { first, last } = tail;
  const numbers = sql`SELECT number + ${integer(first)} AS n, 'blocks' AS what, 1 AS stated, 0 AS held
    FROM numbers(${integer(last - first + 1)})`;
  const blocks = sql`FROM ${engineTable(chain, "blocks")} WHERE ${inTail("blocks", tail)}`;
  const stored = sql`SELECT block_number AS n, 'blocks' AS what, 0 AS stated, 1 AS held ${blocks}`;
  const tables = COUNTED_TABLES.flatMap((table) => {
    const from = countedFrom(scope, table);
    if (from === null) return [];
    const counted = integer(from);
    return [
      sql`SELECT block_number AS n, ${text(table)} AS what, ${identifier(ROW_COUNTS[table])} AS stated, 0 AS held
        ${blocks} AND block_number >= ${counted}`,
      sql`SELECT ${identifier(tableOf(table).blockColumn)} AS n, ${text(table)} AS what, 0 AS stated, count() AS held
        FROM ${engineTable(chain, table)} WHERE ${inTail(table, tail)} AND n >= ${counted} GROUP BY n`,
    ];
  });
  const counts = join([numbers, stored, ...tables], " UNION ALL ");
  return sql`SELECT minOrNull(n) AS damaged FROM (SELECT n FROM (${counts})
    GROUP BY n, what HAVING sum(stated) != sum(held))`;
}

function inTail(table: (typeof COUNTED_TABLES)[number] | "blocks", { first, last, since }: Tail): Sql {
  const { blockColumn, partitionBy } = tableOf(table);
  const block = identifier(blockColumn);
  const blocks = sql`${block} >= ${integer(first)} AND ${block} <= ${integer(last)}`;
  if (partitionBy === undefined) return blocks;
  return sql`${blocks} AND ${identifier(partitionBy)} >= ${integer(since)}`;
}

/** A store whose newest blocks are complete. */
export interface RepairedTail {
  store: ChainStore;
  /** Blocks that were rolled back because rows were missing; null if there are none. */
  rolledBack: BlockSpan | null;
  /** Remaining blocks that could not be checked within the limits; null if there are none. */
  unchecked: BlockSpan | null;
}

/**
 * Opens a store and rolls it back to before the first block that a power loss damaged. Indexing then resumes
 * there.
 */
export async function repairTail(
  engine: Engine,
  chain: Chain,
  open: () => Promise<ChainStore>,
): Promise<RepairedTail> {
  const store = await open();
  const commit = await store.committed();
  if (commit === null) return { store, rolledBack: null, unchecked: null };
  const { scope } = await storedForm(engine, chain.name);
  const { damaged: first, unchecked } = await checkTail(engine, chain.name, commit, { scope });
  if (first === null) return { store, rolledBack: null, unchecked };
  return {
    store: await rollbackChain(first, { engine, chain, store, reopen: open }),
    rolledBack: { first, last: commit.blockNumber },
    unchecked,
  };
}
