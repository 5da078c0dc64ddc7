import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { isSingleton, type PoolFamily, type SingletonFamily } from "../../schema/pool-families.ts";
import type { DecodedEvent, Pool } from "../../schema/swap.ts";
import type { BufferAssets } from "../families/buffers.ts";
import { HASHES_PER_PROOF, poolOfSwap } from "../pools/key-proof.ts";
import { FAMILIES } from "../pools/swap-families.ts";
import type { Wrapping } from "../transfers/wrapping.ts";
import type { PoolLog, ScannedBlock, ScannedLog, ScannedTransaction } from "./scan-block.ts";

/**
 * Known pools by address, or by id for pools of a singleton. `get` returns null for a contract that is known
 * not to be genuine, and undefined for an unknown one. A Map satisfies this interface.
 */
export interface KnownPools {
  get(address: Hex): Pool | null | undefined;
}

export interface DecodedTransaction {
  transaction: Transaction;
  /** In log order. */
  events: DecodedEvent[];
  /** Native coins that were wrapped or unwrapped without a Transfer. */
  wrappings: readonly Wrapping[];
}

export interface DecodedBlock {
  block: Block;
  /** Every transaction of the block, in order. */
  transactions: DecodedTransaction[];
  /** Logs that determine the state of a listed singleton's pools. */
  singletonLogs: readonly Log[];
  /**
   * Pools by address or id: pools that listed factories created in this block, and unknown pools that a
   * transaction of this block proves. The caller must add them to the known pools before it decodes the next
   * block.
   */
  foundPools: ReadonlyMap<Hex, Pool>;
  /** Number of swaps left out, by pool id. A swap in a singleton is left out if the pool's key is unknown. */
  leftOut: ReadonlyMap<Hex, number>;
}

const NO_BUFFERS: BufferAssets = new Map();

/**
 * Decodes the events of a block. Leaves out the pool events of contracts that are not genuine pools.
 *
 * @param buffers underlying tokens of the vaults' buffers; by default, none are known
 */
export function decodeBlock(
  scanned: ScannedBlock,
  pools: KnownPools,
  chain: Chain,
  buffers = NO_BUFFERS,
): DecodedBlock {
  const resolver = new PoolResolver(pools, chain);
  const transactions = scanned.transactions.map((transaction): DecodedTransaction => {
    const events: DecodedEvent[] = [];
    const evidence = { ...transaction, buffers };
    for (const log of transaction.logs) {
      const event = decodeLog(log, evidence, resolver);
      if (event !== null) events.push(event);
    }
    return { transaction: transaction.transaction, events, wrappings: transaction.wrappings };
  });
  const { block, singletonLogs } = scanned;
  return { block, transactions, singletonLogs, foundPools: resolver.found, leftOut: resolver.leftOut };
}

function decodeLog(
  log: ScannedLog,
  transaction: ScannedTransaction & { buffers: BufferAssets },
  resolver: PoolResolver,
): DecodedEvent | null {
  if (log.kind === "pool-log") {
    const pool = resolver.poolOf(log, transaction);
    if (pool?.family !== log.family || resolver.isFilledByPool(pool, transaction)) return null;
    return log.event.read(log.log, pool, transaction);
  }
  if (log.kind === "pool-creation") resolver.add(log.pool);
  return log;
}

/**
 * Maximum number of failed proofs by keys in one block. Each reads the whole calldata. A block with more
 * failures is an attack.
 */
const MAX_FAILED_KEY_PROOFS = 64;

/**
 * Maximum number of hashes for failed proofs by transfers in one block. They take about 300 ms. If contracts
 * cannot be called, every swap in a pool of an unlisted factory causes a failed proof, and a busy block has
 * hundreds of these swaps. Most failed proofs take fewer than a hundred hashes.
 */
const MAX_FAILED_HASHES = 16_384;

/**
 * Assumed number of hashes of a failed proof if the real number is unknown: as many as an expensive proof
 * takes.
 */
const USUAL_HASHES = 256;

/**
 * Minimum number of hashes to count for a failed proof. Even a proof without hashes has to read the transfers
 * of its transaction.
 */
const MIN_HASHES = 16;

/**
 * Maximum number of hashes for proofs by keys in one block. They take about 40 ms. No real block has enough
 * unknown V4 pools to exceed this limit. Keys that are not tried may be found in a later block.
 */
const MAX_KEY_HASHES = 8 * HASHES_PER_PROOF;

/** Families whose pools can be the hooks of other pools. */
const HOOK_FAMILIES: ReadonlySet<PoolFamily> = new Set(["euler-swap-v1", "euler-swap-v2"]);

/** A swap in a singleton. No other events of a singleton's pools are decoded. */
type SingletonLog = PoolLog & { family: SingletonFamily };

/**
 * Returns the pool that an event belongs to: the known pool, or the pool with the same id in the singleton
 * that emitted the event. Two singletons of a family, such as versions 2 and 3 of Ekubo, may have pools with
 * equal keys. The id is the hash of the key, so only the deployment and the creation differ.
 */
