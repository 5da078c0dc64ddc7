import { basename } from "node:path";
import { BaseError } from "../../../lib/error.ts";
import { fileBytes } from "../../../lib/regular-file.ts";
import { systemCode } from "../../../lib/system-error.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import { RowBatch } from "../../rows/cells/row-batch.ts";
import type { ReadRows, TableFile } from "../table-file.ts";
import { csvRows } from "./csv-rows.ts";
import { jsonRows } from "./json-rows.ts";
import { firstLineOf, lastLineOf, linesOf } from "./lines.ts";

/**
 * Maximum number of rows of a batch, and of characters in its lines; one line may exceed the latter. Rows are
 * usually short, but a line may have millions of characters, and 4,096 such lines would use up the memory.
 */
const BATCH_ROWS = 4_096;
const BATCH_LENGTH = 32 * 2 ** 20;

/** Parses the lines of a text file. */
export interface LineFormat {
  readonly columns: readonly string[];
  /** True if the first line has the column names instead of a row. */
  readonly hasHeader: boolean;
  /** Returns the cells of each line, in the order of the columns; null for a malformed line. */
  parse(lines: readonly string[]): readonly (readonly unknown[] | null)[];
}

/** A csv file or a file of JSON lines, with one row per line. */
export class TextFile implements TableFile {
  readonly name: string;
  readonly columns: readonly string[];
  /** Empty, because numbers in text are exact. */
  readonly roundedColumns: ReadonlySet<string> = new Set();
  readonly #path: string;
  readonly #format: LineFormat;

  private constructor(path: string, format: LineFormat) {
    this.name = basename(path);
    this.columns = format.columns;
    this.#path = path;
    this.#format = format;
  }

  /** @throws InvalidFile, UnreadableTable */
  static async open(path: string): Promise<TextFile> {
    try {
      await fileBytes(path);
      const first = await firstLineOf(path);
      return new TextFile(path, path.toLowerCase().endsWith(".csv") ? csvRows(first) : jsonRows(first));
    } catch (cause) {
      if (cause instanceof BaseError) throw cause;
      throw new UnreadableTable(path, cause);
    }
  }

  async blockRange(blockColumn: string): Promise<{ first: number; last: number } | null> {
    const read = { columns: [blockColumn], blockColumn, fromBlock: 0 };
    for await (const batch of this.batches(read, 1)) {
      const last = await lastLineOf(this.#path);
      const row = { start: 0, lines: [last ?? ""] };
      return { first: batch.blockOf(0), last: this.#batch(row, read).blockOf(0) };
    }
    return null;
  }

  async *batches(read: ReadRows, batchRows = BATCH_ROWS): AsyncGenerator<RowBatch> {
    let isHeader = this.#format.hasHeader;
    let start = 0;
    let lines: string[] = [];
    let length = 0;
    for await (const line of linesOf(this.#path)) {
      if (!isHeader) {
        lines.push(line);
        length += line.length;
      }
      isHeader = false;
      if (lines.length < batchRows && length < BATCH_LENGTH) continue;
      yield this.#batch({ start, lines }, read);
      start += lines.length;
      lines = [];
      length = 0;
    }
    if (lines.length > 0) yield this.#batch({ start, lines }, read);
  }

  async close(): Promise<void> {}

  #batch({ start, lines }: { start: number; lines: string[] }, { columns, blockColumn }: ReadRows): RowBatch {
    const places = columns.map((column) => this.columns.indexOf(column));
    const cells = columns.map((): unknown[] => []);
    for (const [i, row] of this.#format.parse(lines).entries()) {
      if (row === null) throw new InvalidFile(this.name, `row ${start + i + 1}`, this.#malformed());
      for (const [at, place] of places.entries()) cells[at]?.push(row[place]);
    }
    const byName = new Map(columns.map((column, i) => [column, cells[i] ?? []]));
    return new RowBatch({
      file: this.name,
      firstRow: start + 1,
      cells: byName,
      blockColumn,
      rows: lines.length,
      bytes: lines.reduce((sum, { length }) => sum + length, 0),
    });
  }

  #malformed(): string {
    return this.#format.hasHeader
      ? `the line does not have ${this.columns.length} cells`
      : "the line is not a JSON object with these fields";
  }
}

class UnreadableTable extends BaseError {
  constructor(path: string, cause: unknown) {
    super("bad-config", `cannot read the file ${path} (${systemCode(cause)})`, { cause });
  }
}
