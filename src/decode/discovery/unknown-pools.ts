import type { Hex } from "../../lib/hex.ts";
import { isSingleton, type PoolFamily } from "../../schema/swap.ts";
import type { KnownPools } from "../blocks/decode-block.ts";
import type { PoolLog, ScannedBlock, ScannedLog } from "../blocks/scan-block.ts";

/** A contract, or an id in a singleton, that looks like a pool of the family and is not classified yet. */
export interface Candidate<F extends PoolFamily = PoolFamily> {
  /** The id of a singleton's pool. */
  address: Hex;
  family: F;
}

/**
 * Pools to discover before the blocks are decoded: they emit events in these blocks, are unknown, and were
 * not created in these blocks by a listed factory. In order of first appearance.
 */
export function unknownPools(blocks: readonly ScannedBlock[], known: KnownPools): Candidate[] {
  const created = new Set<Hex>();
  const candidates = new Map<string, Candidate>();
  for (const log of logsOf(blocks)) {
    if (log.kind === "pool-creation") created.add(log.pool.address);
    if (log.kind !== "pool-log" || known.get(log.poolId) !== undefined) continue;
    const { poolId: address, family } = log;
    candidates.set(`${address}:${family}`, { address, family });
  }
  return [...candidates.values()].filter(({ address }) => !created.has(address));
}

/** Number of swaps in these blocks, in the given pools of singletons. */
export function countSwaps(blocks: readonly ScannedBlock[], poolIds: ReadonlySet<Hex>): number {
  if (poolIds.size === 0) return 0;
  let count = 0;
  for (const log of logsOf(blocks)) if (isSingletonSwap(log) && poolIds.has(log.poolId)) count++;
  return count;
}

/** Swaps are the only pool events of singletons that are decoded. */
function isSingletonSwap(log: ScannedLog): log is PoolLog {
  return log.kind === "pool-log" && isSingleton(log.family);
}

function* logsOf(blocks: readonly ScannedBlock[]): Iterable<ScannedLog> {
  for (const { transactions } of blocks) {
    for (const { logs } of transactions) yield* logs;
  }
}
