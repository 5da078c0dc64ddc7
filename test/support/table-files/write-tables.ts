import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { toBytes } from "../../../src/lib/hex.ts";
import type { CellType, TableColumns, TableOfFile } from "./table-rows.ts";

type Element = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

const ELEMENTS: Record<CellType, Omit<Element, "name">> = {
  bytes: { type: "BYTE_ARRAY" },
  u32: { type: "INT32", converted_type: "UINT_32" },
  u64: { type: "INT64", converted_type: "UINT_64" },
  flag: { type: "BOOLEAN" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  double: { type: "DOUBLE" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  texts: {},
};

export interface ParquetOptions {
  /** Bytes as hex text, like `cryo --hex`. */
  isHex?: boolean;
  rowGroupSize?: number;
}

/** Writes a Parquet file. */
export function parquetOf(
  table: TableColumns,
  { isHex = false, rowGroupSize = 500 }: ParquetOptions = {},
): Buffer {
  const columns = Object.entries(table);
  const schema: Element[] = [{ name: "root", num_children: columns.length }];
  for (const [name, { type }] of columns)
    schema.push(...elementsOf(name, isHex && type === "bytes" ? "text" : type));
  const columnData = columns.map(([name, { type, cells }]) => ({
    name,
    data: cells.map((cell) => (cell === null ? null : parquetCell(cell, type, isHex))) as never,
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, schema, rowGroupSize }));
}

function elementsOf(name: string, type: CellType): Element[] {
  if (type !== "texts") return [{ name, repetition_type: "OPTIONAL", ...ELEMENTS[type] }];
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "OPTIONAL", type: "BYTE_ARRAY", converted_type: "UTF8" },
  ];
}

function parquetCell(cell: unknown, type: CellType, isHex: boolean): unknown {
  if (type === "bytes" && !isHex) return Uint8Array.from(toBytes(cell as string));
  if (type === "u32") return Number(cell);
  return cell;
}

/** Writes a csv file as ethereum-etl does. */
export function csvOf(table: TableColumns): Buffer {
  const names = Object.keys(table);
  const lines = rowsOf(table).map((row) => row.map(csvCell).join(","));
  return Buffer.from(`${[names.join(","), ...lines].join("\r\n")}\r\n`);
}

function csvCell(cell: unknown): string {
  if (cell === null) return "";
  const text = Array.isArray(cell) ? cell.join(",") : String(cell);
  return text.includes(",") ? `"${text}"` : text;
}

/** Writes JSON lines as ethereum-etl does, with numbers of any size as JSON numbers. */
export function jsonOf(table: TableColumns): Buffer {
  const names = Object.keys(table);
  const lines = rowsOf(table).map((row) => {
    const fields = row.map(
      (cell, i) => `"${names[i]}": ${typeof cell === "bigint" ? cell : JSON.stringify(cell)}`,
    );
    return `{${fields.join(", ")}}\n`;
  });
  return Buffer.from(lines.join(""));
}

function rowsOf(table: TableColumns): unknown[][] {
  const columns = Object.values(table);
  return (columns[0]?.cells ?? []).map((_, i) => columns.map(({ cells }) => cells[i]));
}

/** Writes files of all kinds to a folder, and returns it. */
export function writeTables(
  folder: string,
  tables: TableOfFile,
  { write, nameOf }: { write: (table: TableColumns) => Buffer; nameOf: (kind: string) => string },
): string {
  for (const [kind, table] of Object.entries(tables) as [string, TableColumns][]) {
    const path = join(folder, nameOf(kind));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, write(table));
  }
  return folder;
}

/** Returns a table with only the given columns. */
export function withColumns(table: TableColumns, names: readonly string[]): TableColumns {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
}