function poolOfEmitter(known: Pool, { log, family }: PoolLog, { deployments }: Chain): Pool {
  if (known.family !== family || !isSingleton(family) || known.factory === log.address) return known;
  const emitter = deployments.find((one) => one.family === family && one.factory === log.address);
  if (emitter === undefined) return known;
  const { protocol, factory } = emitter;
  return { ...known, protocol, factory, createdBlock: null, createdTimestamp: null };
}

/** Looks up the pools of one block's logs. */
class PoolResolver {
  readonly found = new Map<Hex, Pool>();
  readonly leftOut = new Map<Hex, number>();
  readonly #known: KnownPools;
  readonly #chain: Chain;
  /**
   * Failed proofs by transfers, as transaction, address and family. `#failedKeyProofs` has failed proofs by
   * keys, as transaction and pool id.
   */
  readonly #failedProofs = new Set<string>();
  #failedHashes = 0;
  readonly #failedKeyProofs = new Set<string>();
  #keyHashes = 0;
  /**
   * The result of `#swapsOfHooks` for the newest transaction. A transaction may have thousands of swaps, and
   * must not be searched for each of them.
   */
  #hookSwaps: { logs: readonly ScannedLog[]; byPool: ReadonlyMap<Hex, PoolLog> } = {
    logs: [],
    byPool: new Map(),
  };

  constructor(known: KnownPools, chain: Chain) {
    this.#known = known;
    this.#chain = chain;
  }

  /**
   * Adds a pool, unless another singleton's pool has the same id. Anyone can create a pool with the key of
   * another one, so a creation must not replace a known pool.
   */
  add(pool: Pool): void {
    const known = this.#find(pool.address);
    if (known && isSingleton(pool.family) && known.factory !== pool.factory) return;
    this.found.set(pool.address, pool);
  }

  poolOf(log: PoolLog, transaction: ScannedTransaction): Pool | null {
    const known = this.#find(log.poolId);
    const { family } = log;
    if (known) return poolOfEmitter(known, log, this.#chain);
    if (known === null) return null;
    const proven = isSingleton(family)
      ? this.#provenByKey({ ...log, family }, transaction)
      : this.#provenByUse(log, transaction);
    if (proven !== null) this.add(proven);
    return proven ?? (isSingleton(family) ? this.#leaveOut(log) : null);
  }

  /**
   * Returns true if the hook of a singleton's pool is itself a pool with a swap in the transaction
   * (EulerSwap). The hook then fills the swap, and only the hook's event is decoded. Pools of other families
   * may also be named as hooks, but are never called as hooks.
   */
  isFilledByPool({ family, hooks }: Pool, transaction: ScannedTransaction): boolean {
    if (hooks === null || !isSingleton(family)) return false;
    const own = this.#swapsOfHooks(transaction).get(hooks);
    return own !== undefined && this.poolOf(own, transaction)?.family === own.family;
  }

  /** Returns the first swap of each pool in a transaction that may be a hook, by the pool's address. */
  #swapsOfHooks({ logs }: ScannedTransaction): ReadonlyMap<Hex, PoolLog> {
    if (this.#hookSwaps.logs === logs) return this.#hookSwaps.byPool;
    const byPool = new Map<Hex, PoolLog>();
    for (const log of logs)
      if (log.kind === "pool-log" && HOOK_FAMILIES.has(log.family) && !byPool.has(log.poolId))
        byPool.set(log.poolId, log);
    this.#hookSwaps = { logs, byPool };
    return byPool;
  }

  #find(address: Hex): Pool | null | undefined {
    return this.found.get(address) ?? this.#known.get(address);
  }

  #leaveOut({ poolId }: PoolLog): null {
    this.leftOut.set(poolId, (this.leftOut.get(poolId) ?? 0) + 1);
    return null;
  }

  #provenByUse({ poolId: address, family, log }: PoolLog, evidence: ScannedTransaction): Pool | null {
    const attempt = `${evidence.transaction.hash}:${address}:${family}`;
    if (this.#failedProofs.has(attempt) || this.#failedHashes >= MAX_FAILED_HASHES) return null;
    const { proof } = FAMILIES[family];
    const proven = proof?.fromTransaction(address, log, evidence, this.#chain) ?? null;
    if (proven !== null) return proven;
    this.#failedProofs.add(attempt);
    const hashes = proof?.hashes?.(address, evidence, this.#chain) ?? USUAL_HASHES;
    this.#failedHashes += Math.max(hashes, MIN_HASHES);
    return null;
  }

  #provenByKey({ poolId: id, log, family }: SingletonLog, { transaction, transfers }: ScannedTransaction) {
    const attempt = `${transaction.hash}:${id}`;
    const allowed = Math.min(HASHES_PER_PROOF, MAX_KEY_HASHES - this.#keyHashes);
    if (this.#failedKeyProofs.has(attempt) || this.#failedKeyProofs.size === MAX_FAILED_KEY_PROOFS)
      return null;
    if (allowed <= 0) return null;
    const swap = { id, family, log, transaction, transfers };
    const { pool, hashes } = poolOfSwap(swap, this.#chain, allowed);
    this.#keyHashes += hashes;
    if (pool === null) this.#failedKeyProofs.add(attempt);
    return pool;
  }
}
