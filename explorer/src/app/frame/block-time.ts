import type { ChainStatus } from "@quarry/sdk";
import { useEffect, useRef } from "react";

interface BlockSample {
  chain: string;
  block: number;
  timestamp: number;
}

/** So many blocks tell a chain's pace. */
const LEAST_BLOCKS = 3;

/** Seconds from block to block, of those that came since the page is looked at; null until enough did. */
export function useBlockTime(status: ChainStatus | undefined): number | null {
  const first = useRef<BlockSample | null>(null);
  const newest = sampleOf(status);
  useEffect(() => {
    if (newest !== null && first.current?.chain !== newest.chain) first.current = newest;
  });
  if (newest === null || first.current?.chain !== newest.chain) return null;
  const blocks = newest.block - first.current.block;
  return blocks < LEAST_BLOCKS ? null : (newest.timestamp - first.current.timestamp) / blocks;
}

function sampleOf(status: ChainStatus | undefined): BlockSample | null {
  if (status?.indexed_block == null || status.indexed_timestamp === null) return null;
  return { chain: status.chain, block: status.indexed_block, timestamp: status.indexed_timestamp };
}

/** So many blocks a chain may be late: single ones are skipped on every chain. */
const LATE_BLOCKS = 8;
/** Networks and nodes take their time: what is less late than this is not late on the fastest chain. */
const LEAST_SECONDS = 15;
/** What is later than this is late on any chain. */
const MOST_SECONDS = 60;

/** After how many seconds a chain's newest block is late. @param blockSeconds null where its pace is not known */
export function lateAfterSeconds(blockSeconds: number | null): number {
  if (blockSeconds === null) return MOST_SECONDS;
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, LATE_BLOCKS * blockSeconds));
}
