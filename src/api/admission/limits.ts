import { totalmem } from "node:os";
import type { QueryLimits } from "../../reads/snapshot/snapshot.ts";
import { SQL_LIMITS } from "../../sql/syntax/limits.ts";

/** Bounds of the HTTP service; each can be configured. */
export interface ApiLimits {
  /** Bytes of a request body. 10,000 addresses take 450 KB as JSON. */
  bodyBytes: number;
  /** Characters of a URL. 25 addresses take 1,100; what is longer belongs into a body. */
  urlLength: number;
  /** Time of one engine query. */
  queryTimeMs: number;
  /** Engine memory of one query: a few at once must leave room for the indexer on an 8 GB machine. */
  queryMemoryBytes: number;
  /** Clients' SQL queries of more than `quickMs` at once: a third of what the embedded engine runs, so that others get through. */
  concurrentQueries: number;
  /** Clients' SQL queries that run besides, each for up to `quickMs`: another third. */
  quickQueries: number;
  /** The longest that a query is quick: most on an index take a tenth, and who waits behind one still waits little. */
  quickMs: number;
  /** Largest LIMIT of an SQL query that is not answered as JSON: a file of Parquet of some 100 MB. */
  sqlRows: number;
  /** UTF-8 bytes of an SQL text. */
  sqlTextBytes: number;
  /** Levels of nested expressions in an SQL text. */
  sqlDepth: number;
  /** Other questions at once: short, so that more of them may run. */
  concurrentReads: number;
  /** Requests that may wait for their turn, of each kind; the next ones are told to come back (429). */
  waitingRequests: number;
  /** Longest wait for a turn: clients and proxies often give up after 30 s. */
  waitMs: number;
  /** Bytes that all answers on their way hold in memory, each at most half of what is free; the rest waits in files. */
  answerMemoryBytes: number;
  /** Bytes of an SQL answer: 100,000 rows of 5 KB. */
  answerBytes: number;
  /** Time that running requests get to finish when the service stops. */
  shutdownMs: number;
}

export const DEFAULT_LIMITS: ApiLimits = {
  bodyBytes: 1024 * 1024,
  urlLength: 8192,
  queryTimeMs: 30_000,
  queryMemoryBytes: 2 * 1024 ** 3,
  concurrentQueries: 2,
  quickQueries: 2,
  quickMs: 1_000,
  sqlRows: 1_000_000,
  sqlTextBytes: SQL_LIMITS.textBytes,
  sqlDepth: SQL_LIMITS.depth,
  concurrentReads: 16,
  waitingRequests: 200,
  waitMs: 10_000,
  answerMemoryBytes: Math.floor(machineMemoryBytes() / 16),
  answerBytes: 512 * 1024 * 1024,
  shutdownMs: 10_000,
};

/** A container's bound, where there is one. */
function machineMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The bounds of one engine query on behalf of one request. */
export function queryLimits({ queryTimeMs, queryMemoryBytes }: ApiLimits, signal: AbortSignal): QueryLimits {
  return { timeoutMs: queryTimeMs, memoryBytes: queryMemoryBytes, signal };
}
