import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { BaseError } from "../../../lib/error.ts";
import { formatsWith, recognize } from "../../rows/formats/recognize.ts";
import {
  blockColumnOf,
  readColumns,
  type TableFormat,
  type TableKind,
} from "../../rows/formats/table-format.ts";
import { ParquetFile } from "../parquet/parquet-file.ts";
import type { TableFile } from "../table-file.ts";
import { TextFile } from "../text/text-file.ts";

/** A file with rows of one kind. */
export interface TablePlace {
  name: string;
  kind: TableKind;
  format: TableFormat;
  /**
   * The first and last block, according to its rows or its name. A name may claim blocks that have no rows.
   */
  first: number;
  last: number;
  /** Opens the file. The caller must close it. */
  open(): Promise<{ file: TableFile; columns: readonly string[] }>;
}

/**
 * A file whose format is not known for certain yet, because files of several formats may have the same
 * columns.
 */
export interface FoundTable {
  path: string;
  kind: TableKind;
  formats: readonly TableFormat[];
  /** Null if the file has no rows. */
  range: RowRange | null;
}

/** The blocks of the first and the last row of a file. */
export interface RowRange {
  first: number;
  last: number;
}

const EXTENSION = /\.(parquet|csv|json|jsonl|ndjson)$/i;

export function isTableFile(name: string): boolean {
  return EXTENSION.test(name);
}

/** @throws InvalidFile */
export function openTableFile(path: string): Promise<TableFile> {
  return path.toLowerCase().endsWith(".parquet") ? ParquetFile.open(path) : TextFile.open(path);
}

/**
 * Returns what a file contains, according to its columns; null if Quarry does not read files with these
 * columns.
 *
 * @throws InvalidFile
 */
export async function findTable(path: string): Promise<FoundTable | null> {
  const file = await openTableFile(path);
  try {
    const found = recognize(file.columns);
    const [format] = found?.formats ?? [];
    if (found === null || format === undefined) return await emptyTable(path);
    return { path, ...found, range: await file.blockRange(blockColumnOf(format, found.kind)) };
  } finally {
    await file.close();
  }
}

const EMPTY_NAME = /^(?<kind>blocks|transactions|receipts|logs)(?![a-z])/i;

/**
 * Recognizes an empty file by its name; returns null for other files. If there are no rows, ethereum-etl
 * writes a file of zero bytes.
 */
async function emptyTable(path: string): Promise<FoundTable | null> {
  const named = EMPTY_NAME.exec(basename(path))?.groups?.kind?.toLowerCase();
  if (named === undefined || (await stat(path)).size > 0) return null;
  const kind = named as TableKind;
  return { path, kind, formats: formatsWith(kind), range: null };
}

/**
 * Names of cryo's files, with the datatype and range of blocks. A whole chain has tens of thousands of files,
 * and opening all of them takes minutes, so the names are trusted until a file is read.
 */
const CRYO_NAME = /__(?<kind>blocks|transactions|logs)__(?<first>\d{8,})_to_(?<last>\d{8,})\.parquet$/;

/** Returns the kind and range of a file according to its name; null if the name has another form. */
export function tableOfName(path: string): { kind: TableKind; range: RowRange } | null {
  const groups = CRYO_NAME.exec(basename(path))?.groups;
  if (groups === undefined) return null;
  const range = { first: Number(groups.first), last: Number(groups.last) };
  return { kind: groups.kind as TableKind, range };
}

export function placeOf(
  { path, kind, range }: FoundTable & { range: RowRange },
  format: TableFormat,
): TablePlace {
  const name = basename(path);
  return {
    ...{ name, kind, format, ...range },
    async open() {
      const file = await openTableFile(path);
      const found = recognize(file.columns);
      if (found?.kind !== kind || !found.formats.includes(format)) {
        await file.close();
        throw new OtherRows(name, kind, format);
      }
      return { file, columns: readColumns(format, kind, file) };
    },
  };
}

class OtherRows extends BaseError {
  constructor(file: string, kind: TableKind, { origin, marks }: TableFormat) {
    const columns = (marks[kind] ?? []).join(", ");
    super(
      "bad-config",
      `--files: ${file} does not have the rows that its name claims. ` +
        `${origin} files of ${kind} have the columns ${columns}`,
    );
  }
}
