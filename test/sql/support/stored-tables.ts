import fc from "fast-check";
import { type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import { partsOf } from "../../../src/lib/collections/parts.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { createTableStatements } from "../../../src/storage/tables/ddl.ts";
import { rowOf } from "../../support/engine/random-rows.ts";
import { type AnyRow, insertStatement, tableStatements } from "./query-fixture.ts";
import { RANDOM_VALUES } from "./random-tables.ts";

const BLOCKS = 48;
const ROWS_PER_BLOCK = 2;
/** Number of blocks that one insert writes, which makes a part of a table. */
const BLOCKS_PER_PART = 3;
/**
 * Time of the first block. A part covers about two days, so some parts end on a Sunday, the last day of a
 * week. One part ends on 31 December, which is also a Sunday.
 */
const START = Date.UTC(2023, 11, 10) / 1000;
const BLOCK_SECONDS = 71_987;

/**
 * Returns the statements that create the same random rows twice: in the tables `stored_…` as the service stores
 * them, in many parts, with partitions and indexes, and in the tables `plain_…` without any of these.
 */
export function storedTables(seed: number): Sql[] {
  const tables = TABLE_NAMES.map((name) => [name, rowsOf(name, seed)] as const);
  return [
    ...createTableStatements({}, "stored"),
    sql`SYSTEM STOP MERGES`,
    ...tables.flatMap(([name, rows]) => tableStatements("plain", name, rows)),
    ...tables.flatMap(([name, rows]) =>
      partsOf(rows, BLOCKS_PER_PART * ROWS_PER_BLOCK).map((part) => insertStatement("stored", name, part)),
    ),
  ];
}

/** Makes the rows of a table in chain order. */
function rowsOf(name: TableName, seed: number): AnyRow[] {
  const { blockColumn, partitionBy } = tableOf(name);
  const rows = fc.sample(rowOf(name, RANDOM_VALUES), { numRuns: BLOCKS * ROWS_PER_BLOCK, seed });
  return rows.map((row, i): AnyRow => {
    const block = Math.floor(i / ROWS_PER_BLOCK);
    const timestamp = partitionBy === undefined ? {} : { [partitionBy]: START + block * BLOCK_SECONDS };
    return { ...row, [blockColumn]: block, ...timestamp, record_index: i };
  });
}
