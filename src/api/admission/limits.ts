import { memoryLimitBytes } from "../../lib/memory-limit.ts";
import { HOUR_SECONDS } from "../../lib/seconds.ts";
import type { QueryLimits } from "../../reads/snapshot/snapshot.ts";
import { SQL_LIMITS } from "../../sql/syntax/limits.ts";
import type { KeyLimits } from "../keys/key-limits.ts";
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from "./connection-limits.ts";
import type { Slot } from "./fair-queue.ts";

/** Limits of the HTTP service; each can be configured. */
export interface ApiLimits extends ConnectionLimits {
  /** Maximum bytes of a request body. 10,000 addresses take 450 KB as JSON. */
  bodyBytes: number;
  /** Maximum bytes of all bodies that have not arrived completely or are waiting to be parsed. */
  bodyMemoryBytes: number;
  /** Maximum total size of these bodies per client: enough for eight of the largest. */
  clientBodyBytes: number;
  /** Maximum characters of a URL. 25 addresses take 1,100; longer lists need a body. */
  urlLength: number;
  /** Time limit of one engine query. */
  queryTimeMs: number;
  /**
   * Maximum engine memory of one query: a few concurrent ones must leave room for the indexer on an 8 GB
   * machine.
   */
  queryMemoryBytes: number;
  /**
   * Maximum number of clients' SQL queries that may run for longer than `quickMs` at the same time: a third
   * of the queries that the embedded engine runs at once, so that other requests get through.
   */
  concurrentQueries: number;
  /**
   * Maximum number of additional SQL queries that may run at the same time, each for up to `quickMs`: two for
   * each of two clients.
   */
  quickQueries: number;
  /**
   * Time limit of a quick SQL query, and of a quick request of any other kind. Most queries that use an index
   * take a tenth of it, and the next request in the queue waits no longer than this.
   */
  quickMs: number;
  /** Maximum LIMIT of a SQL query in formats other than JSON: a Parquet file of about 100 MB. */
  sqlRows: number;
  /** Maximum UTF-8 bytes of a SQL query. */
  sqlTextBytes: number;
  /** Maximum depth of nested expressions in a SQL query. */
  sqlDepth: number;
  /**
   * Maximum number of concurrent requests to other endpoints, each for up to `quickMs`, which is enough for
   * most.
   */
  concurrentReads: number;
  /**
   * Maximum number of additional requests to other endpoints, for requests that take longer. Together with
   * `concurrentQueries`, it is one fewer than the number of queries that the embedded engine runs at once.
   */
  longReads: number;
  /** Maximum number of requests that wait in each queue; further ones are rejected (503). */
  waitingRequests: number;
  /** Maximum number of one client's requests that wait in each queue; further ones are rejected (429). */
  clientWaiting: number;
  /**
   * Maximum share of the slots of each tier that one client may take; half of it while other clients are
   * active. The number of slots is rounded up.
   */
  clientShare: number;
  /**
   * Maximum number of pipelined requests per address: requests sent before the response to an earlier request
   * on the same connection. Further ones wait in their connections. Browsers and proxies send one at a time.
   */
  pipelinedRequests: number;
  /**
   * Maximum bytes of one client's unread answers, enough for two of the largest. Beyond this, further
   * requests of the client get 429.
   */
  clientUnreadBytes: number;
  /** Maximum average requests per second per client; 0: no limit. */
  clientRate: number;
  /** How many requests a client may send at once before `clientRate` applies. */
  clientBurst: number;
  /** Share of a key's rate limit that this process admits; less than 1 in a worker. */
  rateShare: number;
  /** Time before a rejection (429 or 503) is sent, so that a client that retries immediately costs little. */
  rejectionDelayMs: number;
  /** Maximum number of rejections that are delayed at the same time: 10 KB each. */
  delayedRejections: number;
  /**
   * Maximum number of wrong keys that an address may send in a minute: enough for a client with an old key to
   * notice.
   */
  wrongKeys: number;
  /** Maximum wait in a queue: clients and proxies often give up after 30 s. */
  waitMs: number;
  /**
   * Maximum bytes of all unsent answers in memory. Each answer may take at most half of the free memory; the
   * rest of it goes to a temporary file.
   */
  answerMemoryBytes: number;
  /** Maximum bytes of SQL answers cached for identical requests; 0: no cache. */
  sqlCacheBytes: number;
  /**
   * Maximum bytes of the temporary files of all unsent answers, enough for four of the largest. A client may
   * use half of the space that other clients leave free.
   */
  answerDiskBytes: number;
  /** Maximum bytes of these files per client, enough for two of the largest. */
  clientDiskBytes: number;
  /**
   * A client that reads a buffered answer more slowly than this, on average over the window, is disconnected.
   * 0: no client is disconnected. Even mobile connections are faster than the default.
   */
  readingBytesPerSecond: number;
  readingWindowMs: number;
  /**
   * Time in which a buffered answer must be read, however large it is: at the rate above, a client could take
   * 36 hours to read 512 MiB.
   */
  readingSeconds: number;
  /** Maximum bytes of a SQL answer: enough for 100,000 rows of 5 KB. */
  answerBytes: number;
  /** Maximum number of open streams. */
  streams: number;
  /** Maximum number of open streams per client. */
  clientStreams: number;
  /** Maximum number of subscriptions of a client's streams: each may get a copy of every row of a block. */
  clientSubscriptions: number;
  /** Maximum number of subscriptions of all streams. */
  streamSubscriptions: number;
  /**
   * Maximum number of prices, candles and pools that one client's streams follow: each costs work in every
   * block.
   */
  clientStates: number;
  /**
   * Maximum number of prices, candles and pools that all streams together follow: each takes about two
   * kilobytes.
   */
  streamStates: number;
  /**
   * Maximum number of addresses in the filters of a client's streams: each takes about half a kilobyte while
   * the stream is open.
   */
  clientFilters: number;
  /** Maximum number of addresses in the filters of all streams. */
  streamFilters: number;
  /** Maximum bytes of frames that a stream's client may leave unread: enough for minutes of a busy chain. */
  streamBufferBytes: number;
  /** Maximum bytes of unread frames of all streams together. */
  streamMemoryBytes: number;
  /** Requests that take longer than this are recorded for the operator (/v1/operations). */
  slowAfterMs: number;
  /** Time for running requests to finish when the service stops. */
  shutdownMs: number;
}

