import type { Chain } from "../../chains/chain.ts";
import { identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { countedFrom, EVERYTHING, type StoredScope } from "../../schema/scope.ts";
import { COUNTED_TABLES, ROW_COUNTS, tableOf } from "../../schema/tables.ts";
import { storedScope } from "../../storage/commits/chain-registry.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { commitsTable, engineTable } from "../../storage/tables/ddl.ts";
import type { BlockSpan } from "../invariant.ts";
import { rollbackChain } from "./rollback-chain.ts";

/**
 * Age from which a commit is safe from a power loss. The operating system normally writes data to disk within
 * about 30 seconds (Linux: vm.dirty_expire_centisecs), and takes longer only if the disk is very slow.
 */
export const UNSAFE_SECONDS = 5 * 60;

/** Limits of the check. Most of its time is spent on reading two numbers from each of the newest rows. */
const TAIL_LIMITS = { memoryBytes: 2 * 1024 ** 3, timeoutMs: 60_000 };

/**
 * Finds the first damaged block among the blocks that a power loss may have damaged: the blocks committed
 * within five minutes before the newest commit. A block is damaged if `blocks` does not have exactly one row
 * for it, or if a table does not hold the number of rows that this row states. Returns null if none is
 * damaged.
 */
export async function checkTail(
  engine: Engine,
  chain: string,
  commit: Commit,
  scope: StoredScope = EVERYTHING,
): Promise<number | null> {
  const first = await firstUnsafe(engine, chain, commit);
  if (first > commit.blockNumber) return null;
  const span = { first, last: commit.blockNumber };
  const since = await timeOf(engine, chain, first);
  const [found] = await engine.query<{ damaged: number | null }>(
    damagedQuery(chain, { ...span, since }, scope),
    TAIL_LIMITS,
  );
  return found?.damaged ?? null;
}

/**
 * Returns the lowest block of the recent commits: one above the lowest block on which one of them, or a
 * rollback, was built.
 */
async function firstUnsafe(engine: Engine, chain: string, commit: Commit): Promise<number> {
  const commits = commitsTable(chain);
  const oldest = sql`(SELECT min(sequence) FROM ${commits}
    WHERE committed_at >= ${integer(commit.committedAt - UNSAFE_SECONDS)})`;
  const [row] = await engine.query<{ lowest: number; isFirst: number }>(sql`SELECT
    min(block_number) AS lowest, countIf(sequence < ${oldest}) = 0 AS isFirst
    FROM ${commits} WHERE sequence + 1 >= ${oldest}`);
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
  const first =
    commit === null
      ? null
      : await checkTail(engine, chain.name, commit, await storedScope(engine, chain.name));
  if (commit === null || first === null) return { store, rolledBack: null };
  return {
    store: await rollbackChain(first, { engine, chain, store, reopen: open }),
    rolledBack: { first, last: commit.blockNumber },
  };
}
