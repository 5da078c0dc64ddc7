import { blockMarks, differsFromBlock } from "../engine-sql/block-marks.ts";
import { firstRecordIndexSql } from "../engine-sql/record-index.ts";
import { identifier, integer, type Sql, sql } from "../engine-sql/sql-text.ts";
import type { RecordNumbering } from "../schema/record-index.ts";
import { countedFrom, type StoredScope } from "../schema/scope.ts";
import { COUNTED_TABLES, type CountedTable, ROW_COUNTS, tableOf } from "../schema/tables.ts";
import type { StoredForm } from "../storage/commits/chain-registry.ts";
import type { Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import type { BlockSpan } from "./day.ts";

/** A block whose rows of a table are not those that the block states. */
export interface OddBlock {
  table: CountedTable;
  block: number;
}

/**
 * Returns the first block whose rows of some table have another time or hash than the block, another number than
 * it states, or record indexes of another block; null if there is none. Readers skip rows by their time and by
 * their record index, so they would miss such rows.
 */
export async function findOddBlock(
  engine: Pick<Engine, "query">,
  chain: string,
  span: BlockSpan,
  { scope, numbering }: StoredForm,
): Promise<OddBlock | null> {
  for (const table of COUNTED_TABLES) {
    const [odd] = await engine.query<{ block: number }>(
      sql`SELECT b.n AS block FROM (${statedRows(chain, table, span)}) AS b
        INNER JOIN (${storedRows(chain, table, span)}) AS r ON b.n = r.n
        WHERE ${isMiscounted(scope, table)} OR ${differsFromBlock(tableOf(table))} OR ${isMisnumbered(numbering)} ORDER BY block LIMIT 1`,
    );
    if (odd !== undefined) return { table, block: odd.block };
  }
  return null;
}

function statedRows(chain: string, table: CountedTable, { first, last }: BlockSpan): Sql {
  return sql`SELECT block_number AS n, ${identifier(ROW_COUNTS[table])} AS stated, timestamp AS t, block_hash AS h
    FROM ${engineTable(chain, "blocks")} WHERE block_number >= ${integer(first)} AND block_number <= ${integer(last)}`;
}

function storedRows(chain: string, table: CountedTable, { first, last }: BlockSpan): Sql {
  const block = identifier(tableOf(table).blockColumn);
  return sql`SELECT ${block} AS n, count() AS held, min(record_index) AS i0, max(record_index) AS i1
    ${blockMarks(tableOf(table))} FROM ${engineTable(chain, table)}
    WHERE ${block} >= ${integer(first)} AND ${block} <= ${integer(last)} GROUP BY n`;
}

/** Blocks whose rows were pruned, or are not kept, state more rows than are stored. */
function isMiscounted(scope: StoredScope, table: CountedTable): Sql {
  const from = countedFrom(scope, table);
  return from === null ? sql`0` : sql`(b.n >= ${integer(from)} AND held != stated)`;
}

function isMisnumbered(numbering: RecordNumbering): Sql {
  return sql`i0 < ${firstRecordIndexSql(numbering, sql`b.n`)} OR i1 >= ${firstRecordIndexSql(numbering, sql`b.n + 1`)}`;
}
