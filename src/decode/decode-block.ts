import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import type { Block, Log, Transaction } from "../schema/block.ts";
import type { DecodedEvent, Pool } from "../schema/swap.ts";
import { createdPool } from "./pool-creation.ts";
import { CREATION_EVENTS, POOL_EVENTS } from "./swap-families.ts";
import { hasForm } from "./swap-family.ts";
import { decodeTransfer, TRANSFER_TOPIC } from "./transfers.ts";

/** Pools by address; null: known not to be genuine. A Map is one. */
export interface PoolBook {
  get(address: Hex): Pool | null | undefined;
  set(address: Hex, pool: Pool | null): unknown;
}

export interface DecodedTransaction {
  transaction: Transaction;
  /** In log order. */
  events: DecodedEvent[];
}

/**
 * Every transaction of the block with the events that its logs mean. Pools that the chain's factories create on
 * the way enter the book, so that later logs find them. Logs of pools that the book does not hold mean nothing.
 * Never throws on what contracts emit.
 */
export function decodeBlock(block: Block, pools: PoolBook, chain: Chain): DecodedTransaction[] {
  return block.transactions.map((transaction) => {
    const events: DecodedEvent[] = [];
    for (const log of transaction.logs) {
      const event = decodeLog(log, { block, pools, chain });
      if (event !== null) events.push(event);
    }
    return { transaction, events };
  });
}

interface Surroundings {
  block: Block;
  pools: PoolBook;
  chain: Chain;
}

function decodeLog(log: Log, around: Surroundings): DecodedEvent | null {
  const [topic] = log.topics;
  if (topic === undefined) return null;
  if (topic === TRANSFER_TOPIC) return decodeTransfer(log);
  const found = POOL_EVENTS.get(topic);
  if (found !== undefined) {
    const pool = around.pools.get(log.address);
    if (pool?.family !== found.family || !hasForm(log, found.event)) return null;
    return found.event.read(log, pool);
  }
  return CREATION_EVENTS.has(topic) ? decodeCreation(log, around) : null;
}

function decodeCreation(log: Log, { block, pools, chain }: Surroundings): DecodedEvent | null {
  const pool = createdPool(log, block, chain);
  if (pool === null) return null;
  pools.set(pool.address, pool);
  return { kind: "pool-creation", logIndex: log.logIndex, pool };
}
