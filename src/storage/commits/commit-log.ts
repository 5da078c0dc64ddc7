import { hexBytes, hexText, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ChainCommits, Commit, CommitLog, Engine, QueryLimits } from "../store.ts";
import { commitsTable, commitsTableName } from "../tables/ddl.ts";
import { isMixed, isRewriting } from "../tables/replacement-tables.ts";
import { tableExists } from "../tables/table-exists.ts";

/** Returns the commits of a chain that another process may be writing; its tables need not exist yet. */
export function chainCommits(engine: Engine, chain: string): CommitLog {
  return new StoredCommits(engine, chain);
}

/**
 * Returns the commits of a chain that has no writer while this process runs. The newest commit is cached once
 * there is one.
 */
export function unchangingCommits(engine: Engine, chain: string): ChainCommits {
  return new UnchangingCommits(chainCommits(engine, chain));
}

/** An engine, or one whose statements have the limits of a request. */
type Queried = Pick<Engine, "query">;

/** The commit of a reader's snapshot. */
export type SnapshotCommit = Pick<Commit, "sequence" | "blockNumber">;

const COMMIT = sql`sequence, first_block AS firstBlock, block_number AS blockNumber,
  ${hexText(sql`block_hash`)} AS blockHash, timestamp, finalized, committed_at AS committedAt`;

/** Returns whether another process may be writing a chain. */
export function isCommitLog(commits: ChainCommits): commits is CommitLog {
  return "from" in commits;
}

