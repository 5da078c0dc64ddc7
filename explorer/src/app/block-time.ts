import type { ChainStatus } from "@quarry/sdk";
import { useEffect, useRef } from "react";

interface Seen {
  chain: string;
  block: number;
  timestamp: number;
}

/** So many blocks tell a chain's pace. */
const LEAST_BLOCKS = 3;

/** Seconds from block to block, of those that came since the page is looked at; null until enough did. */
export function useBlockTime(status: ChainStatus | undefined): number | null {
  const first = useRef<Seen | null>(null);
  const newest = seenOf(status);
  useEffect(() => {
    if (newest !== null && first.current?.chain !== newest.chain) first.current = newest;
  });
  if (newest === null || first.current?.chain !== newest.chain) return null;
  const blocks = newest.block - first.current.block;
  return blocks < LEAST_BLOCKS ? null : (newest.timestamp - first.current.timestamp) / blocks;
}

function seenOf(status: ChainStatus | undefined): Seen | null {
  if (status?.indexed_block == null || status.indexed_timestamp === null) return null;
  return { chain: status.chain, block: status.indexed_block, timestamp: status.indexed_timestamp };
}
