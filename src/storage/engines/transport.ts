import type { Writable } from "node:stream";
import { ANSWER_SETTINGS } from "../../engine-sql/column-types.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import type { QueryWork } from "../store.ts";

/** A question about 10,000 addresses or hashes, the most that an endpoint takes, is 700 kB of SQL. */
const MAX_QUERY_BYTES = 4 * 1024 * 1024;

/**
 * How files are written. A null in CSV is an empty field, an empty text is `""`. What is compressed is compressed so that
 * every reader of the format can read it. Row groups are held in memory until they are full.
 */
const FILE_SETTINGS = {
  format_csv_null_representation: "",
  output_format_parquet_compression_method: "snappy",
  output_format_parquet_row_group_size: 100_000,
  output_format_arrow_compression_method: "none",
} as const;

/** What every statement runs with, on either transport. */
export const CONNECTION_SETTINGS = {
  ...ANSWER_SETTINGS,
  ...FILE_SETTINGS,
  max_query_size: MAX_QUERY_BYTES,
} as const;

/** One statement on its way to the engine. */
export interface Statement {
  sql: Sql;
  /** Names the running statement, so that it can be killed. */
  id: string;
  settings: Record<string, number | string>;
}

export interface PouringTarget {
  signal: AbortSignal;
  into: Writable;
}

export interface WholeAnswer {
  bytes: Uint8Array;
  work: QueryWork;
}

export interface OpenedAnswer {
  chunks: AsyncIterable<Uint8Array>;
  work: QueryWork;
}

/** How statements reach the engine. Errors are the engine's own, untranslated. */
export interface Transport {
  /** The answer, in memory. `signal` ends the wait for a session; a running statement ends by `kill`. */
  read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer>;
  /** Resolves once the answer is complete on the engine's side, so that no error can come in its middle. */
  open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer>;
  /**
   * Writes the answer into a stream while the statement runs, and leaves that open. Resolves when all is written;
   * when the stream is closed before, the statement ends.
   */
  pour(statement: Statement, format: string, target: PouringTarget): Promise<QueryWork>;
  execute(statement: Statement): Promise<void>;
  /** Runs `INSERT INTO … (…)` with the rows as RowBinary. */
  insert(statement: Statement, rowBinary: readonly Uint8Array[]): Promise<void>;
  /** Asks the engine to end a running statement, without waiting for its end. */
  kill(id: string): Promise<void>;
  close(): Promise<void>;
}
