import type { RowBatch } from "./cells/row-batch.ts";

/** Which rows and columns of a file to read. */
export interface ReadRows {
  columns: readonly string[];
  /** The column that has the block number of each row. */
  blockColumn: string;
  /** Rows of earlier blocks may be left out. */
  fromBlock: number;
}

/** An open file with the rows of a table, in the order in which they are stored. */
export interface TableFile {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of numbers that are rounded. */
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
