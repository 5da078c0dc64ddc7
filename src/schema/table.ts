import type { Hex } from "../lib/hex.ts";
import type { Column, ColumnKind } from "./column.ts";

export type Columns = Record<string, Column>;

export interface Table<C extends Columns = Columns, N extends string = string> {
  /** Name after the chain's prefix: `dex_trades` is `eth_dex_trades` in SQL. */
  name: string;
  doc: string;
  columns: C;
  /**
   * Judgements on the stored rows. The engine computes them only for the queries that name them. They are not
   * stored, and `SELECT *` does not include them, so they do not slow down other queries.
   */
  verdicts?: Columns;
  /** Columns that together identify a row. */
  key: readonly N[];
  /** Sort order in the engine; reads that follow it are fast. */
  order: readonly N[];
  /** Column with the block number of a row; commits and rollbacks select rows by it. */
  blockColumn: N;
  /** Column whose month is the row's partition; absent for a table with one partition. */
  partitionBy?: N;
  /** Columns with a skip index, for filters that the sort order does not serve. */
  skipIndexes?: readonly N[];
  /**
   * A second sort order (a projection). Each part also stores its rows in this order, so reads that follow it
   * are as fast, but the rows take twice the space. Not used with `partitionBy`, which would scatter the rows
   * over the parts of every month.
   */
  projection?: readonly N[];
  /**
   * The table that this table copies, in another order and with fewer columns. The copy is written and rolled
   * back together with the original, and only the service's own queries read the copy.
   */
  copyOf?: string;
  /** Like `copyOf`, but with only some of the rows: the logs that hold the state of a singleton's pools. */
  excerptOf?: string;
  /**
   * Number of rows between two marks of the sort order; default: `ROWS_PER_MARK` in `storage/tables/ddl.ts`.
   * A lower number suits reads of very few rows.
   */
  rowsPerMark?: number;
  /**
   * For a history: readers see only the newest of the rows with equal values in these columns, which are the
   * first columns of `order`.
   */
  newestOf?: readonly N[];
}

/**
 * Declares a table. The compiler checks the names in `key`, `order` and similar fields against its columns.
 */
export function table<const C extends Columns, N extends keyof C & string>(
  declared: Table<C, N>,
): Table<C, N> {
  return declared;
}

/** Returns the columns that answers contain. */
export function publicColumns({ columns }: Pick<Table, "columns">): [name: string, column: Column][] {
  return Object.entries(columns).filter(([, column]) => column.hidden !== true);
}

interface Values extends Record<ColumnKind, unknown> {
  address: Hex;
  pool_id: Hex;
  hash: Hex;
  bytes: Hex;
  text: string;
  label: string;
  integer: number;
  uint64: bigint;
  small: number;
  wei: bigint;
  amount: bigint;
  double: number;
  time: number;
}

type Value<C extends Column> = Values[C["kind"]] | (C["nullable"] extends true ? null : never);

/** The row of a table: one field per column, including hidden ones, with the column's name. */
export type Row<T extends Table> = { [N in keyof T["columns"]]: Value<T["columns"][N]> };
