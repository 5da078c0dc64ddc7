import { basename } from "node:path";
import type { FileMetaData } from "hyparquet";
import type { ByteFile } from "../../e2store/byte-file.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";

/** A group of rows of a file, stored column by column. */
export interface RowGroup {
  /** Number of rows in the file before the group. */
  start: number;
  rows: number;
}

/** The layout of a file's rows, according to its footer. */
export interface Layout {
  columns: readonly string[];
  /** Columns with rounded numbers. */
  roundedColumns: readonly string[];
  /** The row groups that are not empty. */
  groups: readonly RowGroup[];
}

/**
 * Maximum number of rows in a row group. There is a limit because one group of each kind of file is held in
 * memory. cryo writes groups of at most 262,144 rows.
 */
const MAX_GROUP_ROWS = 4_194_304;

/**
 * Maximum uncompressed size of one column of a row group. The compressed size is at most the size of the
 * file.
 */
const MAX_COLUMN_BYTES = 2 ** 30;

/**
 * Maximum size of the values of a row group that are read, because they are in memory together. Without it, a
 * file of a few megabytes could take a gigabyte for each column.
 */
export const MAX_GROUP_BYTES = 2 ** 30;

const PARQUET_MAGIC = "PAR1";

/** Thrown if the values of a row group exceed `MAX_GROUP_BYTES`. */
export class TooManyBytes extends InvalidFile {
  constructor(path: string, { start, rows }: RowGroup) {
    const place = `rows ${start + 1} to ${start + rows}`;
    super(basename(path), place, `the values take more than ${MAX_GROUP_BYTES} bytes of memory`);
  }
}

/**
 * Checks the sizes that a footer declares, before memory is allocated for them.
 *
 * @throws InvalidFile
 */
export function requireLayout(metadata: FileMetaData, file: ByteFile): void {
  const invalid = (problem: string) => new InvalidFile(basename(file.name), "footer", problem);
  if (file.size < 2 * PARQUET_MAGIC.length) throw invalid("the file is too short");
  let rows = 0n;
  for (const [i, group] of metadata.row_groups.entries()) {
    if (group.num_rows < 0n || group.num_rows > MAX_GROUP_ROWS) {
      throw invalid(`row group ${i} has ${group.num_rows} rows, above the limit of ${MAX_GROUP_ROWS}`);
    }
    rows += group.num_rows;
    for (const { meta_data: column } of group.columns) {
      if (column === undefined) throw invalid(`row group ${i} has a column without metadata`);
      const {
        total_compressed_size: packed,
        total_uncompressed_size: unpacked,
        path_in_schema: path,
      } = column;
      if (packed < 0n || packed > file.size || unpacked < 0n || unpacked > MAX_COLUMN_BYTES) {
        throw invalid(
          `row group ${i}, column ${path.join(".")}: invalid size: ${packed} bytes compressed, ${unpacked} uncompressed`,
        );
      }
    }
  }
  if (rows !== metadata.num_rows) {
    throw invalid(`the file has ${metadata.num_rows} rows, but its row groups have ${rows}`);
  }
}

export function groupsOf({ row_groups }: FileMetaData, file: string): RowGroup[] {
  let start = 0;
  return row_groups.flatMap(({ num_rows }) => {
    const group = { start, rows: Number(num_rows) };
    start += group.rows;
    if (!Number.isSafeInteger(start)) throw new InvalidFile(file, "footer", "too many rows");
    return group.rows === 0 ? [] : [group];
  });
}

const ROUNDED: ReadonlySet<string> = new Set(["DOUBLE", "FLOAT", "FLOAT16", "DECIMAL"]);

export function columnsOf(metadata: FileMetaData): Pick<Layout, "columns" | "roundedColumns"> {
  const columns = topLevel(metadata);
  const rounded = columns.filter(({ type, converted_type, logical_type }) =>
    [type, converted_type, logical_type?.type].some((one) => ROUNDED.has(one ?? "")),
  );
  return { columns: columns.map(({ name }) => name), roundedColumns: rounded.map(({ name }) => name) };
}

function topLevel({ schema }: FileMetaData) {
  const columns: FileMetaData["schema"] = [];
  let nested = 0;
  for (const element of schema.slice(1)) {
    if (nested === 0) columns.push(element);
    nested = Math.max(0, nested - 1) + (element.num_children ?? 0);
  }
  return columns;
}
