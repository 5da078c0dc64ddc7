import { engineType } from "../../engine-sql/column-types.ts";
import { double, identifier, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Column } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { type TableHost, tableEngine } from "./table-engine.ts";

/** Returns the name of a chain's table in the engine, e.g. `eth_dex_trades`, as an identifier. */
export function engineTable(chain: string, table: TableName): Sql {
  return identifier(engineTableName(chain, table));
}

/** Like `engineTable`, as plain text. */
export function engineTableName(chain: string, table: TableName): string {
  return `${chain}_${table}`;
}

/**
 * Names the copy of a partition that must replace the partition in a chain's table. It exists only during
 * that step, or after it was interrupted.
 */
export function exchangeTableName(chain: string, table: TableName): string {
  return `${engineTableName(chain, table)}_exchange`;
}

/** Returns the chain's internal table of commits, as an identifier. */
export function commitsTable(chain: string): Sql {
  return identifier(commitsTableName(chain));
}

/** Like `commitsTable`, as plain text. */
export function commitsTableName(chain: string): string {
  return `${chain}_commits`;
}

/**
 * Returns the statements that create the tables of a chain and its commits; running them again changes
 * nothing.
 */
export function createTableStatements(host: TableHost, chain: string): Sql[] {
  return [...TABLE_NAMES.map((name) => createTable(host, chain, name)), createCommits(host, chain)];
}

/**
 * After this time without writes, the parts of a month are merged into one, because a read visits every part
 * of a month.
 */
const MONTH_REST_SECONDS = 3600;

/**
 * The engine merges ten parts of the same level into one part of the next level. So each row is rewritten
 * once per power of ten, whatever the size of the table, and a new block seldom shares a part with many
 * others, which a rollback would have to rewrite. The default selection counts each part as at least 5 MB, so
 * a process that follows a small chain would rewrite whole tables every few blocks.
 */
const MERGE_EQUAL_PARTS = sql`merge_selector_algorithm = 'Trivial'`;

/**
 * How the engine merges the parts of a chain's tables. The settings can be changed in tables that hold rows.
 */
export const MERGE_SETTINGS: readonly Sql[] = [
  MERGE_EQUAL_PARTS,
  sql`min_age_to_force_merge_seconds = ${integer(MONTH_REST_SECONDS)}`,
  sql`min_age_to_force_merge_on_partition_only = 1`,
];

/** How the engine merges the parts of the table of commits. */
export const COMMIT_MERGE_SETTINGS: readonly Sql[] = [MERGE_EQUAL_PARTS];

/**
 * Prints the clauses after a table's name: everything that two tables must share to exchange partitions.
 *
 * @param settings used instead of the settings of the chain's own tables
 */
export function tableBody(host: TableHost, name: TableName, settings: Sql = join(MERGE_SETTINGS)): Sql {
  const table = tableOf(name);
  const definitions = [
    ...Object.entries(table.columns).map(([column, declared]) => columnDefinition(column, declared)),
    ...addedDefinitions(name).map(({ definition }) => definition),
  ];
  const partition = table.partitionBy ? sql`PARTITION BY toYYYYMM(${identifier(table.partitionBy)}) ` : sql``;
  const order = join(table.order.map(identifier));
  const marks = markSettings(table.rowsPerMark ?? ROWS_PER_MARK);
  const engine = tableEngine(host, sql`MergeTree`, sql`${partition}ORDER BY (${order})`, [marks, settings]);
  return sql`(${join(definitions)}) ${engine}`;
}

/**
 * Most queries read few rows in many places. With the engine's default of 8,192, reading the ten newest
 * trades of a hundred tokens reads six times as much; a still lower value gains little. The value of 1,024
 * costs 1 % of disk space and does not slow scans.
 */
const ROWS_PER_MARK = 1024;

/** An index or projection: it can be added to a table that already holds rows. */
interface AddedDefinition {
  /** Its keyword in statements. */
  kind: Sql;
  name: string;
  definition: Sql;
}

export function addedDefinitions(name: TableName): AddedDefinition[] {
  const table = tableOf(name);
  const indexes = (table.skipIndexes ?? []).map((column) => skipIndex(table, column));
  return table.projection === undefined ? indexes : [...indexes, projectionOf(table.projection)];
}

function projectionOf(order: readonly string[]): AddedDefinition {
  return added(sql`PROJECTION`, `by_${order[0]}`, sql`(SELECT * ORDER BY ${join(order.map(identifier))})`);
}

function added(kind: Sql, name: string, body: Sql): AddedDefinition {
  return { kind, name, definition: sql`${kind} ${identifier(name)} ${body}` };
}

/**
 * Prints settings with which the rows of an 8-byte column in one mark form one compressed block, so reading a
 * mark decompresses no other.
 */
function markSettings(rows: number): Sql {
  return sql`index_granularity = ${integer(rows)}, min_compress_block_size = ${integer(rows * 8)}`;
}

function createTable(host: TableHost, chain: string, name: TableName): Sql {
  return sql`CREATE TABLE IF NOT EXISTS ${engineTable(chain, name)} ${tableBody(host, name)}`;
}

/** The column of commits that tables of earlier versions lack. */
export const ADDED_COMMIT_COLUMN = {
  name: "is_amendment",
  definition: sql`is_amendment UInt8 DEFAULT 0`,
};

function createCommits(host: TableHost, chain: string): Sql {
  const engine = tableEngine(host, sql`MergeTree`, sql`ORDER BY sequence`, COMMIT_MERGE_SETTINGS);
  return sql`CREATE TABLE IF NOT EXISTS ${commitsTable(chain)} (sequence UInt64, first_block UInt64, block_number UInt64, block_hash FixedString(32), timestamp UInt64, finalized Nullable(UInt64), committed_at UInt64, ${ADDED_COMMIT_COLUMN.definition}) ${engine}`;
}

/**
 * Prints the definition of a column. A column that earlier formats lack has a default, which the engine
 * returns for rows without it: rows of an upgraded table, or of a restored backup.
 */
export function columnDefinition(name: string, column: Column): Sql {
  const byDefault = column.added === undefined ? sql`` : sql` DEFAULT ${text(column.added.earlier)}`;
  return sql`${identifier(name)} ${engineType(column)}${byDefault}${codec(name, column)}`;
}

/** Columns that ascend within the sort order: their differences are small, and often equal. */
const ASCENDING = new Set(["timestamp", "block_number", "record_index"]);

function codec(name: string, column: Column): Sql {
  if (ASCENDING.has(name)) return sql` CODEC(Delta, ZSTD)`;
  return column.kind === "amount" || column.kind === "wei" || column.kind === "bytes"
    ? sql` CODEC(ZSTD)`
    : sql``;
}

/**
 * A query for 100 hashes or wallets reads 5 % of the marks that do not contain them; with the engine's
 * default of 0.025 it reads 92 %. The lower value costs 0.5 % of disk space.
 */
const FALSE_POSITIVES = 0.0005;

/**
 * Returns the definition of an index that excludes marks. Numbers ascend, so their minimum and maximum
 * suffice. Bytes are spread evenly, so only a set of them can exclude marks.
 */
function skipIndex(table: Table, column: string): AddedDefinition {
  const kind = table.columns[column]?.kind;
  const type =
    kind === "integer" || kind === "time" ? sql`minmax` : sql`bloom_filter(${double(FALSE_POSITIVES)})`;
  return added(sql`INDEX`, `skip_${column}`, sql`${identifier(column)} TYPE ${type} GRANULARITY 1`);
}
