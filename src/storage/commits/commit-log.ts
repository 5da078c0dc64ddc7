import { hexBytes, hexText, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import type { ChainCommits, Commit, Engine } from "../store.ts";
import { commitsTable } from "../tables/ddl.ts";

/** The commits of a chain that another process may be writing; its tables need not exist yet. */
export function chainCommits(engine: Engine, chain: string): ChainCommits {
  return new StoredCommits(engine, chain);
}

/**
 * The commits of a chain without a writer while this process runs: queries until there is a commit, then
 * caches it.
 */
export function unchangingCommits(engine: Engine, chain: string): ChainCommits {
  return new UnchangingCommits(chainCommits(engine, chain));
}

/** The commit of a reader's snapshot. */
export type SnapshotCommit = Pick<Commit, "sequence" | "blockNumber">;

const COMMIT = sql`sequence, first_block AS firstBlock, block_number AS blockNumber,
  ${hexText(sql`block_hash`)} AS blockHash, timestamp, finalized, committed_at AS committedAt`;

/** The newest commit of a chain whose tables exist; null while nothing is indexed. */
export async function newestCommit(engine: Engine, chain: string): Promise<Commit | null> {
  const rows = await engine.query<Commit>(
    sql`SELECT ${COMMIT} FROM ${commitsTable(chain)} ORDER BY sequence DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** True if the chain was rolled back below a commit's block after that commit, even if it has grown again. */
export async function wasRolledBack(engine: Engine, chain: string, commit: SnapshotCommit): Promise<boolean> {
  const lower = await engine.query(
    sql`SELECT 1 AS lower FROM ${commitsTable(chain)} WHERE sequence > ${integer(commit.sequence)} AND block_number < ${integer(commit.blockNumber)} LIMIT 1`,
  );
  return lower.length > 0;
}

/** Adds the row that makes the rows of its blocks visible, or rolls blocks back. */
export async function appendCommit(engine: Engine, chain: string, commit: Commit): Promise<void> {
  const values = join([
    integer(commit.sequence),
    integer(commit.firstBlock),
    integer(commit.blockNumber),
    hexBytes(commit.blockHash),
    integer(commit.timestamp),
    commit.finalized === null ? sql`NULL` : integer(commit.finalized),
    integer(commit.committedAt),
  ]);
  await engine.execute(sql`INSERT INTO ${commitsTable(chain)} VALUES (${values})`);
}

class StoredCommits implements ChainCommits {
  readonly chain: string;
  readonly #engine: Engine;
  #created = false;

  constructor(engine: Engine, chain: string) {
    this.#engine = engine;
    this.chain = chain;
  }

  async committed(): Promise<Commit | null> {
    this.#created ||= await hasCommits(this.#engine, this.chain);
    return this.#created ? newestCommit(this.#engine, this.chain) : null;
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

  async committed(): Promise<Commit | null> {
    this.#newest ??= await this.#stored.committed();
    return this.#newest;
  }
}

async function hasCommits(engine: Engine, chain: string): Promise<boolean> {
  const name = text(`${chain}_commits`);
  const found = await engine.query(
    sql`SELECT 1 AS found FROM system.tables WHERE database = currentDatabase() AND name = ${name}`,
  );
  return found.length > 0;
}
