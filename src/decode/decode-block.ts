import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import type { Block, Log, Transaction } from "../schema/block.ts";
import { type DecodedEvent, isSingleton, type Pool } from "../schema/swap.ts";
import { createdPool } from "./pools/pool-creation.ts";
import { poolNamedIn } from "./pools/pool-id.ts";
import { poolOfTransfers } from "./pools/transfer-proof.ts";
import { CREATION_EVENTS, type FamilyEvent, POOL_EVENTS } from "./swap-families.ts";
import { hasForm } from "./swap-family.ts";
import { decodeTransfer, TRANSFER_TOPIC } from "./transfers/transfers.ts";

/** Pools by address, those of a singleton by id; null: known not to be genuine; undefined: nothing is known. A Map is one. */
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
 * the way enter the book, so that later logs find them, and so do pools of which the book knows nothing and
 * which a transaction's transfers prove. Logs of other contracts mean nothing.
 * Never throws on what contracts emit.
 */
export function decodeBlock(block: Block, pools: PoolBook, chain: Chain): DecodedTransaction[] {
  const unproven = new Set<string>();
  return block.transactions.map((transaction) => {
    const events: DecodedEvent[] = [];
    for (const log of transaction.logs) {
      const event = decodeLog(log, { block, transaction, pools, chain, unproven });
      if (event !== null) events.push(event);
    }
    return { transaction, events };
  });
}

interface Surroundings {
  block: Block;
  transaction: Transaction;
  pools: PoolBook;
  chain: Chain;
  /** By transaction and address, what transfers were found not to prove in this block. */
  unproven: Set<string>;
}

/** Failed proofs by transfers in a block, of a hundred hashes each: beyond it somebody wants to keep us busy. */
const MAX_FAILED_PROOFS = 64;

function decodeLog(log: Log, around: Surroundings): DecodedEvent | null {
  const [topic] = log.topics;
  if (topic === undefined) return null;
  if (topic === TRANSFER_TOPIC) return decodeTransfer(log);
  const found = POOL_EVENTS.get(topic);
  if (found !== undefined) {
    const name = hasForm(log, found.event) ? poolNamedIn(log, found.family, around.chain) : null;
    const pool = name === null ? null : poolAt(name, found, around);
    return pool?.family === found.family ? found.event.read(log, pool) : null;
  }
  return CREATION_EVENTS.has(topic) ? decodeCreation(log, around) : null;
}

function poolAt(address: Hex, { family }: FamilyEvent, around: Surroundings): Pool | null {
  const { transaction, pools, chain, unproven } = around;
  const known = pools.get(address);
  const attempt = `${transaction.hash}:${address}`;
  if (known !== undefined || isSingleton(family)) return known ?? null;
  if (unproven.has(attempt) || unproven.size === MAX_FAILED_PROOFS) return null;
  const proven = poolOfTransfers({ address, family, logs: transaction.logs }, chain);
  if (proven === null) unproven.add(attempt);
  else pools.set(address, proven);
  return proven;
}

function decodeCreation(log: Log, { block, pools, chain }: Surroundings): DecodedEvent | null {
  const pool = createdPool(log, chain, { block: block.number, timestamp: block.timestamp });
  if (pool === null) return null;
  pools.set(pool.address, pool);
  return { kind: "pool-creation", logIndex: log.logIndex, pool };
}
