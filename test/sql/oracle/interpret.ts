import { TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { parseQuery } from "./parse/parse-query.ts";
import { type Order, type Plan, planOf } from "./run/plan.ts";
import { unknown } from "./unknown.ts";
import { answerOf, isLike } from "./values/answers.ts";
import { compareValues, type Scope, type Value } from "./values/types.ts";

type StoredRow = Readonly<Record<string, unknown>>;

export interface TableSource {
  /** Returns the visible rows of `<chain>_<table>`, in any order. */
  rows(chain: string, table: TableName): readonly StoredRow[];
  chains: readonly string[];
  /** Time of the query, in Unix seconds. */
  now: number;
  /** Maximum number of rows of a query without LIMIT. */
  maxRows?: number;
}

const MOST_ROWS = 10_000;

/**
 * Returns the rows of the answer as JSON values, in order. Throws if the interpreter does not know a part of
 * the query.
 */
export function interpret(query: string, source: TableSource): AnswerRow[] {
  const { ties, offset, limit } = interpretation(query, source);
  return ties.flat().slice(offset, offset + limit);
}

export type AnswerRow = Record<string, unknown>;

export interface Interpretation {
  /** All rows in order, before OFFSET and LIMIT. Rows that are equal for ORDER BY are in the same list. */
  ties: AnswerRow[][];
  offset: number;
  limit: number;
  /** Whether rows are grouped by numbers that are not exact, so the number of rows is uncertain. */
  isVague: boolean;
  /**
   * Maximum relative distance between a value of the answer and another correct value, by column of doubles.
   */
  distances: ReadonlyMap<string, number>;
}

export function interpretation(query: string, source: TableSource): Interpretation {
  const parsed = parseQuery(query);
  const [chain, name] = tableNamed(parsed.table, source.chains);
  const plan = planOf(parsed, tableOf(name), source.now);
  const rows = computeRows(plan, scopesOf(plan, source.rows(chain, name)));
  return {
    ties: tiesOf(plan, rows).map((tie) => tie.map(({ values }) => rowOf(plan, values))),
    offset: parsed.offset,
    limit: parsed.limit ?? source.maxRows ?? MOST_ROWS,
    isVague: plan.isVague,
    distances: new Map(plan.columns.map(({ name, distance }) => [name, distance])),
  };
}

function tableNamed(name: string, chains: readonly string[]): [chain: string, table: TableName] {
  for (const chain of chains) {
    const table = TABLE_NAMES.find((known) => name === `${chain}_${known}`);
    if (table !== undefined) return [chain, table];
  }
  throw unknown(`table: ${name}`);
}

/**
 * Returns the scopes from which the answer's rows are computed: the rows that meet WHERE, or the groups that
 * meet HAVING.
 */
function scopesOf({ where, groups, having }: Plan, rows: readonly StoredRow[]): Scope[] {
  const scopes = rows.map((row): Scope => ({ row, group: [] }));
  const filtered = scopes.filter((scope) => where === undefined || where.value(scope) === true);
  if (groups === undefined) return filtered;
  const grouped = new Map<string, StoredRow[]>(groups.length === 0 ? [[keyOf([]), []]] : []);
  for (const scope of filtered) {
    const key = keyOf(groups.map((group) => group.value(scope)));
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, [scope.row]);
    else group.push(scope.row);
  }
  const groupScopes = [...grouped.values()].map((group): Scope => ({ row: group[0] ?? {}, group }));
  return groupScopes.filter((scope) => having === undefined || having.value(scope) === true);
}

const keyOf = (values: readonly Value[]) =>
  JSON.stringify(values.map((value) => [typeof value, String(value)]));

interface ComputedRow {
  values: Value[];
  keys: Value[];
}

function computeRows({ columns, order, distinct }: Plan, scopes: readonly Scope[]): ComputedRow[] {
  const rows = scopes.map((scope) => ({
    values: columns.map(({ compiled }) => compiled.value(scope)),
    keys: order.map(({ compiled }) => compiled.value(scope)),
  }));
  return distinct ? [...new Map(rows.map((row) => [keyOf(row.values), row])).values()] : rows;
}

function tiesOf(plan: Plan, rows: readonly ComputedRow[]): ComputedRow[][] {
  const ties: ComputedRow[][] = [];
  for (const row of rows.toSorted((a, b) => compareKeys(plan, a, b))) {
    const last = ties.at(-1);
    if (last?.[0] !== undefined && isTie(plan, last[0], row)) last.push(row);
    else ties.push([row]);
  }
  return ties;
}

const compareKeys = ({ order }: Plan, a: ComputedRow, b: ComputedRow): number =>
  order.reduce(
    (difference, item, i) => difference || compareInOrder(item, a.keys[i] ?? null, b.keys[i] ?? null),
    0,
  );

/** Returns whether the order of two rows is undefined. Ignores the keys after a key that is not exact. */
function isTie({ order }: Plan, a: ComputedRow, b: ComputedRow): boolean {
  for (const [i, { distance }] of order.entries()) {
    if (distance > 0) return isLike(a.keys[i], b.keys[i], distance);
    if (!isLike(a.keys[i], b.keys[i], 0)) return false;
  }
  return true;
}

function compareInOrder({ descending, nullsFirst }: Order, x: Value, y: Value): number {
  if (x === null && y === null) return 0;
  if (x === null || y === null) return (x === null) === nullsFirst ? -1 : 1;
  return descending ? compareValues(y, x) : compareValues(x, y);
}

function rowOf({ columns }: Plan, values: readonly Value[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({ name, compiled }, i) => [name, answerOf(values[i] ?? null, compiled.type)]),
  );
}
