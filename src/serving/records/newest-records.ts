import { recordPrinter } from "../../engine-sql/record-printer.ts";
import { keptColumns, type StoredScope, visibleRows } from "../../schema/scope.ts";
import { type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import type { Fill } from "../cache/fill.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";
import { CommittedRecord, RecordList } from "./record-list.ts";

/** Columns of addresses and ids, by table. For each value in one of them, the newest records are kept. */
const GROUP_COLUMNS: { readonly [N in TableName]?: readonly string[] } = {
  dex_trades: ["token_address", "pool_address", "trader_address"],
  erc20: ["token_address", "to_address", "from_address"],
  erc721: ["token_address", "to_address", "from_address"],
  transactions: ["from_address", "to_address"],
  logs: ["address"],
};

/**
 * Capacities of lists, which are common sizes of answers. Reading more than the question needs takes longer:
 * 16 trades of each of 100 wallets take the engine 1.7 times as long as 10.
 */
const CAPACITIES = [1, 10, 100];

/** All lists of one capacity for one column of a table: one list for each value of the column. */
export interface RecordGroup {
  table: TableName;
  column: string;
  capacity: number;
}

/**
 * Returns a column's groups whose capacity is at least `size`, smallest capacity first; none if no lists are
 * kept for the column.
 */
export function groupsWith(table: TableName, column: string, size: number): RecordGroup[] {
  if (GROUP_COLUMNS[table]?.includes(column) !== true) return [];
  return CAPACITIES.filter((capacity) => capacity >= size).map((capacity) => ({ table, column, capacity }));
}

export function recordsKey({ table, column, capacity }: RecordGroup, value: string): string {
  return `${table}.${column}.${capacity}:${value}`;
}

function parseRecordsKey(key: string): { group: RecordGroup; value: string } {
  const [prefix = "", value = ""] = key.split(":");
  const [table, column = "", capacity] = prefix.split(".");
  return { group: { table: table as TableName, column, capacity: Number(capacity) }, value };
}

/** Groups keys by record group, with the values of each group. */
export function recordGroupsOf(keys: readonly string[]): { group: RecordGroup; values: string[] }[] {
  const groups = new Map<string, { group: RecordGroup; values: string[] }>();
  for (const key of keys) {
    const { group, value } = parseRecordsKey(key);
    const prefix = recordsKey(group, "");
    const known = groups.get(prefix) ?? { group, values: [] };
    known.values.push(value);
    groups.set(prefix, known);
  }
  return [...groups.values()];
}

/** The newest records by table, column, capacity and value. */
export class NewestRecords implements Fold {
  readonly cache: RecordsCache;
  readonly #tables: readonly RecordsOfTable[];

  constructor(maxBytes: number, scope: StoredScope) {
    this.cache = new RecordsCache(maxBytes, ({ bytes }) => bytes);
    this.#tables = Object.entries(GROUP_COLUMNS).map(
      ([table, columns]) => new RecordsOfTable(this.cache, table as TableName, { columns, scope }),
    );
  }

  extend(rows: Rows): void {
    if (!this.cache.isActive) return;
    for (const table of this.#tables) table.add(rows);
  }
}

/**
 * A cache that knows which groups have been queried, so that the rows of a commit cost nothing for other
 * groups.
 */
class RecordsCache extends KeyedCache<RecordList> {
  readonly #prefixes = new Set<string>();

  override startFill(keys: readonly string[]): Fill<RecordList> {
    for (const key of keys) this.#prefixes.add(key.slice(0, key.indexOf(":") + 1));
    return super.startFill(keys);
  }

  wasAsked(prefix: string): boolean {
    return this.#prefixes.has(prefix);
  }
}

interface KeyedGroup extends RecordGroup {
  /** The key without the value. */
  prefix: string;
}

class RecordsOfTable {
  readonly #cache: RecordsCache;
  readonly #table: TableName;
  readonly #groups: readonly KeyedGroup[];
  readonly #print: ReturnType<typeof recordPrinter>;
  readonly #longColumns: readonly string[];
  readonly #bytes: number;
  readonly #scope: StoredScope;

  constructor(
    cache: RecordsCache,
    table: TableName,
    { columns, scope }: { columns: readonly string[]; scope: StoredScope },
  ) {
    const declared = tableOf(table);
    const kinds = Object.entries(declared.columns);
    this.#cache = cache;
    this.#scope = scope;
    this.#table = table;
    this.#groups = columns
      .flatMap((column) => groupsWith(table, column, 1))
      .map((group) => ({ ...group, prefix: recordsKey(group, "") }));
    this.#print = recordPrinter(declared, keptColumns(scope, declared));
    this.#longColumns = kinds.filter(([, { kind }]) => kind === "bytes").map(([name]) => name);
    this.#bytes = kinds.reduce((sum, [name]) => sum + name.length + VALUE_BYTES, 0);
  }

  add(rows: Rows): void {
    const groups = this.#groups.filter(({ prefix }) => this.#cache.wasAsked(prefix));
    if (groups.length === 0) return;
    const own = (rows[this.#table] ?? []) as AnyRow[];
    for (const row of visibleRows(this.#scope, this.#table, own)) this.#addRow(row, groups);
  }

  #addRow(row: AnyRow, groups: readonly KeyedGroup[]): void {
    let record: CommittedRecord | undefined;
    for (const { prefix, column, capacity } of groups) {
      const value = row[column];
      if (value === null) continue;
      this.#cache.update(prefix + value, row.block_number as number, (known) => {
        record ??= CommittedRecord.ofRow(row, this.#print, this.#bytesOf(row));
        const list = known ?? new RecordList(capacity);
        list.add(record);
        return list;
      });
    }
  }

  #bytesOf(row: AnyRow): number {
    return this.#longColumns.reduce((sum, name) => sum + String(row[name]).length, this.#bytes);
  }
}

type AnyRow = Readonly<Record<string, unknown>>;

/** Memory of a typical value with its punctuation. */
const VALUE_BYTES = 28;