export const DEFAULT_LIMITS: ApiLimits = {
  ...DEFAULT_CONNECTION_LIMITS,
  bodyBytes: 1024 * 1024,
  bodyMemoryBytes: Math.min(256 * 1024 * 1024, Math.floor(memoryLimitBytes() / 16)),
  clientBodyBytes: 32 * 1024 * 1024,
  urlLength: 8192,
  queryTimeMs: 30_000,
  queryMemoryBytes: 2 * 1024 ** 3,
  concurrentQueries: 2,
  quickQueries: 4,
  quickMs: 1_000,
  sqlRows: 1_000_000,
  sqlTextBytes: SQL_LIMITS.textBytes,
  sqlDepth: SQL_LIMITS.depth,
  concurrentReads: 16,
  longReads: 3,
  waitingRequests: 200,
  clientWaiting: 50,
  clientShare: 0.5,
  pipelinedRequests: 64,
  clientUnreadBytes: 1024 * 1024 * 1024,
  clientRate: 0,
  clientBurst: 100,
  rateShare: 1,
  rejectionDelayMs: 1_000,
  delayedRejections: 1_000,
  wrongKeys: 20,
  waitMs: 10_000,
  answerMemoryBytes: Math.floor(memoryLimitBytes() / 16),
  sqlCacheBytes: 64 * 1024 * 1024,
  answerDiskBytes: 2 * 1024 ** 3,
  clientDiskBytes: 1024 ** 3,
  readingBytesPerSecond: 4 * 1024,
  readingWindowMs: 30_000,
  readingSeconds: HOUR_SECONDS,
  answerBytes: 512 * 1024 * 1024,
  streams: 5_000,
  clientStreams: 100,
  clientSubscriptions: 5_000,
  streamSubscriptions: 50_000,
  clientStates: 10_000,
  streamStates: 100_000,
  clientFilters: 100_000,
  streamFilters: 1_000_000,
  streamBufferBytes: 1024 * 1024,
  streamMemoryBytes: 256 * 1024 * 1024,
  slowAfterMs: 1_000,
  shutdownMs: 10_000,
};

/**
 * Maximum size of a small body. A larger one is received only once its client is known, by its address or by
 * a key in a header or the URL, and waits its turn to be parsed. Parsing a body of this size takes at most
 * about three milliseconds.
 */
export const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Answers smaller than this are neither counted nor watched while they are sent: each fits into the buffer of
 * its connection, and the number of connections is limited.
 */
export const SMALL_ANSWER_BYTES = 16 * 1024;

/** The Retry-After header of responses sent when the service is busy: most requests take far less time. */
export const RETRY_AFTER_SECONDS = 1;

/** The Retry-After header of responses sent when the disk is full: freeing space takes longer. */
export const FULL_DISK_RETRY_SECONDS = 10;

/**
 * Returns the limits of one engine query for one request.
 *
 * @param slot the request's slot. The query counts towards the slot's client, and the slot stays taken while
 * the engine still runs an abandoned query
 */
export function queryLimits(
  { queryTimeMs, queryMemoryBytes, clientShare: share }: ApiLimits,
  signal: AbortSignal,
  slot: Slot,
): QueryLimits & { signal: AbortSignal } {
  return {
    timeoutMs: queryTimeMs,
    memoryBytes: queryMemoryBytes,
    signal,
    user: { name: slot.client, share },
    onAbandoned: (ended) => slot.keepUntil(ended),
  };
}

/**
 * Returns the limits for a client's queries. A key can lower the limits of the service, but not raise them,
 * because other limits, such as the time after which a connection counts as dead, are derived from the limits
 * of the service.
 *
 * @param key null if the service is open
 */
export function limitsFor(limits: ApiLimits, key: { limits: KeyLimits } | null): ApiLimits {
  if (key === null) return limits;
  const { queryTimeMs, queryMemoryBytes, sqlRows } = key.limits;
  if (queryTimeMs === null && queryMemoryBytes === null && sqlRows === null) return limits;
  return {
    ...limits,
    queryTimeMs: lower(limits.queryTimeMs, queryTimeMs),
    queryMemoryBytes: lower(limits.queryMemoryBytes, queryMemoryBytes),
    sqlRows: lower(limits.sqlRows, sqlRows),
  };
}

function lower(ofService: number, ofKey: number | null): number {
  return ofKey === null ? ofService : Math.min(ofService, ofKey);
}
