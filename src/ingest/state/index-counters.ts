import type { Block } from "../../schema/block.ts";
import type { PreparedBatch } from "../blocks/block-pipeline.ts";

/** Totals since an indexer started, for metrics. */
export interface IndexCounters {
  commits: number;
  blocks: number;
  logs: number;
  trades: number;
  /**
   * Number of swaps that have no trade because their pool is part of a singleton and no endpoint reveals its
   * tokens.
   */
  swapsLeftOut: number;
  /** Seconds spent in commits. */
  commitSeconds: number;
  rollbacks: number;
  /** Number of blocks undone by all rollbacks, and the most undone by a single one. */
  rolledBackBlocks: number;
  deepestRollback: number;
  /** Number of rollbacks of more than `DEEP_BLOCKS`. */
  deepRollbacks: number;
  /** Seconds spent in rollbacks. */
  rollbackSeconds: number;
  /** Number of pauses before a retry. */
  pauses: number;
}

/** Depth in blocks that reorgs of healthy chains rarely exceed. */
export const DEEP_BLOCKS = 8;

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
  deepRollbacks: 0,
  rollbackSeconds: 0,
  pauses: 0,
};

export function countCommit(
  counters: IndexCounters,
  blocks: readonly Block[],
  { rows, swapsLeftOut }: PreparedBatch,
  seconds: number,
): void {
  counters.commits++;
  counters.commitSeconds += seconds;
  counters.blocks += blocks.length;
  counters.logs += countLogs(blocks);
  counters.trades += rows.dex_trades?.length ?? 0;
  counters.swapsLeftOut += swapsLeftOut;
}

export function countRollback(counters: IndexCounters, depth: number, seconds: number): void {
  counters.rollbacks++;
  counters.rolledBackBlocks += depth;
  counters.deepestRollback = Math.max(counters.deepestRollback, depth);
  if (depth > DEEP_BLOCKS) counters.deepRollbacks++;
  counters.rollbackSeconds += seconds;
}

export function countLogs(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, block) => sum + block.transactions.reduce((logs, transaction) => logs + transaction.logs.length, 0),
    0,
  );
}
