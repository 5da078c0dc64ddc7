import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { CallBlock } from "../../schema/contract-call.ts";
import { isSingleton, type PoolFamily } from "../../schema/pool-families.ts";
import type { KnownPools } from "../blocks/decode-block.ts";
import type { ScannedBlock, ScannedLog } from "../blocks/scan-block.ts";

/** A contract, or an id in a singleton, that looks like a pool of the family but is not classified yet. */
export interface Candidate<F extends PoolFamily = PoolFamily> {
  /** The pool's address, or its id in a singleton. */
  address: Hex;
  family: F;
}

export interface SeenCandidate extends Candidate {
  /** The first block with one of its events, among the blocks that were searched. */
  block: CallBlock;
}

/**
 * Lists the addresses or ids of the pools that these blocks use, or create in a singleton, and that are not
 * in `known`. The store may have these pools. A singleton's created pool is included because a pool of
 * another singleton may have the same id.
 */
export function uncachedPools(blocks: readonly ScannedBlock[], known: KnownPools): Hex[] {
  const addresses = new Set(unknownPools(blocks, known).map(({ address }) => address));
  for (const [log] of logsOf(blocks)) {
    if (log.kind !== "pool-creation" || !isSingleton(log.pool.family)) continue;
    if (known.get(log.pool.address) === undefined) addresses.add(log.pool.address);
  }
  return [...addresses];
}

/**
 * Lists the pools that must be discovered before the blocks are decoded, in order of first appearance. They
 * are unknown pools with events in these blocks. Pools that a listed factory created in the block of their
 * first event or earlier are left out. A pool that a registry announces in a later block is included.
 */
export function unknownPools(blocks: readonly ScannedBlock[], known: KnownPools): SeenCandidate[] {
  /** Number of the block that first creates each pool, by address or id. */
  const created = new Map<Hex, number>();
  const candidates = new Map<string, SeenCandidate>();
  for (const [log, block] of logsOf(blocks)) {
    if (log.kind === "pool-creation" && !created.has(log.pool.address))
      created.set(log.pool.address, block.number);
    if (log.kind !== "pool-log" || known.get(log.poolId) !== undefined) continue;
    const { poolId: address, family } = log;
    const key = `${address}:${family}`;
    if (!candidates.has(key)) candidates.set(key, { address, family, block });
  }
  return [...candidates.values()].filter(
    ({ address, block }) => (created.get(address) ?? Number.POSITIVE_INFINITY) > block.number,
  );
}

/** Yields the logs of blocks, each with its block. */
function* logsOf(blocks: readonly ScannedBlock[]): Iterable<[ScannedLog, BlockRef]> {
  for (const { block, transactions } of blocks) {
    const { number, hash } = block;
    for (const { logs } of transactions) for (const log of logs) yield [log, { number, hash }];
  }
}
