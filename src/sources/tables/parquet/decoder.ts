import { basename } from "node:path";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { BaseError } from "../../../lib/error.ts";
import { ByteFile } from "../../e2store/byte-file.ts";
import { InvalidFile, invalidAt } from "../../e2store/invalid-file.ts";
import { columnsOf, groupsOf, type Layout, type RowGroup, requireLayout } from "./layout.ts";

export interface DecodedCells {
  values: ArrayLike<unknown>;
  /** True if the values are text. They are the text's bytes, because most texts are never needed as such. */
  isText: boolean;
}

/**
 * An open Parquet file. With a damaged one, the library may use unlimited time and memory: see
 * `decode-process.ts`.
 */
export class ParquetDecoder {
  readonly layout: Layout;
  readonly #name: string;
  readonly #file: ByteFile;
  readonly #metadata: FileMetaData;

  private constructor(file: ByteFile, metadata: FileMetaData) {
    this.#name = basename(file.name);
    this.#file = file;
    this.#metadata = metadata;
    this.layout = { ...columnsOf(metadata), groups: groupsOf(metadata, this.#name) };
  }

  /** @throws InvalidFile, UnreadableFile */
  static async open(path: string): Promise<ParquetDecoder> {
    const file = await ByteFile.open(path);
    try {
      return await naming(basename(path), "footer", async () => {
        const metadata = await parquetMetadataAsync(bufferOf(file));
        requireLayout(metadata, file);
        return new ParquetDecoder(file, metadata);
      });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Reads one column of a row group.
   *
   * @throws InvalidFile
   */
  async cells(group: RowGroup, column: string): Promise<DecodedCells> {
    const place = placeOf(group, column);
    const cells = await naming(this.#name, place, () => this.#read(group, column));
    const { length } = cells.values;
    if (length === group.rows) return cells;
    throw new InvalidFile(this.#name, place, `the number of values is ${length}, expected ${group.rows}`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #read({ start, rows }: RowGroup, column: string): Promise<DecodedCells> {
    let isText = false;
    const stringFromBytes = (bytes: Uint8Array | undefined) => {
      isText = true;
      return bytes;
    };
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
      parsers: { stringFromBytes },
      onChunk: (chunk) => chunks.push(chunk),
    });
    const [only] = chunks;
    if (chunks.length === 1 && only !== undefined) return { values: only.columnData, isText };
    return { values: chunks.flatMap(({ columnData }) => Array.from(columnData)), isText };
  }
}

/** Returns the name of a column of a row group, for error messages. */
export function placeOf({ start, rows }: RowGroup, column: string): string {
  return `rows ${start + 1} to ${start + rows}, column ${column}`;
}

function bufferOf(file: ByteFile): AsyncBuffer {
  return {
    byteLength: file.size,
    slice(start, end = file.size) {
      const bytes = sliceOf(file, start, end);
      // The library begins several reads at once. When one fails, it abandons the others, whose errors would
      // end the process.
      bytes.catch(() => {});
      return bytes;
    },
  };
}

async function sliceOf(file: ByteFile, start: number, end: number): Promise<ArrayBuffer> {
  const isInside = Number.isSafeInteger(start) && start >= 0 && end >= start && end <= file.size;
  if (!isInside)
    throw invalidAt(
      basename(file.name),
      start,
      `the footer points to bytes ${start} to ${end}, outside the file`,
    );
  const { buffer, byteOffset, length } = await file.read(start, end - start);
  if (byteOffset === 0 && length === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
}

/**
 * Runs a read by the library. Replaces any error that the library throws for a damaged file with an
 * InvalidFile that names the file and the place.
 */
async function naming<T>(file: string, place: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof BaseError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidFile(file, place, `it cannot be decoded (${reason})`, cause);
  }
}
