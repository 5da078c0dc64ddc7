import { basename } from "node:path";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { BaseError } from "../../../lib/error.ts";
import { ByteFile } from "../../e2store/byte-file.ts";
import { InvalidFile, invalidAt } from "../../e2store/invalid-file.ts";
import { RowBatch } from "../cells/row-batch.ts";
import type { ReadRows, TableFile } from "../table-file.ts";
import { groupsOf, type RowGroup, requireLayout } from "./layout.ts";

/** A Parquet file. Its row groups are read one at a time, so each must fit in memory. */
export class ParquetFile implements TableFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly roundedColumns: ReadonlySet<string>;
  readonly #file: ByteFile;
  readonly #metadata: FileMetaData;
  readonly #groups: readonly RowGroup[];

  private constructor(file: ByteFile, metadata: FileMetaData) {
    this.name = basename(file.name);
    this.#file = file;
    this.#metadata = metadata;
    this.columns = topLevel(metadata).map(({ name }) => name);
    this.roundedColumns = new Set(
      topLevel(metadata)
        .filter(({ type, converted_type, logical_type }) =>
          [type, converted_type, logical_type?.type].some((one) => ROUNDED.has(one ?? "")),
        )
        .map(({ name }) => name),
    );
    this.#groups = groupsOf(metadata, this.name);
  }

  /** @throws InvalidFile, UnreadableFile */
  static async open(path: string): Promise<ParquetFile> {
    const file = await ByteFile.open(path);
    try {
      return await naming(basename(path), "footer", async () => {
        const metadata = await parquetMetadataAsync(bufferOf(file));
        requireLayout(metadata, file);
        return new ParquetFile(file, metadata);
      });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async blockRange(blockColumn: string): Promise<{ first: number; last: number } | null> {
    const [first] = this.#groups;
    const last = this.#groups.at(-1);
    if (first === undefined || last === undefined) return null;
    const firstRows = await this.#batch(first, [blockColumn], blockColumn);
    const lastRows = last === first ? firstRows : await this.#batch(last, [blockColumn], blockColumn);
    return { first: firstRows.blockOf(0), last: lastRows.blockOf(lastRows.rows - 1) };
  }

  async *batches({ columns, blockColumn, fromBlock }: ReadRows): AsyncGenerator<RowBatch> {
    for (const group of this.#groups) {
      if (fromBlock > 0) {
        const blocks = await this.#batch(group, [blockColumn], blockColumn);
        if (blocks.blockOf(blocks.rows - 1) < fromBlock) continue;
      }
      yield await this.#batch(group, columns, blockColumn);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #batch(group: RowGroup, columns: readonly string[], blockColumn: string): Promise<RowBatch> {
    const cells = new Map<string, ArrayLike<unknown>>();
    for (const column of columns) {
      const place = `rows ${group.start + 1} to ${group.start + group.rows}, column ${column}`;
      const values = await naming(this.name, place, () => this.#cells(group, column));
      if (values.length !== group.rows) {
        throw new InvalidFile(this.name, place, `the column has ${values.length} values`);
      }
      cells.set(column, values);
    }
    return new RowBatch({
      file: this.name,
      firstRow: group.start + 1,
      cells,
      blockColumn,
      rows: group.rows,
    });
  }

  /** Columns are read one by one, so only one column's encoded bytes are in memory. */
  async #cells({ start, rows }: RowGroup, column: string): Promise<ArrayLike<unknown>> {
    const chunks: { rowStart: number; columnData: ArrayLike<unknown> }[] = [];
    await parquetRead({
      file: bufferOf(this.#file),
      metadata: this.#metadata,
      columns: [column],
      rowStart: start,
      rowEnd: start + rows,
      utf8: false,
      geoparquet: false,
      compressors,
      onChunk: (chunk) => chunks.push(chunk),
    });
    const [only] = chunks;
    if (chunks.length === 1 && only !== undefined) return only.columnData;
    return chunks.flatMap(({ columnData }) => Array.from(columnData));
  }
}

const ROUNDED: ReadonlySet<string> = new Set(["DOUBLE", "FLOAT", "FLOAT16", "DECIMAL"]);

function topLevel({ schema }: FileMetaData) {
  const columns: FileMetaData["schema"] = [];
  let nested = 0;
  for (const element of schema.slice(1)) {
    if (nested === 0) columns.push(element);
    nested = Math.max(0, nested - 1) + (element.num_children ?? 0);
  }
  return columns;
}

function bufferOf(file: ByteFile): AsyncBuffer {
  return {
    byteLength: file.size,
    slice(start, end = file.size) {
      const bytes = sliceOf(file, start, end);
      // The library begins several reads at once. When one fails, it abandons the others, and their errors would
      // end the process.
      bytes.catch(() => {});
      return bytes;
    },
  };
}

async function sliceOf(file: ByteFile, start: number, end: number): Promise<ArrayBuffer> {
  const isInside = Number.isSafeInteger(start) && start >= 0 && end >= start && end <= file.size;
  if (!isInside) throw invalidAt(basename(file.name), start, `the footer names bytes ${start} to ${end}`);
  const { buffer, byteOffset, length } = await file.read(start, end - start);
  if (byteOffset === 0 && length === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
}

/** Runs a read of the library, which throws errors of all kinds on damaged files. */
async function naming<T>(file: string, place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof BaseError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidFile(file, place, `it cannot be decoded (${reason})`, cause);
  }
}
