import { BaseError } from "../lib/error.ts";
import type { Hex } from "../lib/hex.ts";
import { hexBytes, integer, join, sql, text } from "../lib/sql-text.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { commitsTable, createTableStatements, engineTable, engineTableName } from "./ddl.ts";
import { encodeRows } from "./row-binary.ts";
import { truncateAbove, truncateAll } from "./row-removal.ts";
import type { Batch, ChainStore, Commit, Engine } from "./store.ts";

export interface ChainStoreOptions {
  /**
   * Sync each write to disk before it counts as done. Without it a commit survives the end of the process in
   * any form; when the machine loses power, the last seconds of rows may be lost, though their commit is not.
   * With it that cannot happen and a commit takes several times as long.
   */
  fsync?: boolean;
}

interface BlockName {
  number: number;
  hash: Hex;
  timestamp: number;
}

/**
 * Opens a chain for writing: creates its tables and removes every row above the newest commit, which an
 * interrupted commit or rollback has left. One writer at a time.
 */
export async function openChainStore(
  engine: Engine,
  chain: string,
  options: ChainStoreOptions = {},
): Promise<ChainStore> {
  for (const statement of createTableStatements(chain)) await engine.execute(statement);
  await setFsync(engine, chain, options.fsync ?? false);
  const store = new ChainWriter(engine, chain);
  await store.recover();
  return store;
}

/** Opens a chain for reading; its tables need not exist yet. `commit` and `rollback` are refused. */
export async function attachChainStore(engine: Engine, chain: string): Promise<ChainStore> {
  return new ChainReader(engine, chain);
}

async function setFsync(engine: Engine, chain: string, fsync: boolean): Promise<void> {
  const value = integer(fsync ? 1 : 0);
  const tables = [...TABLE_NAMES.map((name) => engineTable(chain, name)), commitsTable(chain)];
  for (const table of tables) {
    await engine.execute(
      sql`ALTER TABLE ${table} MODIFY SETTING fsync_after_insert = ${value}, fsync_part_directory = ${value}`,
    );
  }
}

class ChainReader implements ChainStore {
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

  commit(): Promise<Commit> {
    return Promise.reject(new ReadOnlyStore(this.chain));
  }

  rollback(): Promise<Commit> {
    return Promise.reject(new ReadOnlyStore(this.chain));
  }
}

class ChainWriter implements ChainStore {
  readonly chain: string;
  readonly #engine: Engine;
  #newest: Commit | null = null;
  /** True while the tables may hold rows above the newest commit, or a commit may be there unnoticed. */
  #unsettled = true;
  #writing = false;

  constructor(engine: Engine, chain: string) {
    this.#engine = engine;
    this.chain = chain;
  }

  async committed(): Promise<Commit | null> {
    return this.#unsettled ? newestCommit(this.#engine, this.chain) : this.#newest;
  }

  recover(): Promise<void> {
    return this.#exclusively(() => this.#settle());
  }

  commit(batch: Batch): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#settle();
      if (this.#newest !== null && isSameBlock(this.#newest, batch.lastBlock)) return this.#newest;
      requireConsecutive(this.#newest, batch);
      const encoded = encodeBatch(batch);
      this.#unsettled = true;
      await allDone(encoded.map((rows) => this.#insert(rows)));
      const commit = await this.#appendCommit(this.#newest?.firstBlock ?? batch.firstBlock, batch.lastBlock);
      this.#unsettled = false;
      return commit;
    });
  }

  rollback(block: BlockName): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#settle();
      const newest = requireBelow(this.#newest, block);
      if (isSameBlock(newest, block)) return newest;
      this.#unsettled = true;
      const commit = await this.#appendCommit(newest.firstBlock, block);
      await truncateAbove(this.#engine, this.chain, block.number);
      this.#unsettled = false;
      return commit;
    });
  }

