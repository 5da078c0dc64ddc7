import { bytesLiteral, double, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { ColumnKind } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";

type Print = (value: unknown) => Sql;

const bytes: Print = (value) => bytesLiteral(value as string);
const string: Print = (value) => text(value as string);
const whole: Print = (value) => integer(value as number | bigint);

const PRINTERS: Record<ColumnKind, Print> = {
  address: bytes,
  pool_id: bytes,
  hash: bytes,
  bytes,
  text: string,
  label: string,
  integer: whole,
  uint64: whole,
  small: whole,
  wei: whole,
  amount: whole,
  double: (value) => double(value as number),
  time: (value) => timeLiteral(value as number),
};

/**
 * Prints rows as the tuples after `VALUES`, with columns in the table's declared order. Every value is one
 * literal. The rows must have passed `encodeRows`, which checks them.
 */
export function printRows(table: Table, rows: readonly Record<string, unknown>[]): Sql {
  const printers = Object.entries(table.columns).map(([name, { kind }]) => [name, PRINTERS[kind]] as const);
  const printed = rows.map((row) =>
    join(printers.map(([name, print]) => (row[name] === null ? sql`NULL` : print(row[name])))),
  );
  return join(printed.map((values) => sql`(${values})`));
}

/** Prints ten digits, because the engine reads shorter numbers as years. */
function timeLiteral(timestamp: number): Sql {
  return integer(timestamp).padStart(10, "0") as Sql;
}
