import type { Hex } from "../../lib/hex.ts";
import { isSingleton, type PoolFamily } from "../../schema/pool-families.ts";
import type { KnownPools } from "../blocks/decode-block.ts";
import type { ScannedBlock, ScannedLog } from "../blocks/scan-block.ts";

/** A contract, or an id in a singleton, that looks like a pool of the family but is not classified yet. */
export interface Candidate<F extends PoolFamily = PoolFamily> {
  /** The pool's address, or its id in a singleton. */
  address: Hex;
  family: F;
}

/**
 * Lists the pools that these blocks use, or create in a singleton, and that are not known. The store may have
 * them. A singleton's created pool is included because a pool of another singleton may have the same id.
 */
export function uncachedPools(blocks: readonly ScannedBlock[], known: KnownPools): Hex[] {
  const addresses = new Set(unknownPools(blocks, known).map(({ address }) => address));
  for (const log of logsOf(blocks)) {
    if (log.kind !== "pool-creation" || !isSingleton(log.pool.family)) continue;
    if (known.get(log.pool.address) === undefined) addresses.add(log.pool.address);
  }
  return [...addresses];
}

/**
 * Lists the pools that must be discovered before the blocks are decoded, in order of first appearance. They
 * have events in these blocks, they are unknown, and no listed factory created them in these blocks.
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