  /** After an interruption the tables tell what is committed; what is above that goes. */
  async #settle(): Promise<void> {
    if (!this.#unsettled) return;
    this.#newest = await newestCommit(this.#engine, this.chain);
    if (this.#newest === null) await truncateAll(this.#engine, this.chain);
    else await truncateAbove(this.#engine, this.chain, this.#newest.blockNumber);
    this.#unsettled = false;
  }

  #insert({ table, columns, chunks }: EncodedRows): Promise<void> {
    return this.#engine.insert(engineTableName(this.chain, table), columns, chunks);
  }

  /** The one row that makes the others exist. */
  async #appendCommit(firstBlock: number, block: BlockName): Promise<Commit> {
    const commit = {
      sequence: (this.#newest?.sequence ?? 0) + 1,
      firstBlock,
      blockNumber: block.number,
      blockHash: block.hash,
      timestamp: block.timestamp,
    };
    const values = join([
      integer(commit.sequence),
      integer(firstBlock),
      integer(block.number),
      hexBytes(block.hash),
      integer(block.timestamp),
    ]);
    await this.#engine.execute(sql`INSERT INTO ${commitsTable(this.chain)} VALUES (${values})`);
    this.#newest = commit;
    return commit;
  }

  async #exclusively<T>(run: () => Promise<T>): Promise<T> {
    if (this.#writing) throw new ConcurrentWrite(this.chain);
    this.#writing = true;
    try {
      return await run();
    } finally {
      this.#writing = false;
    }
  }
}

async function hasCommits(engine: Engine, chain: string): Promise<boolean> {
  const name = text(`${chain}_commits`);
  const found = await engine.query(
    sql`SELECT 1 AS found FROM system.tables WHERE database = currentDatabase() AND name = ${name}`,
  );
  return found.length > 0;
}

async function newestCommit(engine: Engine, chain: string): Promise<Commit | null> {
  const rows = await engine.query<Commit>(
    sql`SELECT sequence, first_block AS firstBlock, block_number AS blockNumber, concat('0x', lower(hex(block_hash))) AS blockHash, timestamp FROM ${commitsTable(chain)} ORDER BY sequence DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Not Promise.all: what is still being written when another fails would land after the clean-up. */
async function allDone(writes: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface EncodedRows {
  table: TableName;
  columns: string[];
  chunks: Uint8Array[];
}

function encodeBatch(batch: Batch): EncodedRows[] {
  return TABLE_NAMES.flatMap((table) => {
    const rows = batch.rows[table] ?? [];
    if (rows.length === 0) return [];
    const declared = tableOf(table);
    for (const row of rows)
      requireInside(batch, table, (row as Record<string, unknown>)[declared.blockColumn]);
    return [{ table, columns: Object.keys(declared.columns), chunks: encodeRows(declared, rows) }];
  });
}

/** A row outside its batch's blocks would outlive a rollback, or die by one that does not concern it. */
function requireInside(batch: Batch, table: TableName, block: unknown): void {
  if (typeof block === "number" && block >= batch.firstBlock && block <= batch.lastBlock.number) return;
  throw new InvalidBatch(
    `a row of ${table} belongs to block ${block}, its batch to ${batch.firstBlock}..${batch.lastBlock.number}`,
  );
}

function isSameBlock(commit: Commit, block: BlockName): boolean {
  return commit.blockNumber === block.number && commit.blockHash === block.hash;
}

function requireConsecutive(newest: Commit | null, batch: Batch): void {
  if (batch.lastBlock.number < batch.firstBlock) {
    throw new InvalidBatch(`a batch ends (${batch.lastBlock.number}) before it begins (${batch.firstBlock})`);
  }
  if (newest !== null && batch.firstBlock !== newest.blockNumber + 1) {
    throw new InvalidBatch(
      `a batch begins at block ${batch.firstBlock}, but the next block to commit is ${newest.blockNumber + 1}`,
    );
  }
}

function requireBelow(newest: Commit | null, block: BlockName): Commit {
  if (newest === null) throw new InvalidRollback(block, "nothing is committed");
  if (block.number > newest.blockNumber) {
    throw new InvalidRollback(block, `the newest committed block is ${newest.blockNumber}`);
  }
  if (block.number < newest.firstBlock - 1) {
    throw new InvalidRollback(block, `the first committed block is ${newest.firstBlock}`);
  }
  const isEmpty = newest.blockNumber < newest.firstBlock;
  if (block.number === newest.blockNumber && !isEmpty && !isSameBlock(newest, block)) {
    throw new InvalidRollback(
      block,
      `the newest committed block has that number and hash ${newest.blockHash}`,
    );
  }
  return newest;
}

class InvalidBatch extends BaseError {
  constructor(message: string) {
    super("internal", message);
  }
}

class InvalidRollback extends BaseError {
  constructor(block: BlockName, reason: string) {
    super("internal", `cannot roll back to block ${block.number} (${block.hash}): ${reason}`);
  }
}

class ConcurrentWrite extends BaseError {
  constructor(chain: string) {
    super("internal", `a commit or rollback of ${chain} is still running; wait for it before the next`);
  }
}

class ReadOnlyStore extends BaseError {
  constructor(chain: string) {
    super("internal", `this store of ${chain} was opened for reading; open it with openChainStore to write`);
  }
}
