import { type Sql, text } from "../../engine-sql/sql-text.ts";
import type { ColumnKind } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";

type Print = (value: unknown) => string;

const PRINTERS: Record<ColumnKind, Print> = {
  address: printBytes,
  pool_id: printBytes,
  hash: printBytes,
  bytes: printBytes,
  text: printText,
  label: printText,
  integer: String,
  small: String,
  wei: String,
  amount: String,
  double: printDouble,
  time: printTime,
};

/**
 * Prints rows as the tuples after `VALUES`, with columns in the table's declared order. Every value is one
 * literal: the engine parses expressions far more slowly. The rows must be encodable (`encodeRows`), which
 * checks their values.
 */
export function printRows(table: Table, rows: readonly Record<string, unknown>[]): Sql {
  const printers = Object.entries(table.columns).map(([name, { kind }]) => [name, PRINTERS[kind]] as const);
  const printed = rows.map((row) => {
    const values = printers.map(([name, print]) => (row[name] === null ? "NULL" : print(row[name])));
    return `(${values.join(",")})`;
  });
  return printed.join(",") as Sql;
}

/** Prints `0x…` text as a string of escaped bytes. */
function printBytes(value: unknown): string {
  return `'${String(value).slice(2).replace(/../g, "\\x$&")}'`;
}

function printText(value: unknown): string {
  return text(String(value));
}

/** `String` would drop the sign of -0. */
function printDouble(value: unknown): string {
  return Object.is(value, -0) ? "-0." : String(value);
}

/** Ten digits, because the engine reads shorter numbers as years. */
function printTime(value: unknown): string {
  return String(value).padStart(10, "0");
}
