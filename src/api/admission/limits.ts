import { totalmem } from "node:os";
import type { QueryLimits } from "../../reads/snapshot/snapshot.ts";
import { SQL_LIMITS } from "../../sql/syntax/limits.ts";

/** Limits of the HTTP service; each can be configured. */
export interface ApiLimits {
  /** Bytes of a request body. 10,000 addresses take 450 KB as JSON. */
  bodyBytes: number;
  /** Characters of a URL. 25 addresses take 1,100; longer lists need a body. */
  urlLength: number;
  /** Time of one engine query. */
  queryTimeMs: number;
  /** Engine memory of one query: a few concurrent ones must leave room for the indexer on an 8 GB machine. */
  queryMemoryBytes: number;
  /**
   * Concurrent SQL queries of clients that take more than `quickMs`: a third of what the embedded engine
   * runs, so that others get through.
   */
  concurrentQueries: number;
  /** Additional concurrent SQL queries, each for up to `quickMs`: another third. */
  quickQueries: number;
  /**
   * Longest time of a quick query: most queries that use an index take a tenth of it, and the next in the
   * queue waits no longer than this.
   */
  quickMs: number;
  /** Largest LIMIT of an SQL query in formats other than JSON: a Parquet file of about 100 MB. */
  sqlRows: number;
  /** UTF-8 bytes of an SQL text. */
  sqlTextBytes: number;
  /** Levels of nested expressions in an SQL text. */
  sqlDepth: number;
  /** Concurrent requests to other endpoints, which are short, so more of them may run. */
  concurrentReads: number;
  /** Requests that may wait in each queue; further ones are rejected (429). */
  waitingRequests: number;
  /** Longest wait in a queue: clients and proxies often give up after 30 s. */
  waitMs: number;
  /**
   * Bytes of all unsent answers in memory, each at most half of what is free; the rest is in temporary files.
   */
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

/** The memory of the machine, or the limit of its container. */
function machineMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The limits of one engine query for one request. */
export function queryLimits({ queryTimeMs, queryMemoryBytes }: ApiLimits, signal: AbortSignal): QueryLimits {
  return { timeoutMs: queryTimeMs, memoryBytes: queryMemoryBytes, signal };
}
