import type { RowBatch } from "../rows/cells/row-batch.ts";

/** The rows and columns of a file to read. */
export interface ReadRows {
  columns: readonly string[];
  /** Name of the column with the block number. */
  blockColumn: string;
  /** Rows of earlier blocks may be omitted. */
  fromBlock: number;
}

/** An open file with the rows of a table, in file order. */
export interface TableFile {
  /** Name of the file for error messages. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns with rounded numbers. */
  readonly roundedColumns: ReadonlySet<string>;
  /**
   * Returns the block numbers of the first and the last row; null if the file has no rows.
   *
   * @throws InvalidFile
   */
  blockRange(blockColumn: string): Promise<{ first: number; last: number } | null>;
  /** @throws InvalidFile */
  batches(read: ReadRows): AsyncGenerator<RowBatch>;
  close(): Promise<void>;
}
