import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { type DecodedEvent, isSingleton, type Pool } from "../../schema/swap.ts";
import { poolOfTransfers } from "../pools/transfer-proof.ts";
import type { Wrapping } from "../transfers/wrapping.ts";
import type { PoolLog, ScannedBlock, ScannedLog, ScannedTransaction } from "./scan-block.ts";

/** Pools by address, a singleton's by id. Null: known not to be genuine; undefined: unknown. A Map is one. */
export interface KnownPools {
  get(address: Hex): Pool | null | undefined;
}

export interface DecodedTransaction {
  transaction: Transaction;
  /** In log order. */
  events: DecodedEvent[];
  /** Wrapped and unwrapped native coins that no Transfer reports. */
  wrappings: readonly Wrapping[];
}

export interface DecodedBlock {
  block: Block;
  /** Every transaction of the block, in order. */
  transactions: DecodedTransaction[];
  /** Logs that determine the state of a listed singleton's pools. */
  singletonLogs: readonly Log[];
  /**
   * Pools by address: those that listed factories created in this block, and unknown ones that a
   * transaction's transfers prove. They must be among the known pools when the next block is decoded.
   */
  foundPools: ReadonlyMap<Hex, Pool>;
}

/** The events of a block. Events of contracts that are not genuine pools are left out. */
export function decodeBlock(scanned: ScannedBlock, pools: KnownPools, chain: Chain): DecodedBlock {
  const resolver = new PoolResolver(pools, chain);
  const transactions = scanned.transactions.map((transaction): DecodedTransaction => {
    const events: DecodedEvent[] = [];
    for (const log of transaction.logs) {
      const event = decodeLog(log, transaction, resolver);
      if (event !== null) events.push(event);
    }
    return { transaction: transaction.transaction, events, wrappings: transaction.wrappings };
  });
  const { block, singletonLogs } = scanned;
  return { block, transactions, singletonLogs, foundPools: resolver.found };
}

function decodeLog(
  log: ScannedLog,
  transaction: ScannedTransaction,
  resolver: PoolResolver,
): DecodedEvent | null {
  if (log.kind === "pool-log") {
    const pool = resolver.poolOf(log, transaction);
    return pool?.family === log.family ? log.event.read(log.log, pool) : null;
  }
  if (log.kind === "pool-creation") resolver.add(log.pool);
  return log;
}

/**
 * Most failed proofs by transfers in one block; each costs a hundred hashes, and a block with more is an
 * attack.
 */
const MAX_FAILED_PROOFS = 64;

/** Looks up the pools of one block's logs. */
class PoolResolver {
  readonly found = new Map<Hex, Pool>();
  readonly #known: KnownPools;
  readonly #chain: Chain;
  /** Transaction and address of each failed proof. */
  readonly #failedProofs = new Set<string>();

  constructor(known: KnownPools, chain: Chain) {
    this.#known = known;
    this.#chain = chain;
  }

  add(pool: Pool): void {
    this.found.set(pool.address, pool);
  }

  poolOf({ poolId: address, family }: PoolLog, { transaction, logs }: ScannedTransaction): Pool | null {
    const known = this.found.get(address) ?? this.#known.get(address);
    if (known !== undefined || isSingleton(family)) return known ?? null;
    const attempt = `${transaction.hash}:${address}`;
    if (this.#failedProofs.has(attempt) || this.#failedProofs.size === MAX_FAILED_PROOFS) return null;
    const transfers = logs.filter((log) => log.kind === "erc20");
    const proven = poolOfTransfers({ address, family }, transfers, this.#chain);
    if (proven === null) this.#failedProofs.add(attempt);
    else this.add(proven);
    return proven;
  }
}
