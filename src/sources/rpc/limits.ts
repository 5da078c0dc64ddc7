/** Every limit of the RPC source, with its reason. Times are milliseconds, sizes are bytes or characters. */
export interface RpcLimits {
  /** Maximum wait for the response to a request. */
  requestTimeoutMs: number;
  /** Maximum time to open a connection. */
  connectTimeoutMs: number;
  /** Initial and maximum number of requests in progress at one endpoint. */
  initialConcurrency: number;
  maxConcurrency: number;
  /** Maximum number of JSON-RPC calls to one endpoint per second, on average; 0: no limit. */
  callsPerSecond: number;
  /** Maximum number of JSON-RPC calls in one HTTP request. */
  maxBatchCalls: number;
  /**
   * Maximum number of blocks in one HTTP request. The actual number is chosen so that the response comes
   * close to the target size.
   */
  maxBlocksPerRequest: number;
  targetResponseBytes: number;
  /**
   * Maximum size of a response. No known chain has larger blocks, and a larger response would exhaust memory.
   */
  maxResponseBytes: number;
  /** Initial and maximum wait before a retry. It doubles with each retry, with jitter. */
  minRetryDelayMs: number;
  maxRetryDelayMs: number;
  /** Longest Retry-After that is honoured in full. */
  maxRetryAfterMs: number;
  /**
   * Initial and maximum backoff of an endpoint that failed or sent invalid data. Each consecutive fault
   * doubles it.
   */
  minBackoffMs: number;
  maxBackoffMs: number;
  /** Maximum number of attempts, over all endpoints, for a block that fails verification or is missing. */
  maxBlockAttempts: number;
  /**
   * Every endpoint must repeat the same invalid block for this long before the fetcher gives up on the block.
   */
  sameResponseMs: number;
  /** Maximum number of attempts at a request for the head, finality, headers, past logs or contract calls. */
  maxCallAttempts: number;
  /** Maximum wait for the heads of the other endpoints after the first endpoint has reported its head. */
  headTimeoutMs: number;
  /**
   * An endpoint counts as down if its requests have failed for `outageAfterMs`, or if a request in progress
   * has had no response for `silenceMs`.
   */
  outageAfterMs: number;
  silenceMs: number;
  /**
   * Maximum time by which a head's timestamp may be ahead of the clock, unless the heads of all endpoints are
   * that far ahead.
   */
  maxHeadDriftMs: number;
  /**
   * While heads are announced, they are still requested once per block time, or at this interval if it is
   * shorter.
   */
  maxSubscribedPollMs: number;
  /** After this many block times without an announcement, the source polls at its usual interval again. */
  freshBlocks: number;
  /**
   * After this many block times without an announcement, but not before `minSilenceMs`, the source subscribes
   * again if there were new blocks.
   */
  silentBlocks: number;
  minSilenceMs: number;
  /**
   * Interval between requests for an announced block that no endpoint returns yet, and maximum time for which
   * they are repeated.
   */
  announcedPollMs: number;
  announcedBlockMs: number;
  /**
   * Maximum average number of head requests to an endpoint per block time. Up to twice this number may be
   * sent at once.
   */
  headRequestsPerBlock: number;
  /** Limits on what a WebSocket server may send: bytes per message, and messages per minute. */
  maxSocketMessageBytes: number;
  maxSocketMessagesPerMinute: number;
  /**
   * Initial and maximum wait before a WebSocket is opened again. It doubles with each attempt, with jitter.
   */
  minReconnectMs: number;
  maxReconnectMs: number;
  /** Maximum number of attempts to reach an endpoint when the source is opened. */
  maxOpenAttempts: number;
  /**
   * Number of times a block is fetched again if it does not link to the previous one. After that, the
   * mismatch counts as a reorg.
   */
  maxLinkAttempts: number;
  /** Maximum number and total size of the blocks that are fetched ahead of the consumer. */
  maxBlocksAhead: number;
  maxBytesAhead: number;
  /** Maximum number of contract calls in one Multicall3 call. */
  maxCallsPerMulticall: number;
  /** Maximum number of blocks in one eth_getLogs range. Halved if an endpoint refuses. */
  maxLogRange: number;
  /** Maximum gas of the transactions whose receipts are requested together, if a block is too large. */
  maxReceiptGas: number;
  /** Minimum time between two logs of the same warning about an endpoint. */
  warningIntervalMs: number;
  /** Interval at which a summary of an endpoint's failures is logged, if there were any. */
  summaryIntervalMs: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  // A slow archive node takes a few seconds for a full block with receipts. After 30 s, no response will
  // come.
  requestTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  // Every public endpoint accepts four at once. 32 saturate even a node in the same building.
  initialConcurrency: 4,
  maxConcurrency: 32,
  callsPerSecond: 0,
  // Public endpoints reject batches of more than 100 calls, some even of more than 20. The size that an
  // endpoint accepts is remembered.
  maxBatchCalls: 50,
  // Small blocks are fetched 16 at a time. Parsing 2 MB takes about 20 ms, which keeps the event loop
  // responsive.
  maxBlocksPerRequest: 16,
  targetResponseBytes: 2_000_000,
  // The biggest blocks seen take less than 30 MB as JSON with receipts. One request never fetches 16 of them.
  // A few requests may receive as much at the same time, so this is not much more than they need.
  maxResponseBytes: 128_000_000,
  minRetryDelayMs: 250,
  maxRetryDelayMs: 10_000,
  // A longer wait is a ban or a mistake. A request after five minutes does no damage.
  maxRetryAfterMs: 300_000,
  minBackoffMs: 1_000,
  maxBackoffMs: 60_000,
  // About three minutes with the retry delays above: longer than any replica lags.
  maxBlockAttempts: 30,
  // A node that is still indexing the receipts of a new block completes them within seconds.
  sameResponseMs: 10_000,
  // About 20 seconds with the retry delays above.
  maxCallAttempts: 8,
  // A head is a small response. The source backs off from an endpoint that takes longer.
  headTimeoutMs: 2_000,
  // Retries begin after a quarter of a second, so a temporary failure is over within this time.
  outageAfterMs: 2_000,
  // Endpoints report heads within milliseconds. The limit grows with an endpoint's average latency.
  silenceMs: 5_000,
  // Proof-of-work chains once allowed two hours. Today's chains allow a few seconds, and nodes synchronize
  // their clocks.
  maxHeadDriftMs: 900_000,
  // A subscription that goes silent delays a block by at most one block time, and by no more than this.
  maxSubscribedPollMs: 15_000,
  // Slots may be empty, sometimes two in a row.
  freshBlocks: 4,
  silentBlocks: 10,
  minSilenceMs: 30_000,
  // The nodes behind a load balancer have a block within a second of its announcement.
  announcedPollMs: 250,
  announcedBlockMs: 2_000,
  // If blocks come every 12 s and their delays differ by at most 1.2 s, a block takes up to seven requests,
  // one every 200 ms. One more is left for late blocks. If blocks come every 2 s, a block takes four.
  headRequestsPerBlock: 8,
  // A header takes about 2 kB, more with Polygon's list of validators. The fastest chains make 100 blocks a
  // second.
  maxSocketMessageBytes: 262_144,
  maxSocketMessagesPerMinute: 6_000,
  minReconnectMs: 1_000,
  maxReconnectMs: 60_000,
  // Less than two seconds of delays: enough for a temporary 429 or 500, while a mistyped URL is still
  // reported quickly.
  maxOpenAttempts: 4,
  maxLinkAttempts: 3,
  // Enough for 32 concurrent requests. Blocks take about as much memory as their JSON.
  maxBlocksAhead: 256,
  maxBytesAhead: 64_000_000,
  // 300 calls to pool and token getters cost about 5 M gas. `multicallGas` allows three times as much.
  maxCallsPerMulticall: 300,
  // The limit of most public endpoints.
  maxLogRange: 1_000,
  // An empty log takes 379 gas and 370 bytes of JSON, so this gas means at most 40 MB in one response: far
  // below the limits on a response's size and number of values.
  maxReceiptGas: 40_000_000,
  warningIntervalMs: 10_000,
  summaryIntervalMs: 600_000,
};
