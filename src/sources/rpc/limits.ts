/** Every bound of the RPC source, with its reason. Times are milliseconds, sizes are bytes or characters. */
export interface RpcLimits {
  /** Silence on an open request before it is given up. */
  requestTimeoutMs: number;
  /** Time to open a connection. */
  connectTimeoutMs: number;
  /** Requests at once to one endpoint: where it starts, and the most that it may grow to. */
  initialConcurrency: number;
  maxConcurrency: number;
  /** JSON-RPC calls in one HTTP request. */
  maxBatchCalls: number;
  /** Blocks in one HTTP request, and the size of answer that their number is fitted to. */
  maxBlocksPerRequest: number;
  targetResponseBytes: number;
  /** An answer above this is refused: it is no block of a known chain, and would exhaust memory. */
  maxResponseBytes: number;
  /** Wait before the first retry and at most; it doubles in between, with jitter. */
  minRetryDelayMs: number;
  maxRetryDelayMs: number;
  /** Longest Retry-After that is honoured as given. */
  maxRetryAfterMs: number;
  /** How long an endpoint that failed or lied is avoided, at first and at most; doubles with each in a row. */
  minAvoidMs: number;
  maxAvoidMs: number;
  /** Attempts, over all endpoints, for a block that cannot be proven or is not there. */
  maxBlockAttempts: number;
  /** Attempts of a call that nobody can cancel: head, finality, contract calls, opening. */
  maxCallAttempts: number;
  /** How long the other endpoints' heads are waited for, once one has told its own. */
  headTimeoutMs: number;
  /** An endpoint that fails for so long, or is asked and silent for so long, counts as gone. */
  outageAfterMs: number;
  silenceMs: number;
  /** A head's time may be so far ahead of the clock, where another endpoint's is not. */
  maxHeadDriftMs: number;
  /** While heads are announced, they are still asked for once in a block's time, or this often. */
  maxSubscribedPollMs: number;
  /** After so many block times without an announcement a subscription is not relied on any more. */
  freshBlocks: number;
  /** After so many, but not before that time, it is made anew, if there were new blocks. */
  silentBlocks: number;
  minSilenceMs: number;
  /** How often, and for how long, an announced block is asked for that no endpoint tells yet. */
  promisedPollMs: number;
  promiseMs: number;
  /** Looks at the head in quick succession; in the long run there are as many as by polling. */
  maxQuickLooks: number;
  /** What a WebSocket may send: bytes in a message, and messages in a minute. */
  maxSocketMessageBytes: number;
  maxSocketMessagesPerMinute: number;
  /** Wait before a WebSocket is opened again, and at most; it doubles in between, with jitter. */
  minReconnectMs: number;
  maxReconnectMs: number;
  /** Attempts to reach an endpoint when the source is opened. */
  maxOpenAttempts: number;
  /** Refetches of a block that does not link to the one before, until it counts as a reorg. */
  maxLinkAttempts: number;
  /** How far blocks are fetched ahead of the consumer. */
  maxBlocksAhead: number;
  maxBytesAhead: number;
  /** Contract calls in one Multicall3 call. */
  maxCallsPerMulticall: number;
  /** Blocks in one eth_getLogs range, halved where an endpoint refuses. */
  maxLogRange: number;
  /** The same complaint about one endpoint is logged at most this often. */
  complaintIntervalMs: number;
  /** What went wrong is summed up this often, where anything did. */
  summaryIntervalMs: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  // A full block with receipts takes a slow archive node some seconds; 30 s is silence.
  requestTimeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  // Four at once hurts no public endpoint; 32 saturates a node in the same building.
  initialConcurrency: 4,
  maxConcurrency: 32,
  // Public endpoints refuse batches above 100, some above 20; those are found out and remembered.
  maxBatchCalls: 50,
  // Small blocks are fetched 16 at a time; answers of 2 MB are parsed in some 20 ms, so the loop stays responsive.
  maxBlocksPerRequest: 16,
  targetResponseBytes: 2_000_000,
  // The biggest blocks seen are below 30 MB as JSON with receipts; 16 of them do not come in one request.
  maxResponseBytes: 256_000_000,
  minRetryDelayMs: 250,
  maxRetryDelayMs: 10_000,
  // Beyond five minutes it is a ban or a mistake; asking again then does no harm.
  maxRetryAfterMs: 300_000,
  minAvoidMs: 1_000,
  maxAvoidMs: 60_000,
  // With the delays above some three minutes: longer than any replica lags.
  maxBlockAttempts: 30,
  // Some half a minute.
  maxCallAttempts: 8,
  // A head is a small question; who takes longer is avoided for a while.
  headTimeoutMs: 2_000,
  // Retries begin after a quarter of a second, so that a passing failure is over by then.
  outageAfterMs: 2_000,
  // Heads are told in milliseconds; whoever usually takes longer is given more.
  silenceMs: 5_000,
  // Proof-of-work chains allowed two hours once, today's a few seconds; clocks of nodes are set by network time.
  maxHeadDriftMs: 900_000,
  // A subscription that goes silent delays a block of the slowest chains by their block time, and no other by more.
  maxSubscribedPollMs: 15_000,
  // Slots stay empty, sometimes two in a row.
  freshBlocks: 4,
  silentBlocks: 10,
  minSilenceMs: 30_000,
  // Behind a load balancer the block is there within a second.
  promisedPollMs: 250,
  promiseMs: 2_000,
  // Two blocks, each announced before it is there.
  maxQuickLooks: 8,
  // A header is some 2 kB, with Polygon's list of validators some more. The fastest chains make 100 blocks a second.
  maxSocketMessageBytes: 262_144,
  maxSocketMessagesPerMinute: 6_000,
  minReconnectMs: 1_000,
  maxReconnectMs: 60_000,
  // Some two seconds: enough for a passing 429 or 500, and a mistyped URL is told soon.
  maxOpenAttempts: 4,
  maxLinkAttempts: 3,
  // Enough to keep 32 requests busy, and 64 MB of JSON take about as much memory as blocks.
  maxBlocksAhead: 256,
  maxBytesAhead: 64_000_000,
  // 300 calls of pool and token getters cost some 5 M gas; nodes allow eth_call 50 M.
  maxCallsPerMulticall: 300,
  // What most public endpoints allow.
  maxLogRange: 1_000,
  complaintIntervalMs: 10_000,
  summaryIntervalMs: 600_000,
};
