import type { Hex } from "../lib/hex.ts";
import type { Column, ColumnKind } from "./column.ts";

export type Columns = Record<string, Column>;

export interface Table<C extends Columns = Columns, N extends string = string> {
  /** Name behind the chain's prefix: `dex_trades` is `eth_dex_trades` in SQL. */
  name: string;
  doc: string;
  columns: C;
  /** Columns that together name one row. */
  key: readonly N[];
  /** Sort order in the engine; reads that follow it are fast. */
  order: readonly N[];
  /** The block a row belongs to: commits and rollbacks cut along it. */
  blockColumn: N;
  /** The time a row is filed under (monthly partitions); absent: the table is small and has one partition. */
  partitionBy?: N;
  /** Columns with a skip index, for filters that the sort order does not serve. */
  skipIndexes?: readonly N[];
  /**
   * A second sort order in which each part holds its rows too (a projection): reads that follow it are as fast, and the
   * rows take twice the room. Not with `partitionBy`: the rows would lie in the parts of each month.
   */
  projection?: readonly N[];
  /**
   * The table whose rows these are, in another order and with fewer columns: written and taken back with them, read
   * by the service's own questions alone.
   */
  copyOf?: string;
  /** As `copyOf`, of some of the rows: those of the logs that tell the state of a singleton's pools. */
  excerptOf?: string;
  /** Rows between two marks of the sort order; absent: what suits most tables. Fewer suit reads of very few rows each. */
  rowsPerMark?: number;
  /** The rows are a history: readers see the newest of those that are equal in these columns, the first of `order`. */
  newestOf?: readonly N[];
}

/** Declares a table; the names in `key`, `order` and the rest are checked against its columns. */
export function table<const C extends Columns, N extends keyof C & string>(
  declared: Table<C, N>,
): Table<C, N> {
  return declared;
}

interface Values extends Record<ColumnKind, unknown> {
  address: Hex;
  pool_id: Hex;
  hash: Hex;
  bytes: Hex;
  text: string;
  label: string;
  integer: number;
  small: number;
  wei: bigint;
  amount: bigint;
  double: number;
  time: number;
}

type Value<C extends Column> = Values[C["kind"]] | (C["nullable"] extends true ? null : never);

/** The row of a table: one field a column, hidden ones included, in the table's own names. */
export type Row<T extends Table> = { [N in keyof T["columns"]]: Value<T["columns"][N]> };
