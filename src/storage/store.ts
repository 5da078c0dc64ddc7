import type { Sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import type { StoredScope } from "../schema/scope.ts";
import type { Rows } from "../schema/tables.ts";
import type { PrunedTables, PruneOptions } from "./rows/pruning.ts";

/** The newest block that readers can see as of a commit. */
export interface Commit {
  /**
   * Number of commits of the chain so far, including those that roll back or change blocks; 1 for the first.
   */
  sequence: number;
  /** First block of the index. */
  firstBlock: number;
  blockNumber: number;
  blockHash: Hex;
  /** Unix seconds. */
  timestamp: number;
  /** Newest stored block that was final at this commit; null if none was known to be final. */
  finalized: number | null;
  /** Unix seconds, by the clock of the machine that wrote the commit. */
  committedAt: number;
}

/** All rows of consecutive blocks; committed together or not at all. */
export interface Batch {
  firstBlock: number;
  lastBlock: BlockName;
  rows: Rows;
  /** Newest final block, if one is known. */
  finalized?: number | null;
}

/** Identifies a block of the chain. */
export interface BlockName {
  number: number;
  hash: Hex;
  /** Unix seconds. */
  timestamp: number;
}

/** The user on whose behalf a statement runs. */
export interface StatementUser {
  name: string;
  /**
   * Maximum share of the engine's sessions for users that this user's statements may take, from 0 to 1. While
   * other users are active, only half of it is allowed.
   */
  share: number;
}

/** Limits of one query; exceeding them fails with `timeout` or `memory`. */
export interface QueryLimits {
  timeoutMs?: number;
  memoryBytes?: number;
  /**
   * Maximum number of rows that the engine computes at once. A query can be stopped only between two such
   * blocks of rows.
   */
  blockRows?: number;
  /** Maximum number of threads; default: one for each core. */
  threads?: number;
  signal?: AbortSignal;
  /** Default: the service itself, whose statements have priority. */
  user?: StatementUser;
  /**
   * Called if the caller gets its error although the statement is still running; `ended` settles when it has
   * ended.
   */
  onAbandoned?(ended: Promise<unknown>): void;
}

/** Limits of a streamed answer, and a callback for the work that it took. */
export interface StreamLimits extends QueryLimits {
  /**
   * True: pieces arrive while the query runs, so it can fail after some have arrived, and the caller must
   * then discard them. False: nothing arrives before the answer is complete.
   */
  whileRunning?: boolean;
  /** Upper bound of the answer's size, if known: a small answer arrives sooner, in one piece. */
  maxBytes?: number;
  /** Called after the last piece, if not earlier. */
  onWork?(work: QueryWork): void;
}

/** The work of a query; null where the engine does not report it. */
export interface QueryWork {
  /** Number of rows in the answer. */
  rows: number | null;
  /** Number of rows that the engine read. */
  rowsRead: number | null;
}

/** A change of the address at which a server responds. */
export interface AddressChange {
  /** Hosts with their ports, without credentials. */
  from: string;
  to: string;
}

/** The changes from one address of a server to another. */
export interface AddressChanges {
  /** Number of changes so far. */
  readonly changes: number;
  /** Reports each further change. If there was one already, reports the newest at once. */
  follow(listener: (change: AddressChange) => void): void;
}

/** Runs SQL from our own printers, in this process, in another one or on a server. */
export interface Engine {
  /**
   * True for a database whose tables are stored on several servers. A write is then complete only once all
   * servers have it, so that a statement can read from any server. Default: false.
   */
  readonly isReplicated?: boolean;
  /** Absent for engines without addresses. */
  readonly addresses?: AddressChanges;
  /** Statements that are still running although they were cancelled or reached their time limit. */
  readonly abandoned?: {
    readonly running: number;
    readonly total: number;
    /**
     * Must be called before a query that may not stop when killed. Throws `not-ready` if too many such
     * statements are running.
     */
    requireRoom(): void;
  };
  /** Returns all rows of a query, as in the engine's JSONEachRow format. */
  query<R>(sql: Sql, limits?: QueryLimits): Promise<R[]>;
  /**
   * Streams a query's answer as bytes in an engine format, e.g. `JSONEachRow`, `Parquet`. Leaving the loop
   * cancels the query.
   */
  stream(sql: Sql, format: string, limits?: StreamLimits): AsyncIterable<Uint8Array>;
  /** Runs DDL and other statements without an answer. */
  execute(sql: Sql): Promise<void>;
  /**
   * Appends rows, encoded as RowBinary in the order of `columns`.
   *
   * @param print prints the same rows as the tuples after `VALUES`. Given only for a few rows: in this form,
   * the embedded engine inserts them in two thirds of the time.
   */
  insert(
    table: string,
    columns: readonly string[],
    rowBinary: Uint8Array[],
    print?: () => Sql,
  ): Promise<void>;
  /**
   * Ends the writes whose answers were lost, which may still be running, and waits until all replicas have
   * all earlier writes. Without this, such a write could still take effect after the caller's next step.
   * Engines in this process lose no answers, so they need not implement this.
   */
  settleWrites?(): Promise<void>;
  /** True while `settleWrites` would have to end writes of this process. */
  readonly hasLostWrites?: boolean;
  /**
   * Returns this engine for the process that holds a lease. Its `settleWrites` also ends the writes that
   * earlier holders sent, which may outlive their processes.
   */
  forLeaseholder?(lease: string): Engine;
  close(): Promise<void>;
}

/** The name and the newest commit of a stored chain. */
export interface ChainCommits {
  /** Name of the chain: the prefix of its tables. */
  readonly chain: string;
  /** Returns the newest commit; null while nothing is indexed. */
  committed(limits?: QueryLimits): Promise<Commit | null>;
}

/** The commits of a chain that another process may be writing. */
export interface CommitLog extends ChainCommits {
  /**
   * Returns at most `most` commits, oldest first: the one with this sequence number, if it is stored, and
   * those after it.
   */
  from(sequence: number, most: number, limits?: QueryLimits): Promise<Commit[]>;
}

/** Follows the commits of a chain. Methods must not throw: the commit is already made. */
export interface CommitListener {
  /** Reports the rows of the blocks that a commit added. */
  extended(commit: Commit, rows: Rows): void;
  /** Reports that every block above the commit's was removed. */
  rolledBack(commit: Commit): void;
  /**
   * Reports that any of the rows reported before may have changed. `commit` is null if nothing is committed.
   */
  replaced(commit: Commit | null): void;
}

/** A stored chain and its only writer. Any number of readers may read at the same time. */
export interface ChainStore extends ChainCommits {
  /**
   * Writes a batch. Readers see it when this resolves. If this rejects, they see the whole batch or nothing
   * of it.
   */
  commit(batch: Batch): Promise<Commit>;
  /**
   * Commits blocks whose rows `write` itself inserts into the tables. Readers see them when this resolves. If
   * this rejects, they see all of them or none. `write` receives an engine that checks the right to write
   * before each statement.
   */
  load(blocks: Omit<Batch, "rows">, write: (engine: Engine) => Promise<void>): Promise<Commit>;
  /** Removes every block above the given one, which becomes the newest. */
  rollback(block: BlockName): Promise<Commit>;
  /**
   * Repairs committed blocks: replaces every row of blocks `first` to `last`. Readers see either all old or
   * all new rows: they wait while partitions are replaced, until another commit of the newest block, which
   * makes other processes drop what they read before. After an interruption, either nothing has changed, or
   * the next write completes the replacement and the commit.
   */
  replace(blocks: { first: number; last: number }, rows: Rows): Promise<Commit>;
  /**
   * Removes the raw rows of blocks before `rawFrom`, all of which must be final. After an interruption,
   * readers ignore the rows that are left, and another run removes them.
   */
  prune(scope: StoredScope, options?: PruneOptions): Promise<PrunedTables>;

  /**
   * Replaces the chain's tables with those of its copy. `copy` is the copy's newest commit, which must be at
   * the chain's newest block. Readers see either all old or all new tables. Tables that are no longer needed
   * remain until `dropCopy()`.
   */
  exchange(copy: Commit): Promise<Commit>;
  /**
   * Runs other statements that write, such as the removal of rows that readers do not see. `work` receives an
   * engine that checks the right to write before each of them, and the newest commit. Afterwards, and after
   * an interruption, the tables are recovered as after a failed write.
   */
  maintain(work: (engine: Engine, newest: Commit | null) => Promise<void>): Promise<void>;
  /** Completes or undoes a failed write; does nothing if there was none. */
  recover(): Promise<void>;

  /**
   * Changes values in rows of committed blocks. `prepare` must not change anything that readers see; it
   * returns the step that does, or null if there is nothing to change. Readers wait during that step and the
   * commit of the newest block that follows it, so none sees rows of both states, or new rows as of the old
   * commit. After an interruption, the next write completes the change and the commit.
   *
   * @param prepare receives the newest commit, and an engine that checks the right to write before each
   * statement
   * @returns null if nothing was changed
   */
  amend(
    prepare: (newest: Commit, engine: Engine) => Promise<(() => Promise<void>) | null>,
  ): Promise<Commit | null>;
  /**
   * The engine, for statements that may run next to commits, because readers do not see what they write. It
   * checks the right to write before each of them.
   */
  readonly guarded: Engine;
  /** Reports every further commit to a listener, before the call that made it resolves. */
  follow(listener: CommitListener): void;
}
