import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { KnownPools } from "../blocks/decode-block.ts";
import type { ScannedBlock, ScannedLog } from "../blocks/scan-block.ts";

/** A contract, or an id in a singleton, that looks like a pool of the family and is not classified yet. */
export interface Candidate<F extends PoolFamily = PoolFamily> {
  /** The id of a singleton's pool. */
  address: Hex;
  family: F;
}

/**
 * Lists the pools to discover before the blocks are decoded: they emit events in these blocks, are unknown,
 * and were not created in these blocks by a listed factory. In order of first appearance.
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

function* logsOf(blocks: readonly ScannedBlock[]): Iterable<ScannedLog> {
  for (const { transactions } of blocks) {
    for (const { logs } of transactions) yield* logs;
  }
}
