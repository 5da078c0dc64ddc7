import { engineType } from "../engine-sql/column-types.ts";
import { hexText, identifier, join, type Sql, sql, text } from "../engine-sql/sql-text.ts";
import type { Column, ColumnKind } from "../schema/column.ts";
import type { Table } from "../schema/table.ts";

/** The engine's names of the formats of exported files, keyed by the extension of the file. */
const ENGINE_FORMATS = { parquet: "Parquet", csv: "CSVWithNames", ndjson: "JSONEachRow" } as const;

export type FileFormat = keyof typeof ENGINE_FORMATS;
export const FILE_FORMATS = Object.keys(ENGINE_FORMATS) as FileFormat[];

export function engineFormat(format: FileFormat): string {
  return ENGINE_FORMATS[format];
}

/**
 * The types of values in a file. No value is rounded:
 *
 * | type         | Parquet                   | CSV, NDJSON                     |
 * |--------------|---------------------------|---------------------------------|
 * | hex          | text, `0x…` lower-case    | the same                        |
 * | text         | text                      | text                            |
 * | int64, int32 | INT64, INT32              | number                          |
 * | uint64       | INT64 (unsigned)          | number                          |
 * | decimal      | text, decimal digits      | the same                        |
 * | double       | DOUBLE                    | shortest round-trip decimal     |
 * | timestamp    | TIMESTAMP (ms, UTC)       | ISO 8601 text with milliseconds |
 */
export type FileType = "hex" | "text" | "int64" | "uint64" | "int32" | "decimal" | "double" | "timestamp";

export const FILE_TYPES: Record<ColumnKind, FileType> = {
  address: "hex",
  pool_id: "hex",
  hash: "hex",
  bytes: "hex",
  text: "text",
  label: "text",
  integer: "int64",
  uint64: "uint64",
  small: "int32",
  wei: "decimal",
  amount: "decimal",
  double: "double",
  time: "timestamp",
};

/** A column of a file, as its manifest describes it. */
export interface FileColumn {
  name: string;
  type: FileType;
  nullable: boolean;
}

export function fileColumns({ columns }: Pick<Table, "columns">): FileColumn[] {
  return Object.entries(columns).map(([name, { kind, nullable }]) => ({
    name,
    type: FILE_TYPES[kind],
    nullable,
  }));
}

interface Conversion {
  /** The engine's type of the value in a file. */
  inFile: string;
  /** Converts a stored value to the value in a file. */
  write(stored: Sql): Sql;
  /** Converts a value in a file back to a stored value; the engine casts it to the type of the column. */
  read(value: Sql): Sql;
}

const ISO_TIME: Conversion = {
  inFile: "String",
  write: (stored) => sql`formatDateTime(${stored}, '%Y-%m-%dT%H:%i:%S.000Z')`,
  // parseDateTimeBestEffort would fail on nulls in a column.
  read: (value) => sql`toDateTime(substring(${value}, 1, 19), 'UTC')`,
};

const CONVERSIONS: Record<FileType, Conversion> = {
  hex: { inFile: "String", write: hexText, read: (value) => sql`unhex(substring(${value}, 3))` },
  text: { inFile: "String", write: toText, read: (value) => value },
  int64: { inFile: "Int64", write: (stored) => sql`toInt64(${stored})`, read: (value) => value },
  uint64: { inFile: "UInt64", write: (stored) => stored, read: (value) => value },
  int32: { inFile: "Int32", write: (stored) => sql`toInt32(${stored})`, read: (value) => value },
  decimal: { inFile: "String", write: toText, read: (value) => value },
  double: { inFile: "Float64", write: (stored) => stored, read: (value) => value },
  timestamp: {
    inFile: "DateTime64(3, 'UTC')",
    write: (stored) => sql`toDateTime64(${stored}, 3, 'UTC')`,
    read: (value) => value,
  },
};

/** Converts a value to text. `toString` drops LowCardinality, which not every format supports. */
function toText(stored: Sql): Sql {
  return sql`toString(${stored})`;
}

function conversionOf(kind: ColumnKind, format: FileFormat): Conversion {
  return kind === "time" && format !== "parquet" ? ISO_TIME : CONVERSIONS[FILE_TYPES[kind]];
}

/**
 * Returns the columns of a file, for a SELECT.
 *
 * @param from alias of the stored table; no column name begins with it
 */
export function writtenColumns({ columns }: Table, format: FileFormat, from: Sql): Sql {
  const written = Object.entries(columns).map(([name, { kind }]) => {
    const value = conversionOf(kind, format).write(sql`${from}.${identifier(name)}`);
    return sql`${value} AS ${identifier(name)}`;
  });
  return join(written);
}

/** Returns the stored columns, for a SELECT from `fileTable`. */
export function readColumns({ columns }: Table, format: FileFormat): Sql {
  const read = Object.entries(columns).map(([name, column]) => {
    const value = conversionOf(column.kind, format).read(identifier(name));
    return sql`CAST(${value} AS ${engineType(column)})`;
  });
  return join(read);
}

/** Returns a file as a table of the embedded engine, for use after FROM. */
export function fileTable({ columns }: Table, format: FileFormat, path: string): Sql {
  const structure = Object.entries(columns).map(([name, column]) => `${name} ${typeInFile(column, format)}`);
  return sql`file(${text(path)}, ${engineFormat(format) as Sql}, ${text(structure.join(", "))})`;
}

function typeInFile({ kind, nullable }: Column, format: FileFormat): string {
  const { inFile } = conversionOf(kind, format);
  return nullable ? `Nullable(${inFile})` : inFile;
}
