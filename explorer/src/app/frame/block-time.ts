import type { ChainStatus } from "@quarry/sdk";
import { useEffect, useRef } from "react";

interface BlockSample {
  chain: string;
  block: number;
  timestamp: number;
}

/** Number of blocks needed to measure a chain's block time. */
const MIN_BLOCKS = 3;

/** Returns the average block time since the page was opened, in seconds; null until measured. */
export function useBlockTime(status: ChainStatus | undefined): number | null {
  const first = useRef<BlockSample | null>(null);
  const newest = sampleOf(status);
  useEffect(() => {
    if (newest !== null && first.current?.chain !== newest.chain) first.current = newest;
  });
  if (newest === null || first.current?.chain !== newest.chain) return null;
  const blocks = newest.block - first.current.block;
  return blocks < MIN_BLOCKS ? null : (newest.timestamp - first.current.timestamp) / blocks;
}

function sampleOf(status: ChainStatus | undefined): BlockSample | null {
  if (status?.indexed_block == null || status.indexed_timestamp === null) return null;
  return { chain: status.chain, block: status.indexed_block, timestamp: status.indexed_timestamp };
}

/** Age, in block times, up to which the newest block is not late. Every chain misses a block now and then. */
const LATE_BLOCKS = 8;
/**
 * Age up to which the newest block is never late, even on the fastest chain, because of network and node
 * latency.
 */
const MIN_LATE_SECONDS = 15;
/** Age above which the newest block of any chain is late. */
const MAX_LATE_SECONDS = 60;

/**
 * Returns the age in seconds above which a chain's newest block is late.
 *
 * @param blockSeconds null if unknown
 */
export function lateAfterSeconds(blockSeconds: number | null): number {
  if (blockSeconds === null) return MAX_LATE_SECONDS;
  return Math.min(MAX_LATE_SECONDS, Math.max(MIN_LATE_SECONDS, LATE_BLOCKS * blockSeconds));
}