/** Reads the newest commit of a chain whose tables exist; null while nothing is indexed. */
export async function newestCommit(engine: Queried, chain: string): Promise<Commit | null> {
  const rows = await engine.query<Commit>(
    sql`SELECT ${COMMIT} FROM ${commitsTable(chain)} ORDER BY sequence DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

const SETTLE_POLL_MS = 10;
/**
 * How long to wait while rows are replaced, which takes a few milliseconds per table and month of blocks.
 * Must be well below the time after which `ServerCommits` assumes that the server does not respond.
 */
const SETTLE_LIMIT_MS = 3_000;

/**
 * Reads the newest commit like `newestCommit`. While committed rows are being replaced, waits for the commit
 * that makes the new rows visible, so that no answer mixes old and new rows. Also waits while partitions are
 * exchanged: if the engine is killed meanwhile, some rows exist twice until the exchange is repeated.
 *
 * @throws HalfRewritten
 */
export function settledCommit(
  engine: Queried,
  chain: string,
  limits: QueryLimits = {},
): Promise<Commit | null> {
  return commitWithout(isMixed(chain), engine, chain, limits);
}

/**
 * Reads the newest commit for the process that writes the chain. It does not wait for an exchange of
 * partitions, which only this process can repeat.
 *
 * @throws HalfRewritten
 */
export function writtenCommit(
  engine: Queried,
  chain: string,
  limits: QueryLimits = {},
): Promise<Commit | null> {
  return commitWithout(isRewriting(chain), engine, chain, limits);
}

/** @param changes expression for the number of unfinished changes; waits until there are none */
async function commitWithout(
  changes: Sql,
  engine: Queried,
  chain: string,
  limits: QueryLimits,
): Promise<Commit | null> {
  const startedMs = systemClock.monotonic();
  for (;;) {
    const [found] = await engine.query<Commit & { changes: number }>(
      sql`SELECT ${COMMIT}, ${changes} AS changes FROM ${commitsTable(chain)} ORDER BY sequence DESC LIMIT 1`,
      limits,
    );
    if (found === undefined) return null;
    const { changes: left, ...commit } = found;
    if (Number(left) === 0) return commit;
    if (systemClock.monotonic() - startedMs > SETTLE_LIMIT_MS) throw new HalfRewritten(chain);
    await systemClock.sleep(SETTLE_POLL_MS);
  }
}

/**
 * Returns whether committed rows or partitions are being replaced, or were being replaced when a process was
 * interrupted. In this case, `settledCommit` waits.
 */
export async function isHalfRewritten(engine: Queried, chain: string): Promise<boolean> {
  const [found] = await engine.query<{ mixed: number }>(sql`SELECT ${isMixed(chain)} AS mixed`);
  return Number(found?.mixed ?? 0) > 0;
}

/**
 * True for the commit that precedes an exchange of the chain's tables. Until the next commit, some tables
 * belong to the old index and some to the new one. An impossible first block marks it, so the table of
 * commits needs no extra column.
 */
export function isExchanging({ firstBlock, blockNumber }: Commit): boolean {
  return firstBlock > blockNumber + 1;
}

/** How long to wait for an exchange, which takes a fraction of a second unless its process is interrupted. */
const EXCHANGE_WAIT_MS = 5_000;
const EXCHANGE_POLL_MS = 10;

/**
 * Returns the newest commit of a chain; null while nothing is indexed. If its tables are being exchanged,
 * waits until that is done.
 *
 * @throws StillExchanging
 */
export async function readableCommit(
  commits: ChainCommits,
  limits?: QueryLimits,
  clock: Clock = systemClock,
): Promise<Commit | null> {
  const deadlineMs = clock.monotonic() + EXCHANGE_WAIT_MS;
  for (;;) {
    const commit = await commits.committed(limits);
    if (commit === null || !isExchanging(commit)) return commit;
    if (clock.monotonic() > deadlineMs) throw new StillExchanging(commits.chain);
    await clock.sleep(EXCHANGE_POLL_MS);
  }
}

/**
 * Returns true if rows up to a commit's block may have changed since that commit: the chain was rolled back
 * below that block, even if it has grown again since, or blocks were replaced, which adds another commit of
 * the same block. Also returns true while committed rows are being replaced, before the commit that makes the
 * new rows visible. Returns true as well if the given commit is gone: a replica may show a commit that is
 * then lost with the replica, and the next commit gets the same number.
 */
export async function wasRewritten(engine: Queried, chain: string, commit: SnapshotCommit): Promise<boolean> {
  const since = sql`SELECT sequence, block_number AS block, lagInFrame(block_number) OVER w AS previous
    FROM ${commitsTable(chain)} WHERE sequence >= ${integer(commit.sequence)}
    WINDOW w AS (ORDER BY sequence ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
  const [sequence, block] = [integer(commit.sequence), integer(commit.blockNumber)];
  const [found] = await engine.query<{ rewriting: number }>(
    sql`SELECT ${isRewriting(chain)} > 0 OR countIf(sequence = ${sequence} AND block >= ${block}) = 0
      OR countIf(sequence > ${sequence} AND (block < ${block} OR block = previous)) > 0 AS rewriting FROM (${since})`,
  );
  return Number(found?.rewriting ?? 1) === 1;
}

/** A block that was sent to a client. */
export interface SentBlock {
  /** Sequence number of the commit as of which the block was sent, or of an earlier one. */
  commit: number;
  block: number;
  hash: Hex;
}

/** What has changed on a chain since the commit as of which a block was sent. */
export interface ChangesSince {
  /** The newest block of that commit; null if no commit has its sequence number. */
  newestBlock: number | null;
  /** Whether that commit, or a later one, had the block that was sent as its newest block. */
  isKnown: boolean;
  /**
   * Whether that commit, or a later one, had a block of this height. The log has only the hash of the newest
   * block of each commit, so the block may have had another hash.
   */
  isPossible: boolean;
  /** The lowest block that a later commit rolled the chain back to; null if none did. */
  rolledBackTo: number | null;
  /**
   * True if blocks were replaced: a repair adds another commit of the same block. An amendment also adds such
   * a commit, but is not a repair, because it changes no rows of events.
   */
  isRepaired: boolean;
}

export async function changesSince(engine: Queried, chain: string, sent: SentBlock): Promise<ChangesSince> {
  const [sequence, block] = [integer(sent.commit), integer(sent.block)];
  const since = sql`SELECT sequence, block_number, block_hash, is_amendment, lagInFrame(block_number) OVER w AS previous
    FROM ${commitsTable(chain)} WHERE sequence >= ${sequence}
    WINDOW w AS (ORDER BY sequence ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
  const isLater = sql`sequence > ${sequence}`;
  const isNewest = sql`block_number = ${block} AND block_hash = ${hexBytes(sent.hash)}`;
  const isBelow = sql`block_number > ${block} AND (sequence = ${sequence} OR previous < ${block})`;
  const [found] = await engine.query<{
    newestBlock: number | null;
    known: number;
    possible: number;
    rolledBackTo: number | null;
    repaired: number;
  }>(
    sql`SELECT minOrNullIf(block_number, sequence = ${sequence}) AS newestBlock,
      countIf(${isNewest}) AS known, countIf(${isBelow}) AS possible,
      minOrNullIf(block_number, ${isLater} AND block_number < previous) AS rolledBackTo,
      countIf(${isLater} AND block_number = previous AND is_amendment = 0) AS repaired FROM (${since})`,
  );
  return {
    newestBlock: found?.newestBlock ?? null,
    isKnown: Number(found?.known ?? 0) > 0,
    isPossible: Number(found?.possible ?? 0) > 0,
    rolledBackTo: found?.rolledBackTo ?? null,
    isRepaired: Number(found?.repaired ?? 0) > 0,
  };
}

/**
 * Appends a commit, which makes the rows of its blocks visible or rolls blocks back.
 *
 * @param isAmendment true if the commit makes new values of committed rows visible: see `amended-table.ts`
 */
export async function appendCommit(
  engine: Engine,
  chain: string,
  commit: Commit,
  isAmendment = false,
): Promise<void> {
  const values = join([
    integer(commit.sequence),
    integer(commit.firstBlock),
    integer(commit.blockNumber),
    hexBytes(commit.blockHash),
    integer(commit.timestamp),
    commit.finalized === null ? sql`NULL` : integer(commit.finalized),
    integer(commit.committedAt),
    integer(isAmendment ? 1 : 0),
  ]);
  await engine.execute(sql`INSERT INTO ${commitsTable(chain)} VALUES (${values})`);
}

class StoredCommits implements CommitLog {
  readonly chain: string;
  readonly #engine: Engine;
  #created = false;

  constructor(engine: Engine, chain: string) {
    this.#engine = engine;
    this.chain = chain;
  }

  async committed(limits?: QueryLimits): Promise<Commit | null> {
    return (await this.#isCreated()) ? settledCommit(this.#engine, this.chain, limits) : null;
  }

  async from(sequence: number, most: number, limits?: QueryLimits): Promise<Commit[]> {
    if (!(await this.#isCreated())) return [];
    const commits = sql`SELECT ${COMMIT} FROM ${commitsTable(this.chain)} WHERE sequence >= ${integer(sequence)}
      ORDER BY sequence LIMIT ${integer(most)}`;
    return this.#engine.query<Commit>(commits, limits);
  }

  async #isCreated(): Promise<boolean> {
    this.#created ||= await tableExists(this.#engine, commitsTableName(this.chain));
    return this.#created;
  }
}

class UnchangingCommits implements ChainCommits {
  readonly chain: string;
  readonly #stored: ChainCommits;
  #newest: Commit | null = null;

  constructor(stored: ChainCommits) {
    this.#stored = stored;
    this.chain = stored.chain;
  }

  async committed(limits?: QueryLimits): Promise<Commit | null> {
    this.#newest ??= await this.#stored.committed(limits);
    return this.#newest;
  }
}

/**
 * The process that exchanges the tables is taking too long or was interrupted. Its next start completes the
 * exchange.
 */
class StillExchanging extends BaseError {
  constructor(chain: string) {
    super(
      "not-ready",
      `Chain ${chain} is being extended to earlier blocks. If this persists, restart the process that indexes it.`,
      { retryable: true },
    );
  }
}

export class HalfRewritten extends BaseError {
  constructor(chain: string) {
    super(
      "not-ready",
      `Rows of chain ${chain} are being replaced. Try again in a moment; if the indexer or a repair was stopped in the ` +
        "middle, start it again to complete the replacement.",
      { retryable: true },
    );
  }
}
