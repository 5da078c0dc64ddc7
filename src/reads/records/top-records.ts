import { isDeepStrictEqual } from "node:util";
import { scopeOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { visibleRows } from "../../engine-sql/visible-rows.ts";
import { wholeOf } from "../../lib/async/whole-of.ts";
import { BaseError } from "../../lib/error.ts";
import type { Column } from "../../schema/column.ts";
import { completeFrom, keptColumns } from "../../schema/scope.ts";
import type { Table } from "../../schema/table.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { groupedJson } from "../rows/grouped-json.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { isHonest } from "../trades/wash-trades.ts";
import { valueKindOf } from "../values/column-values.ts";
import type { CanonicalValue } from "../values/value-kind.ts";
import { groupText, keysByGroup } from "./keys-by-group.ts";
import { SortKeyLayout, type SortKeys, sortKeyColumns } from "./sort-keys.ts";
import { CHAIN_ORDER, spansOf } from "./top-spans.ts";

export interface TopRecordsQuery {
  table: TableName;
  groupBy: string;
  /** The key of each group in the answer, and its value of `groupBy`. */
  groups: readonly { key: string; value: CanonicalValue }[];
  sortBy: string;
  order: "asc" | "desc";
  /** Maximum number of records per group. */
  size: number;
  /** Excludes trades with a wash verdict; only for tables of trades. Default: false. */
  excludeWash?: boolean;
}

/**
 * Reads the first records of each group, as the JSON of the answer: an object with an array of records for
 * each key, in the order of the query. Records without a value to sort by come last; records with equal
 * values are in chain order, in the direction of `order`. The engine prints the records; the pieces are
 * streamed.
 */
export async function* readTopRecords(
  snapshot: Snapshot,
  query: TopRecordsQuery,
): AsyncGenerator<Uint8Array> {
  const { bytes } = new SortKeyLayout(tableOf(query.table));
  const found = await findRecords(snapshot, query);
  const keys = query.groups.flatMap(({ value }) => found.get(value) ?? []);
  const recordsOf = (value: CanonicalValue) => (found.get(value)?.length ?? 0) / bytes;
  const groups = query.groups.map(({ key, value }) => ({ key, records: recordsOf(value) }));
  const lines = recordLines(snapshot, query.table, Buffer.concat(keys));
  yield* groupedJson(lines, groups, () => outdated(snapshot));
}

/**
 * Returns the sort keys of each group's first records. Finding them reads a few narrow columns of very many
 * rows; the other columns are then read only for the chosen records. A group with enough records in a short
 * span is not searched for in longer spans.
 */
export async function findRecords(
  snapshot: Snapshot,
  query: TopRecordsQuery,
): Promise<Map<CanonicalValue, SortKeys>> {
  const found = new Map<CanonicalValue, SortKeys>();
  const { bytes } = new SortKeyLayout(tableOf(query.table));
  let wanted = [...new Set(query.groups.map(({ value }) => value))];
  const lookup = lookupTable(query);
  for (const span of await spansOf(snapshot, lookup, query)) {
    const keys = await sortKeysOf(snapshot, query, { lookup, wanted, span });
    for (const [value, ofGroup] of keys) {
      if (span === null || ofGroup.length === query.size * bytes) found.set(value, ofGroup);
    }
    wanted = wanted.filter((value) => !found.has(value));
    if (wanted.length === 0) break;
  }
  return found;
}

/**
 * Returns the table to search: a copy sorted by the groups if it has all needed columns, otherwise the table
 * itself.
 */
function lookupTable({ table: name, groupBy, sortBy, excludeWash }: TopRecordsQuery): TableName {
  const judged = excludeWash ? ["pool_address"] : [];
  const needed = [groupBy, sortBy, ...sortKeyColumns(tableOf(name)), ...judged];
  const copy = TABLE_NAMES.find((other) => {
    const { copyOf, order, columns } = tableOf(other);
    return copyOf === name && order[0] === groupBy && needed.every((column) => column in columns);
  });
  return copy ?? name;
}

async function sortKeysOf(
  snapshot: Snapshot,
  { table: name, groupBy, sortBy, order, size, excludeWash }: TopRecordsQuery,
  { lookup, wanted, span }: { lookup: TableName; wanted: readonly CanonicalValue[]; span: Sql | null },
): Promise<Map<CanonicalValue, SortKeys>> {
  const table = tableOf(name);
  const values = valueKindOf(columnOf(table, groupBy)).print(wanted);
  const isWanted = sql`${stored(groupBy)} IN (SELECT arrayJoin(${values}))`;
  const source = visibleRows(tableOf(lookup), {
    from: snapshot.table(lookup),
    as: sql`stored`,
    upTo: snapshot.commit.blockNumber,
    where: table.newestOf?.includes(groupBy) ? [isWanted] : [],
  });
  const conditions = [
    isWanted,
    isVisible(snapshot, name, stored(table.blockColumn)),
    ...(span === null ? [] : [span]),
  ];
  const selected = sql`${source} AS stored WHERE ${join(conditions, " AND ")}`;
  const rows = excludeWash
    ? sql`${selected} AND ${isHonest(snapshot, { rows: selected, as: sql`stored` })}`
    : selected;
  const direction = order === "desc" ? sql`DESC` : sql`ASC`;
  const layout = new SortKeyLayout(table);
  const keys = snapshot.binary(
    sql`SELECT ${layout.select(stored)}, ${groupText(columnOf(table, groupBy), stored(groupBy))} FROM ${rows}
      ORDER BY ${stored(sortBy)} ${direction} NULLS LAST, ${stored("record_index")} ${direction}
      LIMIT ${integer(size)} BY ${stored(groupBy)}`,
  );
  return keysByGroup(await wholeOf(keys), layout.bytes, columnOf(table, groupBy));
}

export type LinesOfOne = (value: CanonicalValue) => AsyncIterable<Uint8Array>;

/**
 * Returns a function that reads the records of one group with one statement, one JSON object per line: in a
 * table sorted by the groups and then by time, the engine reads the records from the end of the group.
 * Returns null for other tables and orders.
 */
export function linesOfOne(
  snapshot: Snapshot,
  { table: name, groupBy, sortBy, order, size }: Omit<TopRecordsQuery, "groups" | "excludeWash">,
): LinesOfOne | null {
  const table = tableOf(name);
  const isSorted = isDeepStrictEqual(table.order, [groupBy, "timestamp", "record_index"]);
  if (!isSorted || !CHAIN_ORDER.has(sortBy) || table.newestOf !== undefined) return null;
  const direction = order === "desc" ? sql`DESC` : sql`ASC`;
  const inOrder = table.order.map((column) => sql`${stored(column)} ${direction}`);
  return (value) => {
    const values = valueKindOf(columnOf(table, groupBy)).print([value]);
    return snapshot.lines(sql`SELECT ${publicColumnsOf(snapshot, table)} FROM ${snapshot.table(name)} AS stored
      WHERE ${stored(groupBy)} = arrayElement(${values}, 1) AND ${isVisible(snapshot, name, stored(table.blockColumn))}
      ORDER BY ${join(inOrder)} LIMIT ${integer(size)}`);
  };
}

/** Number of records read by one statement: a few megabytes, which the engine sorts in memory. */
const RECORDS_PER_READ = 5000;

/** Reads the records with these sort keys, in their order, one JSON object per line. */
export async function* recordLines(
  snapshot: Snapshot,
  name: TableName,
  keys: SortKeys,
): AsyncGenerator<Uint8Array> {
  const layout = new SortKeyLayout(tableOf(name));
  const partBytes = RECORDS_PER_READ * layout.bytes;
  for (let at = 0; at < keys.length; at += partBytes)
    yield* snapshot.lines(recordsWith(snapshot, name, layout, keys.subarray(at, at + partBytes)));
}

function recordsWith(snapshot: Snapshot, name: TableName, layout: SortKeyLayout, keys: SortKeys): Sql {
  const table = tableOf(name);
  const chosen = sql`SELECT * FROM ${snapshot.table(name)} PREWHERE ${layout.isAmong(keys)} WHERE ${isVisible(snapshot, name, identifier(table.blockColumn))}`;
  return sql`SELECT ${publicColumnsOf(snapshot, table)} FROM (${chosen}) AS stored
    INNER JOIN (${layout.ranked(keys)}) AS ranks ON stored.record_index = ranks.record_index ORDER BY ranks.rank`;
}

/** Prints the columns of `stored` rows as they are in the answer. */
function publicColumnsOf({ chain }: Snapshot, table: Table): Sql {
  const columns = keptColumns(scopeOf(chain), table).map(
    ([column]) => sql`${answerOf(table, column)} AS ${identifier(column)}`,
  );
  return join(columns);
}

/** Prints the condition for rows up to the commit that are not in pruned blocks. */
function isVisible({ chain, commit }: Snapshot, name: TableName, block: Sql): Sql {
  const from = completeFrom(scopeOf(chain), name) ?? 0;
  const upToCommit = sql`${block} <= ${integer(commit.blockNumber)}`;
  return from === 0 ? upToCommit : sql`${upToCommit} AND ${block} >= ${integer(from)}`;
}

/**
 * Qualifies a column with the table's name, because the bare name may refer to the column's alias in the
 * answer.
 */
function stored(name: string): Sql {
  return sql`stored.${identifier(name)}`;
}

function answerOf(table: Table, name: string): Sql {
  return answerExpression(columnOf(table, name).kind, stored(name), "rest");
}

function columnOf(table: Table, name: string): Column {
  const column = table.columns[name];
  if (column === undefined) throw new NoSuchColumn(table.name, name);
  return column;
}

class NoSuchColumn extends BaseError {
  constructor(table: string, name: string) {
    super("internal", `table ${table} has no column ${name}`);
  }
}
