import type { Chain } from "../../chains/chain.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import { sharedWhileRunning } from "../../lib/async/shared-while-running.ts";
import { BaseError } from "../../lib/error.ts";
import type { TableName } from "../../schema/tables.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import { isExchanging, readableCommit, wasRewritten } from "../../storage/commits/commit-log.ts";
import type { ChainCommits, Commit, Engine, QueryLimits } from "../../storage/store.ts";
import { newestCheckpoint } from "../../storage/summaries/price-summary.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { CheckpointLease } from "./checkpoint-lease.ts";

export type { Commit, QueryLimits } from "../../storage/store.ts";

/** A chain that can be queried. */
export interface ReadableChain {
  chain: Chain;
  store: ChainCommits;
  /** The engine that holds the chain's tables; absent: the reader's engine. */
  engine?: Engine;
  /** Answers small questions from memory; absent: the engine answers all questions. */
  serving?: ServingState;
}

/** The engine and the chains that every read needs. */
export interface Reader {
  /** Holds the tables of all chains that have no engine of their own; runs statements that read no table. */
  engine: Engine;
  /** Grows when another process begins to index a chain. */
  chains: readonly ReadableChain[];
}

/**
 * One chain as of one commit, usually the newest: every statement of a query is bounded by the same block.
 */
export interface Snapshot {
  chain: Chain;
  store: ChainCommits;
  engine: Engine;
  commit: Commit;
  /** Reads the commits of the chain. */
  log: Pick<Engine, "query"> & Pick<ChainCommits, "committed">;
  /** Reads the checkpoint of the price summary once, when a query first needs it. */
  checkpoint: CheckpointLease;
  table(name: TableName): Sql;
  query<R>(statement: Sql): Promise<R[]>;
  /** Streams the rows of a statement as JSON, one object per line. */
  lines(statement: Sql): AsyncIterable<Uint8Array>;
  /** Streams the rows of a statement in the engine's RowBinary, without separators. For many small rows. */
  binary(statement: Sql): AsyncIterable<Uint8Array>;
}

export interface Answer<T> {
  answer: T;
  /** The commit that the answer reflects; null if it depends on no block. */
  asOf: Commit | null;
}

/**
 * Maximum number of attempts at a query that reorgs interrupt; a chain does not reorg more often than this in
 * a row.
 */
export const MAX_ATTEMPTS = 4;

export function readableChain(reader: Reader, name: string): ReadableChain {
  const found = reader.chains.find(({ chain }) => chain.name === name);
  if (found === undefined) throw new UnknownChain(name, reader);
  return found;
}

/** Returns the engine that holds the tables of a chain. */
export function engineOf(reader: Reader, { engine }: Pick<ReadableChain, "engine">): Engine {
  return engine ?? reader.engine;
}

/**
 * Reads one chain as of one commit; retries when a reorg interferes.
 *
 * @throws UnknownChain, NothingIndexed, ReorganizedDuringRead, and whatever `read` throws
 */
