import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { BaseError } from "../../lib/error.ts";
import type { Column, ColumnKind } from "../../schema/column.ts";
import type { Table } from "../../schema/table.ts";
import { ByteWriter, InvalidValue } from "./byte-writer.ts";

type Write = (out: ByteWriter, value: unknown) => void;

interface ColumnWriter {
  name: string;
  nullable: boolean;
  write: Write;
}

const WRITERS: Record<ColumnKind, Write> = {
  address: (out, value) => out.fixedHex(value, 20),
  pool_id: (out, value) => out.hexString(value, [20, 32]),
  hash: (out, value) => out.fixedHex(value, 32),
  bytes: (out, value) => out.hexString(value),
  text: (out, value) => out.string(value),
  label: (out, value) => out.string(value),
  integer: (out, value) => out.safeInteger(value),
  uint64: (out, value) => out.uint64(value),
  small: (out, value) => out.uint8(value),
  wei: (out, value) => out.uint256(value),
  amount: (out, value) => out.uint256(value),
  double: (out, value) => out.float64(value),
  time: (out, value) => out.uint32(value, MAX_TIMESTAMP),
};

const compiled = new WeakMap<Table["columns"], ColumnWriter[]>();

function writersOf(columns: Table["columns"]): ColumnWriter[] {
  let writers = compiled.get(columns);
  if (writers === undefined) {
    writers = Object.entries(columns).map(([name, column]: [string, Column]) => ({
      name,
      nullable: column.nullable,
      write: WRITERS[column.kind],
    }));
    compiled.set(columns, writers);
  }
  return writers;
}

/**
 * Encodes rows in the engine's RowBinary format, with columns in the table's declared order, in chunks of a
 * few megabytes. Throws an error with table, column and row for a value that the column cannot hold exactly:
 * a missing column, null where it is not allowed, hex text of the wrong length, an unsafe or negative
 * integer, NaN or Infinity.
 */
export function encodeRows(table: Table, rows: readonly Record<string, unknown>[]): Uint8Array[] {
  const writers = writersOf(table.columns);
  const out = new ByteWriter();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as Record<string, unknown>;
    for (const writer of writers) {
      try {
        encodeField(writer, row[writer.name], out);
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        throw new UnencodableRow(`${table.name}.${writer.name}, row ${i}: ${error.message}`);
      }
    }
    out.endRow();
  }
  return out.chunks();
}

function encodeField({ nullable, write }: ColumnWriter, value: unknown, out: ByteWriter): void {
  if (nullable) {
    out.uint8(value === null ? 1 : 0);
    if (value === null) return;
  }
  write(out, value);
}

class UnencodableRow extends BaseError {
  constructor(message: string) {
    super("internal", message);
  }
}
