/** What an indexer knows of the chain, for `/v1/status`. */
export interface IndexState {
  head: number | null;
  finalized: number | null;
  /** Why nothing moves, while nothing moves. */
  message: string | null;
  /** Unix seconds of the newest rollback since the start; null before the first. */
  lastRollbackAt: number | null;
}

/** What an indexer has done since it started, for metrics. */
export interface IndexCounters {
  commits: number;
  blocks: number;
  logs: number;
  trades: number;
  /** Swaps of which no trade was made: in pools of Uniswap V4 that no endpoint tells of. */
  swapsLeftOut: number;
  /** Seconds spent in commits. */
  commitSeconds: number;
  rollbacks: number;
  /** Blocks that rollbacks took back, and the most that one did. */
  rolledBackBlocks: number;
  deepestRollback: number;
  /** Seconds spent in rollbacks. */
  rollbackSeconds: number;
  /** Times that indexing paused because something failed that may pass. */
  pauses: number;
}

export const NOTHING_DONE: IndexCounters = {
  commits: 0,
  blocks: 0,
  logs: 0,
  trades: 0,
  swapsLeftOut: 0,
  commitSeconds: 0,
  rollbacks: 0,
  rolledBackBlocks: 0,
  deepestRollback: 0,
  rollbackSeconds: 0,
  pauses: 0,
};
