import { sql, time } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import { DAY_SECONDS } from "../lib/seconds.ts";
import type { Commit, Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import type { BlockSpan } from "./day.ts";

/** An end of a range: a block, or a UTC day, given as the unix seconds of its start. */
export type RangeEnd = { block: number } | { day: number };

export interface ExportRange {
  from?: RangeEnd | undefined;
  /** If this is a day, the whole day is included. */
  to?: RangeEnd | undefined;
  /** Whether to include blocks that a reorg may still replace. */
  includeUnfinal?: boolean | undefined;
}

/**
 * Returns the stored blocks of a range, as of a commit.
 *
 * @param rawFrom first block whose rows are stored; earlier rows were pruned
 * @throws NoFinalBlocks, NoBlocksInRange
 */
export async function blocksInRange(
  engine: Pick<Engine, "query">,
  chain: string,
  commit: Commit,
  { from, to, includeUnfinal = false, rawFrom = 0 }: ExportRange & { rawFrom?: number },
): Promise<BlockSpan> {
  const newest = includeUnfinal ? commit.blockNumber : commit.finalized;
  if (newest === null) throw new NoFinalBlocks(commit);
  const lowest = Math.max(commit.firstBlock, rawFrom);
  const first = Math.max(lowest, await startOf(engine, chain, from));
  const last = Math.min(newest, await endOf(engine, chain, to));
  if (first > last) throw new NoBlocksInRange(lowest, newest);
  return { first, last };
}

async function startOf(engine: Pick<Engine, "query">, chain: string, end?: RangeEnd): Promise<number> {
  if (end === undefined) return 0;
  return "block" in end ? end.block : firstBlockAt(engine, chain, end.day);
}

async function endOf(engine: Pick<Engine, "query">, chain: string, end?: RangeEnd): Promise<number> {
  if (end === undefined) return Number.POSITIVE_INFINITY;
  return "block" in end ? end.block : (await firstBlockAt(engine, chain, end.day + DAY_SECONDS)) - 1;
}

/** Returns the first stored block at or after a time; infinity if there is none. */
export async function firstBlockAt(
  engine: Pick<Engine, "query">,
  chain: string,
  timestamp: number,
): Promise<number> {
  const [found] = await engine.query<{ first: number | null }>(
    sql`SELECT minOrNull(block_number) AS first FROM ${engineTable(chain, "blocks")}
      WHERE timestamp >= ${time(timestamp)}`,
  );
  return found?.first ?? Number.POSITIVE_INFINITY;
}

class NoFinalBlocks extends BaseError {
  constructor({ firstBlock, blockNumber }: Commit) {
    super(
      "bad-config",
      `None of the blocks ${firstBlock} to ${blockNumber} is known to be final, so a reorg may still ` +
        "replace them. To export them anyway, pass --include-unfinal.",
    );
  }
}

class NoBlocksInRange extends BaseError {
  constructor(first: number, last: number) {
    super("bad-config", `No block between --from and --to can be exported; blocks ${first} to ${last} can.`);
  }
}
