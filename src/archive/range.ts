import { integer, type Sql, sql, time } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import { DAY_SECONDS } from "../lib/seconds.ts";
import type { Commit, Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import type { BlockSpan } from "./day.ts";

/** An end of a range: a block, or a day (UTC), given by the unix seconds of its start. */
export type RangeEnd = { block: number } | { day: number };

export interface ExportRange {
  from?: RangeEnd | undefined;
  /** A day is included to its end. */
  to?: RangeEnd | undefined;
  /** Also blocks that a reorg may still replace. */
  includeUnfinal?: boolean | undefined;
}

/**
 * The stored blocks of a range, as of a commit.
 *
 * @throws NoFinalBlocks, NoBlocksInRange
 */
export async function blocksInRange(
  engine: Pick<Engine, "query">,
  chain: string,
  commit: Commit,
  { from, to, includeUnfinal = false }: ExportRange,
): Promise<BlockSpan> {
  const newest = includeUnfinal ? commit.blockNumber : commit.finalized;
  if (newest === null) throw new NoFinalBlocks(commit);
  const conditions = [
    ...(from === undefined ? [] : [startsAt(from)]),
    ...(to === undefined ? [] : [endsAt(to)]),
  ];
  const inRange = conditions.reduce((all, one) => sql`${all} AND ${one}`, sql`1`);
  const [span] = await engine.query<{ first: number | null; last: number | null }>(
    sql`SELECT minOrNull(block_number) AS first, maxOrNull(block_number) AS last FROM ${engineTable(chain, "blocks")}
      WHERE block_number <= ${integer(newest)} AND ${inRange}`,
  );
  if (span === undefined || span.first === null || span.last === null)
    throw new NoBlocksInRange(commit.firstBlock, newest);
  return { first: span.first, last: span.last };
}

function startsAt(end: RangeEnd): Sql {
  return "block" in end ? sql`block_number >= ${integer(end.block)}` : sql`timestamp >= ${time(end.day)}`;
}

function endsAt(end: RangeEnd): Sql {
  return "block" in end
    ? sql`block_number <= ${integer(end.block)}`
    : sql`timestamp < ${time(end.day + DAY_SECONDS)}`;
}

class NoFinalBlocks extends BaseError {
  constructor({ firstBlock, blockNumber }: Commit) {
    super(
      "bad-config",
      `No final block is known among blocks ${firstBlock} to ${blockNumber}. ` +
        "Export them with --include-unfinal: a reorg may still replace them.",
    );
  }
}

class NoBlocksInRange extends BaseError {
  constructor(first: number, last: number) {
    super("bad-config", `No block between --from and --to can be exported; blocks ${first} to ${last} can.`);
  }
}
