import { basename } from "node:path";
import type { Cells } from "../../rows/cells/cells.ts";
import { RowBatch } from "../../rows/cells/row-batch.ts";
import type { ReadRows, TableFile } from "../table-file.ts";
import { DecodeClient } from "./decode-client.ts";
import type { DecodedFile } from "./decode-process.ts";
import { type Layout, MAX_GROUP_BYTES, type RowGroup } from "./layout.ts";

/** All files share one process, which decodes them one at a time. */
const client = new DecodeClient();

/** A Parquet file. Its row groups are read one at a time, so each must fit in memory. */
export class ParquetFile implements TableFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly roundedColumns: ReadonlySet<string>;
  readonly #file: DecodedFile;
  readonly #groups: readonly RowGroup[];

  private constructor(file: DecodedFile, { columns, roundedColumns, groups }: Layout) {
    this.name = basename(file.path);
    this.columns = columns;
    this.roundedColumns = new Set(roundedColumns);
    this.#file = file;
    this.#groups = groups;
  }

  /** @throws InvalidFile, UnreadableFile */
  static async open(path: string): Promise<ParquetFile> {
    const { file, layout } = await client.open(path);
    return new ParquetFile(file, layout);
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
    return client.close(this.#file);
  }

  /**
   * Reads a row group column by column, so only one column's encoded bytes are in memory.
   *
   * @throws InvalidFile if the values of the group are too large
   */
  async #batch(group: RowGroup, columns: readonly string[], blockColumn: string): Promise<RowBatch> {
    const cells = new Map<string, Cells>();
    let maxBytes = MAX_GROUP_BYTES;
    for (const column of columns) {
      const { values, bytes } = await client.cells(this.#file, group, { column, maxBytes });
      cells.set(column, values);
      maxBytes -= bytes;
    }
    return new RowBatch({
      ...{ file: this.name, firstRow: group.start + 1, rows: group.rows },
      cells,
      blockColumn,
      bytes: MAX_GROUP_BYTES - maxBytes,
    });
  }
}
