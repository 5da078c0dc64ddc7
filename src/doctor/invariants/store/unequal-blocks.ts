import { integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Engine } from "../../../storage/store.ts";
import { type Damage, QUERY_LIMITS } from "../../invariant.ts";

/**
 * Number of blocks in a run, which is first compared as a whole. The comparison keeps one row per run in
 * memory.
 */
const RUN_BLOCKS = 4_096;

/**
 * Maximum number of unequal runs, and of unequal blocks in them, that one check reports. The next check finds
 * the rest.
 */
const MAX_POSITIONS = 10_000;

/** How rows are grouped: by block, or by run of blocks. */
export interface Groups {
  /** Expression for the number of the group. */
  group: Sql;
  /** Selects the rows. */
  where: Sql;
}

interface UnequalBlocksOptions {
  /**
   * Return queries for the expected and the stored rows of each group: `position` (the number of the group),
   * `n` (its number of rows) and `digest` (any other value that must be equal). Groups without rows are
   * absent.
   */
  expected(groups: Groups): Sql;
  stored(groups: Groups): Sql;
  /** Selects the blocks to compare. */
  where: Sql;
  /** Returns a description of the damage of a block. */
  example(rows: { expected: number; stored: number }): string;
}

/**
 * Finds the blocks whose stored rows are not the expected ones. Searches only the runs of blocks that are
 * unequal.
 */
export async function unequalBlocks(engine: Engine, options: UnequalBlocksOptions): Promise<Damage[]> {
  const { where, example } = options;
  const run = sql`intDiv(block_number, ${integer(RUN_BLOCKS)})`;
  const runs = await unequalGroups(engine, options, { group: run, where });
  if (runs.length === 0) return [];
  const inRuns = sql`${where} AND ${run} IN (${join(runs.map(({ position }) => integer(position)))})`;
  const blocks = await unequalGroups(engine, options, { group: sql`block_number`, where: inRuns });
  return blocks.map(({ position, expected, stored }) => ({
    first: position,
    last: position,
    rows: Math.max(1, Math.abs(stored - expected)),
    example: example({ expected, stored }),
  }));
}

function unequalGroups(engine: Engine, { expected, stored }: UnequalBlocksOptions, groups: Groups) {
  return engine.query<{ position: number; expected: number; stored: number }>(
    sql`SELECT position, sumIf(n, side = 1) AS expected, sumIf(n, side = 2) AS stored
      FROM (SELECT 1 AS side, * FROM (${expected(groups)}) UNION ALL SELECT 2 AS side, * FROM (${stored(groups)}))
      GROUP BY position HAVING count() != 2 OR uniqExact(tuple(n, digest)) != 1
      ORDER BY position LIMIT ${integer(MAX_POSITIONS)}`,
    QUERY_LIMITS,
  );
}
