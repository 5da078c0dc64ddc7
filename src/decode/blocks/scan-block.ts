import { type Chain, singletonsOf } from "../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { Erc20Transfer, Erc721Transfer, PoolCreation } from "../../schema/swap.ts";
import { byteLength } from "../abi/abi.ts";
import { type EventReader, type Evidence, hasForm } from "../families/swap-family.ts";
import { createdPool } from "../pools/created-pool.ts";
import { type Emitters, emittersOf, poolIdOf } from "../pools/pool-id.ts";
import { ANONYMOUS_EVENTS, CREATION_EVENTS, POOL_EVENTS } from "../pools/swap-families.ts";
import { decodeTransfer, TRANSFER_TOPIC } from "../transfers/transfers.ts";
import { decodeWrapping, type Wrapping } from "../transfers/wrapping.ts";

/**
 * A log with the form of a family's pool event. Its amounts are read once its pool is known. If several
 * families share the form, the scan returns one entry per family, and only the entry for the pool's family is
 * used.
 */
export interface PoolLog {
  kind: "pool-log";
  log: Log;
  family: PoolFamily;
  event: EventReader;
  /** The pool's address, or its id in a singleton. */
  poolId: Hex;
}

/** The classification of a log, which does not depend on other blocks. */
export type ScannedLog = Erc20Transfer | Erc721Transfer | PoolCreation | PoolLog;

export interface ScannedTransaction extends Evidence {
  /** In log order, without irrelevant logs. */
  logs: ScannedLog[];
  /** Native coins that were wrapped or unwrapped without a Transfer. */
  wrappings: Wrapping[];
}

/** A block with each of its logs classified. Discovery, decoding and rows read this instead of the logs. */
export interface ScannedBlock {
  block: Block;
  transactions: ScannedTransaction[];
  /** Logs that determine the state of a listed singleton's pools. */
  singletonLogs: Log[];
}

/** Classifies every log of a block. Never throws, whatever the logs contain. */
export function scanBlock(block: Block, chain: Chain): ScannedBlock {
  const singletons = singletonsOf(chain);
  const families = new Set(chain.deployments.map(({ family }) => family));
  const emitters = emittersOf(chain);
  const scanned: ScannedBlock = { block, transactions: [], singletonLogs: [] };
  for (const transaction of block.transactions) {
    const logs: ScannedLog[] = [];
    const wrappings: Wrapping[] = [];
    for (const log of transaction.logs) {
      logs.push(...scanLog(log, transaction.logs, { block, chain, families, emitters }));
      const wrapping = log.address === chain.wrappedNative ? decodeWrapping(log) : null;
      if (wrapping !== null) wrappings.push(wrapping);
      if (isSingletonLog(log, singletons)) scanned.singletonLogs.push(log);
    }
    scanned.transactions.push({
      transaction,
      logs,
      transfers: logs.filter((log) => log.kind === "erc20"),
      wrappings: withoutTransferred(wrappings, logs, chain.wrappedNative),
    });
  }
  return scanned;
}

/** The inputs to the classification of a log, other than the log and its transaction. */
interface ScanContext {
  block: Block;
  chain: Chain;
  /** Families with pools on the chain. */
  families: ReadonlySet<PoolFamily>;
  emitters: Emitters;
}

function scanLog(log: Log, transactionLogs: readonly Log[], context: ScanContext): ScannedLog[] {
  const [topic] = log.topics;
  if (topic === undefined) return scanAnonymous(log, context);
  if (topic === TRANSFER_TOPIC) return optional(decodeTransfer(log));
  const events = POOL_EVENTS.get(topic);
  if (events !== undefined) {
    return events.flatMap(({ family, event }) =>
      hasForm(log, event) ? optional(poolLog(log, family, event, context)) : [],
    );
  }
  if (!CREATION_EVENTS.has(topic)) return [];
  const pool = createdPool(log, context.chain, context.block, transactionLogs);
  return pool === null ? [] : [{ kind: "pool-creation", logIndex: log.logIndex, pool }];
}

function scanAnonymous(log: Log, context: ScanContext): PoolLog[] {
  return ANONYMOUS_EVENTS.flatMap(({ family, event }) =>
    byteLength(log.data) === event.bytes ? optional(poolLog(log, family, event, context)) : [],
  );
}

/**
 * Makes a pool log. Returns null for a family without pools on the chain, and for a singleton or vault that
 * is not listed.
 */
function poolLog(
  log: Log,
  family: PoolFamily,
  event: EventReader,
  { families, emitters }: ScanContext,
): PoolLog | null {
  const poolId = families.has(family) ? poolIdOf(log, family, emitters) : null;
  return poolId === null ? null : { kind: "pool-log", log, family, event, poolId };
}

function optional<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

const SINGLETON_TOPICS: ReadonlySet<Hex> = new Set(Object.values(SINGLETON_EVENTS));

function isSingletonLog({ address, topics }: Log, singletons: readonly Hex[]): boolean {
  const [topic, id] = topics;
  return (
    topic !== undefined && id !== undefined && SINGLETON_TOPICS.has(topic) && singletons.includes(address)
  );
}

/**
 * Returns the wrappings that no Transfer of the same transaction reports. Some wrapped coins other than WETH9
 * emit a Transfer for each wrapping. Each Transfer accounts for only one wrapping, because a wallet may burn
 * coins once and also unwrap the same amount several times in one transaction.
 */
function withoutTransferred(
  wrappings: readonly Wrapping[],
  logs: readonly ScannedLog[],
  wrappedNative: Hex,
): Wrapping[] {
  if (wrappings.length === 0) return [];
  const reported = new Map<string, number>();
  for (const log of logs) {
    if (log.kind !== "erc20" || log.token !== wrappedNative) continue;
    for (const key of reportedBy(log)) reported.set(key, (reported.get(key) ?? 0) + 1);
  }
  return wrappings.filter(({ wallet, amount }) => {
    const key = `${wallet}:${amount}`;
    const left = reported.get(key) ?? 0;
    if (left > 0) reported.set(key, left - 1);
    return left === 0;
  });
}

/** Returns the wrapping that a Transfer of the wrapped coin reports, as `wallet:amount`, if there is one. */
function reportedBy({ from, to, value }: Erc20Transfer): string[] {
  if (from === ZERO_ADDRESS) return [`${to}:${value}`];
  return to === ZERO_ADDRESS ? [`${from}:${-value}`] : [];
}
