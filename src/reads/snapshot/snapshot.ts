import type { Chain } from "../../chains/chain.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { TableName } from "../../schema/tables.ts";
import { wasRolledBack } from "../../storage/commits/commit-log.ts";
import type { ChainCommits, Commit, Engine, QueryLimits } from "../../storage/store.ts";
import { newestCheckpoint } from "../../storage/summaries/price-summary.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { SealInUse } from "./checkpoint-lease.ts";

export type { Commit, QueryLimits } from "../../storage/store.ts";

/** A chain that questions can be asked about. */
export interface ReadableChain {
  chain: Chain;
  store: ChainCommits;
}

/** What every question is asked of: the engine and the chains in it. */
export interface Reader {
  engine: Engine;
  chains: readonly ReadableChain[];
}

/** One chain as of its newest commit: every read of a question is bounded by the same block. */
export interface Snapshot {
  chain: Chain;
  store: ChainCommits;
  commit: Commit;
  /** How far the summary of prices goes. */
  seal: SealInUse;
  table(name: TableName): Sql;
  query<R>(statement: Sql): Promise<R[]>;
  /** The answer's rows as JSON, one object a line. */
  lines(statement: Sql): AsyncIterable<Uint8Array>;
  /** The answer's rows in the engine's RowBinary, one behind the other: for many rows of few bytes. */
  binary(statement: Sql): AsyncIterable<Uint8Array>;
}

export interface Answer<T> {
  answer: T;
  /** The commit that the answer is as of; null when it depends on no block. */
  asOf: Commit | null;
}

/** A reorg during a question makes it start again; a chain does not reorg more often than this in a row. */
export const MAX_ATTEMPTS = 4;

export function readableChain(reader: Reader, name: string): ReadableChain {
  const found = reader.chains.find(({ chain }) => chain.name === name);
  if (found === undefined) throw new UnknownChain(name, reader);
  return found;
}

/**
 * Asks a question of one chain, as of one commit; again, should a reorg have interfered.
 *
 * @throws UnknownChain, NothingIndexed, ReorganizedMeanwhile, and what the question throws
 */
export async function ask<T>(
  reader: Reader,
  question: { chain: string; limits: QueryLimits; read: (snapshot: Snapshot) => Promise<T> },
): Promise<Answer<T>> {
  const { chain, limits, read } = question;
  const readable = readableChain(reader, chain);
  return againIfReorganized(async () => {
    const commit = await newestCommit(readable);
    const snapshot = snapshotAt(reader, { readable, commit, limits });
    const answer = await read(snapshot);
    await requireStanding(reader, snapshot);
    return { answer, asOf: commit };
  });
}

/** Runs a question, and again should it have thrown ReorganizedMeanwhile. */
export async function againIfReorganized<T>(question: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ReorganizedMeanwhile) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

export async function newestCommit({ chain, store }: ReadableChain): Promise<Commit> {
  const commit = await store.committed();
  if (commit === null) throw new NothingIndexed(chain.name);
  return commit;
}

export function snapshotAt(
  { engine }: Reader,
  { readable, commit, limits }: { readable: ReadableChain; commit: Commit; limits: QueryLimits },
): Snapshot {
  const { chain, store } = readable;
  const query = <R>(statement: Sql) => engine.query<R>(statement, limits);
  return {
    chain,
    store,
    commit,
    seal: new SealInUse(() => newestCheckpoint({ query }, chain.name), commit.blockNumber),
    table: (name) => engineTable(chain.name, name),
    query,
    lines: (statement) => engine.stream(statement, "JSONEachRow", limits),
    binary: (statement) => engine.stream(statement, "RowBinary", limits),
  };
}

/**
 * Asks a question whose answer is too large to hold, as of one commit; again, should a reorg have interfered.
 *
 * @param question `pieces` makes the answer; `collect` takes it to its end, and drops what it took when that throws
 * @throws UnknownChain, NothingIndexed, ReorganizedMeanwhile, and what the question throws
 */
export async function askInPieces<T>(
  reader: Reader,
  question: {
    chain: string;
    limits: QueryLimits;
    pieces: (snapshot: Snapshot) => AsyncIterable<Uint8Array>;
    collect: (pieces: AsyncIterable<Uint8Array>) => Promise<T>;
  },
): Promise<Answer<T>> {
  const { chain, limits, pieces, collect } = question;
  const readable = readableChain(reader, chain);
  return againIfReorganized(async () => {
    const commit = await newestCommit(readable);
    const snapshot = snapshotAt(reader, { readable, commit, limits });
    return { answer: await collect(confirmed(reader, pieces(snapshot), snapshot)), asOf: commit };
  });
}

/** Pieces of an answer that does not hold end in an error, so that whoever collects them keeps nothing. */
export async function* confirmed(
  reader: Reader,
  pieces: AsyncIterable<Uint8Array>,
  snapshot: Snapshot,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  await requireStanding(reader, snapshot);
}

/**
 * Throws ReorganizedMeanwhile when the chain was rolled back below the snapshot's block since it was taken: then rows
 * of two forks, or of half a rollback, may have met in what was read meanwhile. So when the summary was used, and dropped.
 */
async function requireStanding(reader: Reader, snapshot: Snapshot): Promise<void> {
  const held = await Promise.all([stillHolds(reader, snapshot), snapshot.seal.holds()]);
  if (held.includes(false)) throw overtaken(snapshot);
}

/** What a question throws when the tables have gone beyond its snapshot: it is asked again at the newest commit. */
export function overtaken({ chain }: Snapshot): BaseError {
  return new ReorganizedMeanwhile(chain.name);
}

async function stillHolds({ engine }: Reader, { chain, store, commit }: Snapshot): Promise<boolean> {
  const newest = await store.committed();
  if (newest === null || newest.blockNumber < commit.blockNumber) return false;
  if (newest.sequence === commit.sequence) return true;
  return !(await wasRolledBack(engine, chain.name, commit));
}

export class UnknownChain extends BaseError {
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

export class NothingToAsk extends BaseError {
  constructor() {
    super("not-ready", "No chain is configured yet: index one first.", { retryable: true });
  }
}

class ReorganizedMeanwhile extends BaseError {
  constructor(chain: string) {
    super("not-ready", `Chain ${chain} is being reorganized. Try again in a moment.`, { retryable: true });
  }
}
