import type { Writable } from "node:stream";
import { ANSWER_SETTINGS } from "../../engine-sql/column-types.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import type { AddressChanges, QueryWork, StatementUser } from "../store.ts";
import type { LostWrites } from "./server/lost-writes.ts";

/**
 * Maximum length of a query. The SQL for 10,000 addresses or hashes, the most that an endpoint accepts, is
 * 700 kB long.
 */
const MAX_QUERY_BYTES = 4 * 1024 * 1024;

/**
 * How files are written. In CSV, null is an empty field and an empty string is `""`. The compression is one
 * that every reader of the format supports. Row groups are kept in memory until they are full.
 */
const FILE_SETTINGS = {
  format_csv_null_representation: "",
  output_format_parquet_compression_method: "snappy",
  output_format_parquet_row_group_size: 100_000,
  output_format_arrow_compression_method: "none",
} as const;

/**
 * By default, the engine compiles expressions, aggregates and sort orders to machine code on their fourth
 * use. For a wide statement, compilation takes up to half a minute, during which the statement cannot be
 * stopped.
 */
const COMPILE_SETTINGS = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
} as const;

/**
 * By default, the engine combines patterns that are connected by OR, and then fails with "not resolved as
 * ordinary function" if they test an aggregate.
 */
const PATTERN_SETTINGS = { optimize_or_like_chain: 0 } as const;

/** By default, older servers read the last bits of many decimals incorrectly, in text and in `VALUES`. */
const NUMBER_SETTINGS = { precise_float_parsing: 1 } as const;

/** Settings of every statement, on either transport. */
export const CONNECTION_SETTINGS = {
  ...ANSWER_SETTINGS,
  ...FILE_SETTINGS,
  ...COMPILE_SETTINGS,
  ...PATTERN_SETTINGS,
  ...NUMBER_SETTINGS,
  max_query_size: MAX_QUERY_BYTES,
} as const;

export interface Statement {
  sql: Sql;
  /** Identifies the running statement, so that it can be killed. */
  id: string;
  settings: Record<string, number | string>;
  user?: StatementUser;
}

export interface WholeAnswer {
  bytes: Uint8Array;
  work: QueryWork;
}

export interface OpenedAnswer {
  chunks: AsyncIterable<Uint8Array>;
  work: QueryWork;
}

/** Sends statements to the engine. Errors are the engine's own, not translated. */
export interface Transport {
  /** Absent for transports without addresses. */
  readonly addresses?: AddressChanges;
  /** Reads the answer into memory. `signal` ends the wait for a session; `kill` ends a running statement. */
  read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer>;
  /**
   * Resolves when the engine has the complete answer, so that reading it cannot fail with an error from the
   * engine.
   */
  open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer>;
  /**
   * Writes the answer into a stream while the statement runs, and leaves the stream open. Resolves when the
   * whole answer is written. Closing the stream earlier ends the statement.
   */
  streamWhileRunning(
    statement: Statement,
    format: string,
    into: Writable,
    signal: AbortSignal,
  ): Promise<QueryWork>;
  execute(statement: Statement): Promise<void>;
  /**
   * Runs `INSERT INTO … (…)` with the rows as RowBinary. The embedded engine uses the `VALUES` of `print`
   * instead, if it is given.
   */
  insert(statement: Statement, rowBinary: readonly Uint8Array[], print?: () => Sql): Promise<void>;
  /** Requests the end of a running statement, without waiting for it. */
  kill(id: string): Promise<void>;
  /** See `Engine`. */
  readonly isReplicated?: boolean;
  /**
   * Ends writes, waits until they have ended, and then until all replicas have all earlier writes. Transports
   * in this process lose no answers, so they do not implement this.
   */
  settle?(lost: LostWrites): Promise<void>;
  close(): Promise<void>;
}
