import type { Sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import type { Rows } from "../schema/tables.ts";

/** The newest block whose rows exist for readers. */
export interface Commit {
  /** Counts commits and rollbacks of the chain, from 1. */
  sequence: number;
  /** First block that was ever indexed. */
  firstBlock: number;
  blockNumber: number;
  blockHash: Hex;
  /** Unix seconds. */
  timestamp: number;
  /** Newest stored block that could not be undone any more when this was committed; null where none was known. */
  finalized: number | null;
  /** Unix seconds, by this machine's clock. */
  committedAt: number;
}

/** The rows of consecutive blocks, complete: they are committed together or not at all. */
export interface Batch {
  firstBlock: number;
  lastBlock: BlockName;
  rows: Rows;
  /** Newest block that cannot be undone any more, where one is known. */
  finalized?: number | null;
}

/** Names a block of the chain. */
export interface BlockName {
  number: number;
  hash: Hex;
  /** Unix seconds. */
  timestamp: number;
}

/** Bounds of one query; what exceeds them fails with `timeout` or `memory`. */
export interface QueryLimits {
  timeoutMs?: number;
  memoryBytes?: number;
  signal?: AbortSignal;
}

/** Bounds of an answer that is streamed, and who is told of the work behind it. */
export interface StreamLimits extends QueryLimits {
  /**
   * True: pieces come while the query runs, and it fails in their middle, if it fails. For those who drop what they
   * took when that happens. Otherwise nothing comes before the answer is whole.
   */
  whileRunning?: boolean;
  /** The most bytes that the answer can have, where that is known: a small one comes sooner, in one piece. */
  maxBytes?: number;
  /** Told behind the last piece, at the latest. */
  onWork?(work: QueryWork): void;
}

/** What a query came to; null where the engine does not tell. */
export interface QueryWork {
  /** Rows of the answer. */
  rows: number | null;
  /** Rows that the engine read for it. */
  rowsRead: number | null;
}

/** Runs SQL that our own printers wrote: in-process or on a server, alike. */
export interface Engine {
  /** All rows of a query, as the engine's JSONEachRow gives them. */
  query<R>(sql: Sql, limits?: QueryLimits): Promise<R[]>;
  /** A query's answer as bytes in an engine format, e.g. `JSONEachRow`, `Parquet`; leaving the loop cancels it. */
  stream(sql: Sql, format: string, limits?: StreamLimits): AsyncIterable<Uint8Array>;
  /** DDL and other statements without an answer. */
  execute(sql: Sql): Promise<void>;
  /** Appends rows, encoded as RowBinary in the order of `columns`. */
  insert(table: string, columns: readonly string[], rowBinary: Uint8Array[]): Promise<void>;
  close(): Promise<void>;
}

/** What readers need to know of a stored chain. */
export interface ChainCommits {
  /** Name of the chain: the prefix of its tables. */
  readonly chain: string;
  /** Newest commit; null while nothing is indexed. */
  committed(): Promise<Commit | null>;
}

/** A stored chain and its one writer. Any number of readers may be at work meanwhile. */
export interface ChainStore extends ChainCommits {
  /** Writes a batch; it exists for readers when this resolves, and does not if it rejects. */
  commit(batch: Batch): Promise<Commit>;
  /** Takes back every block above the given one, which is the newest from then on. */
  rollback(block: BlockName): Promise<Commit>;
  /**
   * Mends committed blocks: removes every row of blocks `first` to `last` and writes these instead. Interrupted,
   * it leaves them damaged; done again, it is as if it had run once.
   */
  replace(blocks: { first: number; last: number }, rows: Rows): Promise<void>;
}
