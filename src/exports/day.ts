import { hexText, identifier, integer, join, type Sql, sql } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import type { Hex } from "../lib/hex.ts";
import { countedFrom, EVERYTHING, EXCERPTED_TABLES, type StoredScope } from "../schema/scope.ts";
import { COUNTED_TABLES, ROW_COUNTS, TABLE_NAMES, type TableName } from "../schema/tables.ts";
import type { Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";

/** A range of consecutive blocks, including both ends. */
export interface BlockSpan {
  first: number;
  last: number;
}

/** The stored blocks of a UTC day: all of them, or only some at the start or end of an index. */
export interface Day {
  /** `YYYY-MM-DD` */
  date: string;
  firstBlock: number;
  firstHash: Hex;
  /** Hash of the block before the first. */
  parentHash: Hex;
  lastBlock: number;
  lastHash: Hex;
  /** Unix seconds. */
  lastTimestamp: number;
  /**
   * Number of rows of each table: the sum of the counts in the blocks or, for pruned blocks, the number of
   * rows that pruning left.
   */
  rows: Record<TableName, number>;
}

type DayRow = Omit<Day, "rows"> & { brokenLinks: number } & Record<`rows_${TableName}`, number>;

/**
 * Returns the days of a range of blocks, oldest first. Reads only the table of blocks and the excerpts that
 * pruning left.
 *
 * @throws BrokenChain if a block is missing, stored twice, or not linked to its parent
 */
export async function daysOf(
  engine: Pick<Engine, "query">,
  chain: string,
  { first, last }: BlockSpan,
  scope: StoredScope = EVERYTHING,
): Promise<Day[]> {
  const linked = sql`SELECT *, lagInFrame(block_hash) OVER (ORDER BY block_number) AS previous_hash
    FROM ${engineTable(chain, "blocks")}
    WHERE block_number >= ${integer(first)} AND block_number <= ${integer(last)}`;
  const rows = await engine.query<DayRow>(
    sql`SELECT toString(toDate(timestamp)) AS date, min(block_number) AS firstBlock, max(block_number) AS lastBlock,
      ${hexText(sql`argMin(block_hash, block_number)`)} AS firstHash,
      ${hexText(sql`argMin(parent_hash, block_number)`)} AS parentHash,
      ${hexText(sql`argMax(block_hash, block_number)`)} AS lastHash,
      toUnixTimestamp(max(timestamp)) AS lastTimestamp,
      countIf(block_number > ${integer(first)} AND parent_hash != previous_hash) AS brokenLinks, ${rowSums(scope)}
      FROM (${linked}) AS linked GROUP BY date ORDER BY firstBlock`,
  );
  requireWhole(rows, { first, last });
  const days = rows.map(dayOf);
  await addExcerpts(engine, { chain, scope, first, last }, days);
  return days;
}

/** Returns columns with the number of each table's rows, as stated by the blocks whose rows are stored. */
function rowSums(scope: StoredScope): Sql {
  const sums = COUNTED_TABLES.map((table) => {
    const from = countedFrom(scope, table);
    const isStored = from === null ? sql`0` : sql`block_number >= ${integer(from)}`;
    return sql`sumIf(${identifier(ROW_COUNTS[table])}, ${isStored}) AS ${identifier(`rows_${table}`)}`;
  });
  return join([sql`count() AS rows_blocks`, ...sums]);
}

/** Adds the rows that remain in pruned blocks, which `rowSums` does not count. */
async function addExcerpts(
  engine: Pick<Engine, "query">,
  { chain, scope, first, last }: BlockSpan & { chain: string; scope: StoredScope },
  days: readonly Day[],
): Promise<void> {
  const tables = EXCERPTED_TABLES.filter((table) => (countedFrom(scope, table) ?? 0) > first);
  for (const table of tables) {
    const end = Math.min(last + 1, countedFrom(scope, table) ?? 0);
    const rows = await engine.query<{ date: string; rows: number }>(
      sql`SELECT toString(toDate(timestamp)) AS date, count() AS rows FROM ${engineTable(chain, table)}
        WHERE block_number >= ${integer(first)} AND block_number < ${integer(end)} GROUP BY date`,
    );
    for (const day of days) day.rows[table] += rows.find(({ date }) => date === day.date)?.rows ?? 0;
  }
}

/**
 * Checks that each block is stored once. The links rule out missing and duplicate blocks, except at the ends.
 * There, a missing block and a duplicate could leave the count unchanged, so the ends are also checked.
 */
function requireWhole(rows: readonly DayRow[], { first, last }: BlockSpan): void {
  const broken = rows.find(({ brokenLinks }) => brokenLinks > 0);
  if (broken !== undefined) throw new BrokenChain(`blocks of ${broken.date} do not link to their parents`);
  const stored = rows.reduce((sum, row) => sum + row.rows_blocks, 0);
  if (stored !== last - first + 1)
    throw new BrokenChain(`blocks ${first} to ${last} have ${stored} rows, expected ${last - first + 1}`);
  const [start, end] = [rows[0]?.firstBlock, rows.at(-1)?.lastBlock];
  if (start !== first || end !== last)
    throw new BrokenChain(`blocks ${start} to ${end} are stored, expected ${first} to ${last}`);
  const apart = rows.find((row, i) => i > 0 && row.firstBlock !== (rows[i - 1]?.lastBlock ?? 0) + 1);
  if (apart !== undefined)
    throw new BrokenChain(`${apart.date} does not begin with the block after the previous day's last`);
}

function dayOf({ brokenLinks: _, ...row }: DayRow): Day {
  const { date, firstBlock, firstHash, parentHash, lastBlock, lastHash, lastTimestamp } = row;
  const rows = Object.fromEntries(TABLE_NAMES.map((table) => [table, row[`rows_${table}`]]));
  return {
    ...{ date, firstBlock, firstHash, parentHash, lastBlock, lastHash, lastTimestamp },
    rows: rows as Day["rows"],
  };
}

/** The stored rows are damaged; `quarry doctor` gives details. */
export class BrokenChain extends BaseError {
  constructor(problem: string) {
    super("verification", `The stored chain is damaged: ${problem}. Run \`quarry doctor\`.`);
  }
}
