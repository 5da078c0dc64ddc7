import { createHash } from "node:crypto";
import type { TableName } from "../schema/tables.ts";

/** Tables whose new rows can be streamed. */
export const EVENT_TABLES = [
  "blocks",
  "dex_trades",
  "erc20",
  "erc721",
  "pool_metadata",
  "token_metadata",
] as const satisfies readonly TableName[];

export type EventTable = (typeof EVENT_TABLES)[number];

/** A condition that a row meets if one of the columns has one of the values. */
export interface Condition {
  columns: readonly string[];
  values: ReadonlySet<string>;
}

/** Selects the new rows of a table that are sent. */
export interface EventFilter {
  table: EventTable;
  /** A row must match all of them. */
  conditions: readonly Condition[];
  /** Minimum value in USD; rows without a known value do not match. */
  minUsd: number | null;
  /** A column that must not be null. */
  required: string | null;
}

/** A subscription to new rows of a table. */
export interface EventSubscription extends EventFilter {
  /** Identifies the rows in the frames of the stream. */
  id: string;
}

/**
 * Returns a key that equal filters share, in whatever order their values are listed. It is short, because
 * each filter keeps its key.
 */
export function filterKey({ table, conditions, minUsd, required }: EventFilter): string {
  const sorted = conditions.map(({ columns, values }) => [columns, [...values].sort()]);
  const text = JSON.stringify([table, sorted, minUsd, required]);
  return createHash("sha256").update(text).digest("base64");
}

/** For each table whose rows have a value in USD, the column that contains it. */
export const VALUE_COLUMNS: { readonly [T in EventTable]?: string } = {
  dex_trades: "amount_usd",
  erc20: "value_usd",
};

export type AnyRow = Readonly<Record<string, unknown>>;

export function matches({ table, conditions, minUsd, required }: EventFilter, row: AnyRow): boolean {
  if (required !== null && row[required] === null) return false;
  if (minUsd !== null && !isWorth(row[VALUE_COLUMNS[table] ?? ""], minUsd)) return false;
  return conditions.every(({ columns, values }) =>
    columns.some((column) => values.has(row[column] as string)),
  );
}

function isWorth(value: unknown, minUsd: number): boolean {
  return typeof value === "number" && value >= minUsd;
}
