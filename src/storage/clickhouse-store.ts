import { BaseError } from "../lib/error.ts";
import { type Rows, TABLE_NAMES, type TableName, tableOf } from "../schema/tables.ts";
import { appendCommit, newestCommit } from "./commits/commit-log.ts";
import type { WriterLease } from "./commits/writer-lease.ts";
import { encodeRows } from "./rows/row-binary.ts";
import { finishExchanges, removeAll, removeBlocks } from "./rows/row-removal.ts";
import type { Batch, BlockName, ChainStore, Commit, Engine } from "./store.ts";
import { breakSeal, newestSeal, SEAL_BLOCKS, seal, sealAgain } from "./summaries/price-summary.ts";
import { engineTableName } from "./tables/ddl.ts";
import { defineTables } from "./tables/table-definitions.ts";

export interface ChainStoreOptions {
  /**
   * Sync each write to disk before it counts as done. Without it a commit survives the end of the process in
   * any form; when the machine loses power, the last seconds of rows may be lost, though their commit is not.
   * With it that cannot happen and a commit takes several times as long.
   */
  fsync?: boolean;
  /** The right to write, where other processes could write the same tables. */
  lease?: WriterLease;
  /** Blocks that become final before their trades enter the summary of prices together. */
  sealBlocks?: number;
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
  await defineTables(engine, chain, options.fsync ?? false);
  const store = new ChainWriter(engine, chain, options);
  await store.recover();
  return store;
}

class ChainWriter implements ChainStore {
  readonly chain: string;
  readonly #engine: Engine;
  readonly #lease: WriterLease | undefined;
  readonly #sealBlocks: number;
  #newest: Commit | null = null;
  /** True while the tables may hold rows above the newest commit, or a commit may be there unnoticed. */
  #unsettled = true;
  #writing = false;
  /** Newest block whose trades are in the summary of prices. */
  #sealed: number | null = null;

  constructor(engine: Engine, chain: string, { lease, sealBlocks = SEAL_BLOCKS }: ChainStoreOptions) {
    this.#engine = engine;
    this.chain = chain;
    this.#lease = lease;
    this.#sealBlocks = sealBlocks;
  }

  async committed(): Promise<Commit | null> {
    return this.#unsettled ? newestCommit(this.#engine, this.chain) : this.#newest;
  }

