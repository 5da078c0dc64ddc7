import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { visibleRows } from "../../engine-sql/visible-rows.ts";
import { BaseError } from "../../lib/error.ts";
import { partsOf } from "../../lib/parts.ts";
import type { Column } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { groupedJson } from "../rows/grouped-json.ts";
import { overtaken, type Snapshot } from "../snapshot/snapshot.ts";
import { type CanonicalValue, printValues } from "./column-value.ts";
import { publicColumns } from "./queryable-columns.ts";
import { spansOf } from "./top-spans.ts";

export interface TopRecordsQuestion {
  table: TableName;
  groupBy: string;
  /** What the groups are called in the answer, and the value of `groupBy` that each stands for. */
  groups: readonly { key: string; value: CanonicalValue }[];
  sortBy: string;
  order: "asc" | "desc";
  /** Most records of each group. */
  size: number;
}

/**
 * The first records of each group, as the JSON of the answer: an object with an array of records for each key,
 * in the order of the question. Records without a value to rank by come last, equal ones in chain order, as
 * `order` goes. The engine prints the records, and they pass piece by piece.
 */
export async function* readTopRecords(
  snapshot: Snapshot,
  question: TopRecordsQuestion,
): AsyncGenerator<Uint8Array> {
  const found = await findRecords(snapshot, question);
  const places = question.groups.flatMap(({ value }) => found.get(value) ?? []);
  const groups = question.groups.map(({ key, value }) => ({ key, records: found.get(value)?.length ?? 0 }));
  const missing = () => overtaken(snapshot);
  yield* groupedJson(recordLines(snapshot, question.table, places), { groups, missing });
}

/** Where a record lies: its values of the columns that its table is sorted by, and its record index. */
type Place = readonly CanonicalValue[];

const indexAt = (place: Place) => place.at(-1) ?? "";

type Found = Map<CanonicalValue, Place[]>;

/**
 * Looks for the places of the records alone: few narrow columns are read of very many rows, the rest only of what
 * is chosen. What a group has enough of in a short span of time is not looked for in all of it.
 */
async function findRecords(snapshot: Snapshot, question: TopRecordsQuestion): Promise<Found> {
  const found: Found = new Map();
  let wanted = [...new Set(question.groups.map(({ value }) => value))];
  const lookup = lookupTable(question);
  for (const span of await spansOf(snapshot, { ...question, table: lookup })) {
    const places = await placesOf(snapshot, question, { lookup, wanted, span });
    const enough = (value: CanonicalValue) => places.get(value)?.length === question.size;
    for (const [value, list] of places) if (span === null || enough(value)) found.set(value, list);
    wanted = wanted.filter((value) => !found.has(value));
    if (wanted.length === 0) break;
  }
  return found;
}

/**
 * Where to look for places: in a copy of the table that is sorted by the groups, if it has all columns that are
 * looked at, otherwise in the table itself.
 */
function lookupTable({ table: name, groupBy, sortBy }: TopRecordsQuestion): TableName {
  const needed = [groupBy, sortBy, ...placeColumns(tableOf(name))];
  const copy = TABLE_NAMES.find((other) => {
    const { copyOf, order, columns } = tableOf(other);
    return copyOf === name && order[0] === groupBy && needed.every((column) => column in columns);
  });
  return copy ?? name;
}

async function placesOf(
  snapshot: Snapshot,
  { table: name, groupBy, sortBy, order, size }: TopRecordsQuestion,
  { lookup, wanted, span }: { lookup: TableName; wanted: readonly CanonicalValue[]; span: Sql | null },
): Promise<Found> {
  const table = tableOf(name);
  const values = printValues(columnOf(table, groupBy), wanted);
  const isWanted = sql`${stored(groupBy)} IN (SELECT arrayJoin(${values}))`;
  const source = visibleRows(tableOf(lookup), {
    from: snapshot.table(lookup),
    as: sql`stored`,
    upTo: snapshot.commit.blockNumber,
    where: table.newestOf?.includes(groupBy) ? [isWanted] : [],
  });
  const conditions = [
    isWanted,
    upToCommit(snapshot, stored(table.blockColumn)),
    ...(span === null ? [] : [span]),
  ];
  const direction = order === "desc" ? sql`DESC` : sql`ASC`;
  const select = [groupBy, ...placeColumns(table)].map(
    (column, i) => sql`${answerOf(table, column)} AS ${identifier(`place_${i}`)}`,
  );
  const rows = await snapshot.query<Record<string, string | number>>(
    sql`SELECT ${join(select)} FROM ${source} AS stored WHERE ${join(conditions, " AND ")}
      ORDER BY ${stored(sortBy)} ${direction} NULLS LAST, ${stored("record_index")} ${direction}
      LIMIT ${integer(size)} BY ${stored(groupBy)}`,
  );
  const found: Found = new Map();
  for (const row of rows) {
    const [value = "", ...place] = Object.values(row).map(String);
    const list = found.get(value);
    if (list === undefined) found.set(value, [place]);
    else list.push(place);
  }
  return found;
}

function placeColumns({ order }: Table): string[] {
  return [...order.filter((name) => name !== "record_index"), "record_index"];
}

/** Records of one statement: some megabytes, which the engine brings into order in memory. */
const RECORDS_PER_READ = 5000;

/** The records at the places, in their order, one JSON object a line. */
async function* recordLines(
  snapshot: Snapshot,
  name: TableName,
  places: readonly Place[],
): AsyncGenerator<Uint8Array> {
  for (const part of partsOf(places, RECORDS_PER_READ))
    yield* snapshot.lines(recordsAt(snapshot, name, part));
}

function recordsAt(snapshot: Snapshot, name: TableName, places: readonly Place[]): Sql {
  const table = tableOf(name);
  const names = placeColumns(table);
  const lists = names.map((column, i) =>
    printValues(
      columnOf(table, column),
      places.map((place) => place[i] ?? ""),
    ),
  );
  const select = publicColumns(table).map(
    ([column]) => sql`${answerOf(table, column)} AS ${identifier(column)}`,
  );
  // One condition on all columns of the sort order: apart, every token would be looked for at every time.
  const elements = join(names.map((_, i) => sql`place.${integer(i + 1)}`));
  const among = sql`SELECT ${elements} FROM (SELECT arrayJoin(arrayZip(${join(lists)})) AS place)`;
  const chosen = sql`SELECT * FROM ${snapshot.table(name)} PREWHERE (${join(names.map(identifier))}) IN (${among}) WHERE ${upToCommit(snapshot, identifier(table.blockColumn))}`;
  const indexes = printValues(columnOf(table, "record_index"), places.map(indexAt));
  const numbered = sql`SELECT arrayJoin(arrayZip(${indexes}, range(${integer(places.length)}))) AS place`;
  const ranks = sql`SELECT place.1 AS record_index, place.2 AS rank FROM (${numbered})`;
  return sql`SELECT ${join(select)} FROM (${chosen}) AS stored
    INNER JOIN (${ranks}) AS ranks ON stored.record_index = ranks.record_index ORDER BY ranks.rank`;
}

function upToCommit({ commit }: Snapshot, block: Sql): Sql {
  return sql`${block} <= ${integer(commit.blockNumber)}`;
}

/** Behind the table's name: alone, the name of a column may mean its form in the answer. */
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
