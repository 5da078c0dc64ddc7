/** Every limit of the RPC source, with its reason. Times are milliseconds, sizes are bytes or characters. */
export interface RpcLimits {
  /** Longest wait for the response to a request. */
  requestTimeoutMs: number;
  /** Longest time to open a connection. */
  connectTimeoutMs: number;
  /** Requests in progress at one endpoint: at the start, and at most. */
  initialConcurrency: number;
  maxConcurrency: number;
  /** JSON-RPC calls in one HTTP request. */
  maxBatchCalls: number;
  /** Blocks in one HTTP request; their number is chosen so that the response has about the target size. */
  maxBlocksPerRequest: number;
  targetResponseBytes: number;
  /** A larger response is rejected: no known chain has such blocks, and it would exhaust memory. */
  maxResponseBytes: number;
  /** Wait before the first retry, and the longest; it doubles in between, with jitter. */
  minRetryDelayMs: number;
  maxRetryDelayMs: number;
  /** The longest Retry-After that is honoured in full. */
  maxRetryAfterMs: number;
  /**
   * First and longest backoff of an endpoint that failed or sent invalid data; each consecutive fault doubles
   * it.
   */
  minBackoffMs: number;
  maxBackoffMs: number;
  /** Attempts, over all endpoints, for a block that fails verification or is missing. */
  maxBlockAttempts: number;
  /** Every endpoint must repeat the same invalid block for this long before the fetcher gives it up. */
  sameResponseMs: number;
  /** Attempts of a call without a signal of its own: head, finality, contract calls, opening. */
  maxCallAttempts: number;
  /** Wait for the other endpoints' heads after the first one has reported its own. */
  headTimeoutMs: number;
  /** An endpoint that fails for this long, or does not respond for this long, counts as gone. */
  outageAfterMs: number;
  silenceMs: number;
  /** A head may be dated this far ahead of the clock when another endpoint's head is not. */
  maxHeadDriftMs: number;
  /** While heads are announced, they are still requested once per block time, or this often. */
  maxSubscribedPollMs: number;
  /** After this many block times without an announcement the source polls again. */
  freshBlocks: number;
  /** After this many, and not before this time, the source subscribes again, if there were new blocks. */
  silentBlocks: number;
  minSilenceMs: number;
  /** How often, and for how long, the source requests an announced block that no endpoint returns yet. */
  announcedPollMs: number;
  announcedBlockMs: number;
  /** Most head requests to an endpoint in one block time on average; those of two may come at once. */
  headRequestsPerBlock: number;
  /** Limits on what a WebSocket server may send: bytes in a message, and messages in a minute. */
  maxSocketMessageBytes: number;
  maxSocketMessagesPerMinute: number;
  /** Wait before a WebSocket is opened again, and the longest; it doubles in between, with jitter. */
  minReconnectMs: number;
  maxReconnectMs: number;
  /** Attempts to reach an endpoint when the source is opened. */
  maxOpenAttempts: number;
  /** A block that does not link to the one before is fetched again this often; then it counts as a reorg. */
  maxLinkAttempts: number;
  /** How far blocks are fetched ahead of the consumer. */
  maxBlocksAhead: number;
  maxBytesAhead: number;
  /** Contract calls in one Multicall3 call. */
  maxCallsPerMulticall: number;
  /** Blocks in one eth_getLogs range, halved when an endpoint refuses. */
  maxLogRange: number;
  /** The same warning about one endpoint is logged at most this often. */
  warningIntervalMs: number;
  /** A summary of an endpoint's failures is logged this often, if there were any. */
  summaryIntervalMs: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  // A slow archive node takes some seconds for a full block with receipts; after 30 s no response will come.
  requestTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  // Every public endpoint accepts four at once; 32 saturate a node in the same building.
  initialConcurrency: 4,
  maxConcurrency: 32,
  // Public endpoints reject batches of more than 100 calls, some of more than 20; the size that an endpoint
  // accepts is remembered.
  maxBatchCalls: 50,
  // Small blocks are fetched 16 at a time; parsing 2 MB takes about 20 ms, which keeps the event loop
  // responsive.
  maxBlocksPerRequest: 16,
  targetResponseBytes: 2_000_000,
  // The biggest blocks seen are below 30 MB as JSON with receipts; 16 of them are never in one request.
  maxResponseBytes: 256_000_000,
  minRetryDelayMs: 250,
  maxRetryDelayMs: 10_000,
  // Longer waits are a ban or a mistake; a request after five minutes does no damage.
  maxRetryAfterMs: 300_000,
  minBackoffMs: 1_000,
  maxBackoffMs: 60_000,
  // About three minutes with the delays above: longer than any replica lags.
  maxBlockAttempts: 30,
  // A node that still indexes a new block's receipts completes them within seconds.
  sameResponseMs: 10_000,
  // About half a minute.
  maxCallAttempts: 8,
  // A head is a small response; an endpoint that takes longer backs off.
  headTimeoutMs: 2_000,
  // Retries begin after a quarter of a second, so a passing failure is over by then.
  outageAfterMs: 2_000,
  // Endpoints report heads within milliseconds; the limit grows with an endpoint's average latency.
  silenceMs: 5_000,
  // Proof-of-work chains once allowed two hours, today's chains a few seconds; nodes synchronize their
  // clocks.
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
  // Blocks every 12 s that come up to 1.2 s early or late take seven, one each 200 ms; one is left for late
  // ones. Blocks every 2 s take four.
  headRequestsPerBlock: 8,
  // A header has about 2 kB, more with Polygon's list of validators. The fastest chains make 100 blocks a
  // second.
  maxSocketMessageBytes: 262_144,
  maxSocketMessagesPerMinute: 6_000,
  minReconnectMs: 1_000,
  maxReconnectMs: 60_000,
  // About two seconds: enough for a temporary 429 or 500, while a mistyped URL is still reported quickly.
  maxOpenAttempts: 4,
  maxLinkAttempts: 3,
  // Enough for 32 concurrent requests; 64 MB of JSON take about as much memory as blocks.
  maxBlocksAhead: 256,
  maxBytesAhead: 64_000_000,
  // 300 calls of pool and token getters cost about 5 M gas; nodes allow 50 M for eth_call.
  maxCallsPerMulticall: 300,
  // The limit of most public endpoints.
  maxLogRange: 1_000,
  warningIntervalMs: 10_000,
  summaryIntervalMs: 600_000,
};
