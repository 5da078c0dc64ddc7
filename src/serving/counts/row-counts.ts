import { type StoredScope, visibleRows } from "../../schema/scope.ts";
import { PUBLIC_TABLE_NAMES, type Rows, type TableName } from "../../schema/tables.ts";
import type { Commit } from "../../storage/store.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

/** Number of rows in each of the tables that clients may query. */
export type RowCounts = Readonly<Partial<Record<TableName, number>>>;

/** The only key of the cache: one statement counts the rows of all tables. */
export const ALL_TABLES = "all";

const COUNTS_BYTES = 1_000;

/** Keeps the row counts of a chain's tables up to date. */
export class RowCounter implements Fold {
  readonly cache: KeyedCache<RowCounts>;

  readonly #scope: StoredScope;

  constructor(maxBytes: number, scope: StoredScope) {
    this.cache = new KeyedCache(maxBytes, () => COUNTS_BYTES);
    this.#scope = scope;
  }

  extend(rows: Rows, { blockNumber }: Commit): void {
    this.cache.update(ALL_TABLES, blockNumber, (known) => {
      const counts = PUBLIC_TABLE_NAMES.map((name) => [
        name,
        (known?.[name] ?? 0) + visibleRows<object>(this.#scope, name, rows[name] ?? []).length,
      ]);
      return Object.fromEntries(counts) as RowCounts;
    });
  }
}
