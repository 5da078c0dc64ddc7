import { integer, join, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import type { Engine } from "../../../storage/store.ts";
import { type Damage, QUERY_LIMITS } from "../../invariant.ts";

/** Blocks that are compared as one at first: what is held in memory is a row for each of so many. */
const RUN_BLOCKS = 4_096;

/** Unequal runs, and unequal blocks of them, that one examination tells: what is beyond is found by the next. */
const MAX_PLACES = 10_000;

/** Which rows count, and the place of each: its block, or the run of blocks that this lies in. */
export interface Places {
  place: Sql;
  where: Sql;
}

interface Comparison {
  /**
   * Queries of what there should be and of what there is: `place`, `n`, its number of rows, and `digest`, what else
   * of them must be equal. A place without rows is left out.
   */
  due(places: Places): Sql;
  held(places: Places): Sql;
  /** Condition on the blocks that are compared. */
  where: Sql;
  /** What is wrong with a block, in words. */
  example(rows: { due: number; held: number }): string;
}

/** Blocks of which there is something else than there should be: they are looked for in unequal runs of blocks. */
export async function unequalBlocks(engine: Engine, comparison: Comparison): Promise<Damage[]> {
  const { where, example } = comparison;
  const run = sql`intDiv(block_number, ${integer(RUN_BLOCKS)})`;
  const runs = await unequalPlaces(engine, comparison, { place: run, where });
  if (runs.length === 0) return [];
  const inRuns = sql`${where} AND ${run} IN (${join(runs.map(({ place }) => integer(place)))})`;
  const blocks = await unequalPlaces(engine, comparison, { place: sql`block_number`, where: inRuns });
  return blocks.map(({ place, due, held }) => ({
    first: place,
    last: place,
    rows: Math.max(1, Math.abs(held - due)),
    example: example({ due, held }),
  }));
}

function unequalPlaces(engine: Engine, { due, held }: Comparison, places: Places) {
  return engine.query<{ place: number; due: number; held: number }>(
    sql`SELECT place, sumIf(n, side = 1) AS due, sumIf(n, side = 2) AS held
      FROM (SELECT 1 AS side, * FROM (${due(places)}) UNION ALL SELECT 2 AS side, * FROM (${held(places)}))
      GROUP BY place HAVING count() != 2 OR uniqExact(tuple(n, digest)) != 1
      ORDER BY place LIMIT ${integer(MAX_PLACES)}`,
    QUERY_LIMITS,
  );
}