export async function readSnapshot<T>(
  reader: Reader,
  chain: string,
  limits: QueryLimits,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<Answer<T>> {
  const readable = readableChain(reader, chain);
  return retryOnReorg(async (attempt) => {
    const commit = await commitFor(readable, attempt, limits);
    const snapshot = snapshotAt(reader, readable, commit, limits);
    const answer = await read(snapshot);
    await requireUnchanged(snapshot);
    return { answer, asOf: commit };
  });
}

/**
 * Reads an answer that is too large for memory, as of one commit; retries when a reorg interferes.
 *
 * @param query `pieces` makes the answer; `collect` reads all of it, and discards what it has read if
 * `pieces` throws
 * @throws UnknownChain, NothingIndexed, ReorganizedDuringRead, and whatever `pieces` and `collect` throw
 */
export async function collectSnapshot<T>(
  reader: Reader,
  query: {
    chain: string;
    limits: QueryLimits;
    pieces: (snapshot: Snapshot) => AsyncIterable<Uint8Array>;
    collect: (pieces: AsyncIterable<Uint8Array>) => Promise<T>;
  },
): Promise<Answer<T>> {
  const { chain, limits, pieces, collect } = query;
  const readable = readableChain(reader, chain);
  return retryOnReorg(async (attempt) => {
    const commit = await commitFor(readable, attempt, limits);
    const snapshot = snapshotAt(reader, readable, commit, limits);
    return { answer: await collect(confirmed(snapshot, pieces(snapshot))), asOf: commit };
  });
}

/** Runs a query, and retries it when it throws ReorganizedDuringRead. */
export async function retryOnReorg<T>(query: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(attempt);
    } catch (error) {
      if (!(error instanceof ReorganizedDuringRead) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns the commit as of which an attempt reads. The commit in memory needs no query but may be slightly
 * old: if a reorg invalidated it, the next attempt reads the newest commit.
 */
export async function commitFor(
  readable: ReadableChain,
  attempt: number,
  limits: QueryLimits,
): Promise<Commit> {
  const known = attempt === 1 ? readable.serving?.commit : null;
  return known ?? newestCommit(readable, turnOf(limits));
}

/**
 * Returns the limits for reads of commits. They wait for the turn of the request's client, like its own
 * statements, because a client with many requests could otherwise occupy the engine. Limits on time and
 * memory are for the client's own statements only.
 */
function turnOf({ user, signal }: QueryLimits): QueryLimits {
  return { ...(user === undefined ? {} : { user }), ...(signal === undefined ? {} : { signal }) };
}

/**
 * Returns whether two commits are the same. The sequence number alone is not enough, because the tables may
 * have been dropped and filled again.
 */
export function isSameCommit(a: Commit, b: Commit): boolean {
  return a.sequence === b.sequence && a.blockHash === b.blockHash && a.committedAt === b.committedAt;
}

/** @throws NothingIndexed */
export async function newestCommit({ chain, store }: ReadableChain, limits?: QueryLimits): Promise<Commit> {
  const commit = await readableCommit(store, limits);
  if (commit === null) throw new NothingIndexed(chain.name);
  return commit;
}

/**
 * Returns the commit that an answer would reflect now; null while nothing is indexed or the chain's tables
 * are being exchanged.
 */
export async function knownCommit({ serving, store }: ReadableChain): Promise<Commit | null> {
  if (serving?.commit != null) return serving.commit;
  const commit = await sharedRead(store).committed();
  return commit === null || isExchanging(commit) ? null : commit;
}

/**
 * Returns a view of the commits that shares reads: requests that arrive during a read get its result. It is
 * for requests that no queue limits, because any number of them may arrive.
 */
export function sharedRead(store: ChainCommits): ChainCommits {
  const known = SHARED.get(store);
  if (known !== undefined) return known;
  const shared = { chain: store.chain, committed: sharedWhileRunning(() => store.committed()) };
  SHARED.set(store, shared);
  return shared;
}

const SHARED = new WeakMap<ChainCommits, ChainCommits>();

export function snapshotAt(
  reader: Reader,
  readable: ReadableChain,
  commit: Commit,
  limits: QueryLimits,
): Snapshot {
  const { chain, store } = readable;
  const engine = engineOf(reader, readable);
  const query = <R>(statement: Sql) => engine.query<R>(statement, limits);
  const inTurn = turnOf(limits);
  return {
    chain,
    store,
    engine,
    commit,
    log: {
      query: (statement) => engine.query(statement, inTurn),
      committed: () => store.committed(inTurn),
    },
    checkpoint: new CheckpointLease(() => newestCheckpoint({ query }, chain.name), commit.blockNumber),
    table: (name) => engineTable(chain.name, name),
    query,
    lines: (statement) => engine.stream(statement, "JSONEachRow", limits),
    binary: (statement) => engine.stream(statement, "RowBinary", limits),
  };
}

/**
 * Passes on the pieces of an answer. Throws at the end if a reorg invalidated them, so that the caller keeps
 * none.
 */
export async function* confirmed(
  snapshot: Snapshot,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  await requireUnchanged(snapshot);
}

/**
 * Throws ReorganizedDuringRead if the chain was rolled back below the snapshot's block, or blocks were
 * replaced, after the snapshot was taken: the rows may then mix two forks, or show an incomplete rollback.
 * Also throws if the price summary was read and has since been dropped or extended beyond the snapshot.
 */
export async function requireUnchanged(snapshot: Snapshot): Promise<void> {
  const valid = await Promise.all([isUnchanged(snapshot), snapshot.checkpoint.isValid()]);
  if (valid.includes(false)) throw outdated(snapshot);
}

/**
 * Returns the error for tables that have advanced beyond the snapshot. The error makes the query restart at
 * the newest commit.
 */
export function outdated({ chain }: Snapshot): BaseError {
  return new ReorganizedDuringRead(chain.name);
}

async function isUnchanged({ chain, commit, log }: Snapshot): Promise<boolean> {
  const newest = await log.committed();
  if (newest === null || newest.blockNumber < commit.blockNumber) return false;
  if (newest.sequence === commit.sequence) return isSameCommit(newest, commit);
  return !(await wasRewritten(log, chain.name, commit));
}

class UnknownChain extends BaseError {
  constructor(name: string, { chains }: Reader) {
    const known = chains.map(({ chain }) => chain.name).join(", ");
    super("unknown-chain", `Unknown chain ${JSON.stringify(name.slice(0, 40))}. Configured: ${known}.`);
  }
}

export class NothingIndexed extends BaseError {
  constructor(chain: string) {
    super("not-ready", `No block of chain ${chain} is indexed yet. Try again in a moment.`, {
      retryable: true,
    });
  }
}

export class NoChainConfigured extends BaseError {
  constructor() {
    super("not-ready", "No chain is configured yet: index one first.", { retryable: true });
  }
}

export class ReorganizedDuringRead extends BaseError {
  constructor(chain: string) {
    super("not-ready", `Chain ${chain} is being reorganized. Try again in a moment.`, { retryable: true });
  }
}