  recover(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#settle();
      await sealAgain(this.#engine, this.chain);
    });
  }

  commit(batch: Batch): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#settle();
      if (this.#newest !== null && isSameBlock(this.#newest, batch.lastBlock)) return this.#newest;
      requireConsecutive(this.#newest, batch);
      await this.#sealWhatIsDue();
      const { firstBlock: first, lastBlock, rows } = batch;
      const encoded = encodeBatch({ first, last: lastBlock.number, rows });
      this.#unsettled = true;
      await allDone(encoded.map((part) => this.#insert(part)));
      const firstBlock = this.#newest?.firstBlock ?? batch.firstBlock;
      const finalized = settledBlock(this.#newest, batch);
      const commit = await this.#appendCommit(batch.lastBlock, { firstBlock, finalized });
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
      const { firstBlock, finalized } = newest;
      const isEmpty = finalized === null || block.number < firstBlock;
      const settled = isEmpty ? null : Math.min(finalized, block.number);
      const commit = await this.#appendCommit(block, { firstBlock, finalized: settled });
      await this.#breakSealAbove(block.number);
      await removeBlocks(this.#engine, this.chain, { first: block.number + 1 });
      this.#unsettled = false;
      return commit;
    });
  }

  replace(blocks: { first: number; last: number }, rows: Rows): Promise<void> {
    return this.#exclusively(async () => {
      await this.#settle();
      requireCommitted(this.#newest, blocks);
      const encoded = encodeBatch({ ...blocks, rows });
      this.#unsettled = true;
      await this.#breakSealAbove(blocks.first - 1);
      await removeBlocks(this.#engine, this.chain, blocks);
      await allDone(encoded.map((part) => this.#insert(part)));
      this.#unsettled = false;
    });
  }

  /** Before a commit, and of what was final at the one before: so that the summary holds what all readers may see. */
  async #sealWhatIsDue(): Promise<void> {
    const finalized = this.#newest?.finalized ?? null;
    if (finalized === null || finalized < (this.#sealed ?? -1) + this.#sealBlocks) return;
    await seal(this.#engine, this.chain, finalized);
    this.#sealed = finalized;
  }

  async #breakSealAbove(block: number): Promise<void> {
    if (this.#sealed === null || this.#sealed <= block) return;
    await breakSeal(this.#engine, this.chain);
    this.#sealed = null;
  }

  /** What was begun and not ended is done again; what goes beyond what is committed is dropped. */
  async #settleSeal(): Promise<void> {
    const { done, begun } = await newestSeal(this.#engine, this.chain);
    this.#sealed = begun === null ? null : Math.max(begun, done ?? -1);
    await this.#breakSealAbove(this.#newest?.blockNumber ?? -1);
    if (this.#sealed !== null) this.#sealed = done;
  }

  /** After an interruption the tables tell what is committed; what is above that goes. */
  async #settle(): Promise<void> {
    if (!this.#unsettled) return;
    await finishExchanges(this.#engine, this.chain);
    this.#newest = await newestCommit(this.#engine, this.chain);
    await this.#settleSeal();
    if (this.#newest === null) await removeAll(this.#engine, this.chain);
    else await removeBlocks(this.#engine, this.chain, { first: this.#newest.blockNumber + 1 });
    this.#unsettled = false;
  }

  #insert({ table, columns, chunks }: EncodedRows): Promise<void> {
    return this.#engine.insert(engineTableName(this.chain, table), columns, chunks);
  }

  async #appendCommit(
    block: BlockName,
    what: { firstBlock: number; finalized: number | null },
  ): Promise<Commit> {
    const commit = {
      ...what,
      sequence: (this.#newest?.sequence ?? 0) + 1,
      blockNumber: block.number,
      blockHash: block.hash,
      timestamp: block.timestamp,
      committedAt: Math.floor(Date.now() / 1000),
    };
    this.#lease?.requireHeld();
    await appendCommit(this.#engine, this.chain, commit);
    this.#newest = commit;
    return commit;
  }

  async #exclusively<T>(run: () => Promise<T>): Promise<T> {
    if (this.#writing) throw new ConcurrentWrite(this.chain);
    this.#lease?.requireHeld();
    this.#writing = true;
    try {
      return await run();
    } finally {
      this.#writing = false;
    }
  }
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

interface RowsOfBlocks {
  first: number;
  last: number;
  rows: Rows;
}

function encodeBatch(batch: RowsOfBlocks): EncodedRows[] {
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
function requireInside({ first, last }: RowsOfBlocks, table: TableName, block: unknown): void {
  if (typeof block === "number" && block >= first && block <= last) return;
  throw new InvalidBatch(`a row of ${table} belongs to block ${block}, its batch to ${first}..${last}`);
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

/** Never above what is stored, and never lower than before. */
function settledBlock(newest: Commit | null, { finalized, lastBlock }: Batch): number | null {
  const before = newest?.finalized ?? null;
  if (finalized === undefined || finalized === null) return before;
  return Math.max(before ?? 0, Math.min(finalized, lastBlock.number));
}

function requireCommitted(newest: Commit | null, { first, last }: { first: number; last: number }): void {
  if (newest !== null && first <= last && first >= newest.firstBlock && last <= newest.blockNumber) return;
  const held = newest === null ? "nothing is" : `blocks ${newest.firstBlock} to ${newest.blockNumber} are`;
  throw new InvalidBatch(`blocks ${first} to ${last} are to be replaced, but ${held} committed`);
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
