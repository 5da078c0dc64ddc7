import { systemClock } from "../lib/async/clock.ts";
import { BaseError } from "../lib/error.ts";
import { traced } from "../lib/tracing/tracing.ts";
import type { StoredScope } from "../schema/scope.ts";
import type { Rows } from "../schema/tables.ts";
import { registerForm } from "./commits/chain-registry.ts";
import { appendCommit, newestCommit, writtenCommit } from "./commits/commit-log.ts";
import { guardWrites } from "./commits/guarded-engine.ts";
import type { WriterLease } from "./commits/writer-lease.ts";
import { DiskFull } from "./engines/engine-failure.ts";
import { beginExchange, finishExtension } from "./extension/exchange-copy.ts";
import { dropDraft, endAmendment, repeatAmendment } from "./rows/amendment.ts";
import { finishExchanges } from "./rows/partition-copy.ts";
import { type PrunedTables, type PruneOptions, pruneRows } from "./rows/pruning.ts";
import { draftReplacement, dropReplacement, repeatReplacement } from "./rows/replacement.ts";
import { removeAll, removeBlocks } from "./rows/row-removal.ts";
import type { Batch, BlockName, ChainStore, Commit, CommitListener, Engine, QueryLimits } from "./store.ts";
import {
  CHECKPOINT_BLOCKS,
  type Checkpoint,
  invalidateSummary,
  newestCheckpoint,
  redoCheckpoint,
  writeCheckpoint,
} from "./summaries/price-summary.ts";
import { engineTableName } from "./tables/ddl.ts";
import { requireRoom } from "./tables/free-space.ts";
import { defineTables, setDurability } from "./tables/table-definitions.ts";
import {
  blockOf,
  type EncodedRows,
  encodeBatch,
  finalizedAfterRollback,
  finalizedBlock,
  isSameBlock,
  requireBelow,
  requireCommitted,
  requireConsecutive,
  requireFinal,
  requireSameTip,
} from "./write-checks.ts";

export interface ChainStoreOptions {
  /**
   * Whether each write is synced to disk before it counts as complete. Without this, a commit survives any
   * crash of the process, but a power loss may destroy the rows of the last seconds and keep their commit.
   * With this, that cannot happen, but a commit takes several times as long.
   */
  fsync?: boolean;
  /** The right to write, needed where other processes could write the same tables. */
  lease?: WriterLease;
  /** Number of blocks that must become final before the next checkpoint of the price summary. */
  checkpointBlocks?: number;
}

/**
 * Opens a chain for writing: creates its tables and removes rows that an interrupted commit or rollback left
 * above the newest commit. A chain has one writer at a time.
 */
export async function openChainStore(
  engine: Engine,
  chain: string,
  options: ChainStoreOptions = {},
): Promise<ChainStore> {
  const { lease, fsync = false } = options;
  const guarded = lease === undefined ? engine : guardWrites(engine, lease.chain, () => lease.requireHeld());
  await guarded.settleWrites?.();
  await finishExtension(guarded, chain);
  await defineTables(guarded, chain);
  await setDurability(guarded, chain, fsync);
  const store = new ChainWriter(engine, chain, options);
  try {
    await store.recover();
  } catch (error) {
    // Readers do not see the leftover rows, and the first commit recovers before it writes.
    if (!(error instanceof DiskFull)) throw error;
  }
  return store;
}

type SummaryCover = Pick<Checkpoint, "complete" | "started">;

const NO_SUMMARY: SummaryCover = { complete: null, started: null };

class ChainWriter implements ChainStore {
  readonly chain: string;
  readonly guarded: Engine;
  readonly #lease: WriterLease | undefined;
  /** The term of the lease at the last recovery. */
  #term: number | undefined;
  readonly #checkpointBlocks: number;
  #newest: Commit | null = null;
  /**
   * True while the tables may hold rows above the newest commit, or a commit that is newer than `#newest`.
   */
  #needsRecovery = true;
  /**
   * False until this process has dealt with the leftovers of earlier processes: checkpoints that a power loss
   * may have damaged, and drafts.
   */
  #isOpened = false;
  #writing = false;
  readonly #listeners: CommitListener[] = [];
  /** The price summary covers the blocks up to `complete`, and perhaps up to `started`. */
  #summary: SummaryCover = NO_SUMMARY;

  constructor(
    engine: Engine,
    chain: string,
    { lease, checkpointBlocks = CHECKPOINT_BLOCKS }: ChainStoreOptions,
  ) {
    this.guarded =
      lease === undefined ? engine : guardWrites(engine, lease.chain, () => this.#requireLease());
    this.chain = chain;
    this.#lease = lease;
    this.#term = lease?.term;
    this.#checkpointBlocks = checkpointBlocks;
  }

  async committed(limits?: QueryLimits): Promise<Commit | null> {
    if (!this.#needsRecovery) return this.#newest;
    return writtenCommit(this.guarded, this.chain, limits);
  }

  follow(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  async recover(): Promise<void> {
    await this.#lease?.regain();
    if (this.#lease?.term !== this.#term) {
      // Another process may have written in the meantime.
      this.#needsRecovery = true;
      this.#term = this.#lease?.term;
    }
    return this.#exclusively(async () => {
      // A checkpoint or a draft that failed needs no recovery, but its statements may still be running.
      if (!this.#needsRecovery) await this.guarded.settleWrites?.();
      await this.#recoverTables();
    });
  }

  commit(batch: Batch): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      if (this.#newest !== null && isSameBlock(this.#newest, batch.lastBlock)) return this.#newest;
      const { firstBlock: first, lastBlock, rows } = batch;
      const encoded = encodeBatch({ first, last: lastBlock.number, rows });
      const commit = await this.#extend(batch, () => allSettled(encoded.map((part) => this.#insert(part))));
      for (const listener of this.#listeners) listener.extended(commit, rows);
      return commit;
    });
  }

  load(blocks: Omit<Batch, "rows">, write: (engine: Engine) => Promise<void>): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      const commit = await this.#extend(blocks, () => write(this.guarded));
      for (const listener of this.#listeners) listener.replaced(commit);
      return commit;
    });
  }

  rollback(block: BlockName): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      const newest = requireBelow(this.#newest, block);
      if (isSameBlock(newest, block)) return newest;
      this.#needsRecovery = true;
      const { firstBlock } = newest;
      const finalized = finalizedAfterRollback(newest, block);
      const commit = await this.#appendCommit(block, { firstBlock, finalized });
      for (const listener of this.#listeners) listener.rolledBack(commit);
      await this.#invalidateAbove(block.number);
      await removeBlocks(this.guarded, this.chain, { first: block.number + 1 });
      this.#needsRecovery = false;
      return commit;
    });
  }

  replace(blocks: { first: number; last: number }, rows: Rows): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      const newest = requireCommitted(this.#newest, blocks);
      const replacement = { chain: this.chain, blocks, rows: encodeBatch({ ...blocks, rows }) };
      const change = await draftReplacement(this.guarded, replacement);
      await this.#invalidateAbove(blocks.first - 1);
      return this.#rewrite(newest, { change, show: () => this.#showReplacement(newest) });
    });
  }

  prune(scope: StoredScope, options?: PruneOptions): Promise<PrunedTables> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      requireFinal(this.#newest, scope);
      // From here on, readers ignore the rows to remove, so an interruption leaves none of them visible.
      await registerForm(this.guarded, this.chain, { scope });
      return pruneRows(this.guarded, this.chain, scope, options);
    });
  }

  exchange(copy: Commit): Promise<Commit> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      const newest = requireSameTip(this.#newest, copy);
      await requireRoom(this.guarded);
      this.#needsRecovery = true;
      await beginExchange(this.guarded, this.chain, copy.firstBlock);
      for (const listener of this.#listeners) listener.replaced(null);
      await this.#recoverTables();
      return this.#newest ?? newest;
    });
  }

  maintain(work: (engine: Engine, newest: Commit | null) => Promise<void>): Promise<void> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      this.#needsRecovery = true;
      await work(this.guarded, this.#newest);
      await this.#recoverTables();
    });
  }

  amend(prepare: Parameters<ChainStore["amend"]>[0]): Promise<Commit | null> {
    return this.#exclusively(async () => {
      await this.#recoverTables();
      const newest = this.#newest;
      const change = newest === null ? null : await prepare(newest, this.guarded);
      if (newest === null || change === null) return null;
      return this.#rewrite(newest, { change, show: () => this.#showAmendment(newest) });
    });
  }

  /** Replaces rows of committed blocks, then commits the newest block again. */
  async #rewrite(
    newest: Commit,
    { change, show }: { change: () => Promise<void>; show: () => Promise<void> },
  ): Promise<Commit> {
    this.#requireLease();
    this.#needsRecovery = true;
    try {
      await change();
      await show();
      this.#needsRecovery = false;
    } catch (error) {
      // Without this check, a commit of another process would be mistaken for one of this process.
      this.#requireLease();
      // The rows may be only partly replaced. This completes the replacement while readers still wait.
      await this.#recoverTables();
      if (this.#newest?.sequence === newest.sequence) throw error;
    }
    for (const listener of this.#listeners) listener.replaced(this.#newest);
    return this.#newest ?? newest;
  }

  async #showAmendment(newest: Commit): Promise<void> {
    await this.#appendCommit(blockOf(newest), newest, true);
    await endAmendment(this.guarded, this.chain);
  }

  async #showReplacement(newest: Commit): Promise<void> {
    await this.#appendCommit(blockOf(newest), newest);
    await dropReplacement(this.guarded, this.chain);
  }

  async #extend(blocks: Omit<Batch, "rows">, write: () => Promise<void>): Promise<Commit> {
    requireConsecutive(this.#newest, blocks);
    await this.#writeDueCheckpoint();
    this.#needsRecovery = true;
    this.#requireLease();
    await traced("insert rows", write);
    const firstBlock = this.#newest?.firstBlock ?? blocks.firstBlock;
    const finalized = finalizedBlock(this.#newest, blocks);
    const commit = await traced("commit", () =>
      this.#appendCommit(blocks.lastBlock, { firstBlock, finalized }),
    );
    this.#needsRecovery = false;
    return commit;
  }

  /** Writes the price summary if due, up to the newest block that the newest commit records as final. */
  async #writeDueCheckpoint(): Promise<void> {
    const finalized = this.#newest?.finalized ?? null;
    if (finalized === null || finalized < (this.#summary.complete ?? -1) + this.#checkpointBlocks) return;
    this.#summary = { ...this.#summary, started: finalized };
    await traced("write the price summary", () => writeCheckpoint(this.guarded, this.chain, finalized));
    this.#summary = { complete: finalized, started: finalized };
  }

  async #invalidateAbove(block: number): Promise<void> {
    const { started } = this.#summary;
    if (started === null || started <= block) return;
    await invalidateSummary(this.guarded, this.chain);
    this.#summary = NO_SUMMARY;
  }

  /**
   * Invalidates a summary that extends beyond the newest commit. An incomplete checkpoint will be written
   * again.
   */
  async #recoverSummary(): Promise<void> {
    this.#summary = await newestCheckpoint(this.guarded, this.chain);
    await this.#invalidateAbove(this.#newest?.blockNumber ?? -1);
  }

  /** Completes interrupted replacements, reads the newest commit, and removes all rows above it. */
  async #recoverTables(): Promise<void> {
    if (!this.#needsRecovery) return;
    const before = this.#newest;
    await this.guarded.settleWrites?.();
    await finishExtension(this.guarded, this.chain);
    await finishExchanges(this.guarded, this.chain);
    const isAmended = await repeatAmendment(this.guarded, this.chain);
    const isReplaced = await repeatReplacement(this.guarded, this.chain);
    this.#newest = await newestCommit(this.guarded, this.chain);
    await this.#recoverSummary();
    if (this.#newest === null) await removeAll(this.guarded, this.chain);
    else await removeBlocks(this.guarded, this.chain, { first: this.#newest.blockNumber + 1 });
    if (!this.#isOpened) {
      await redoCheckpoint(this.guarded, this.chain);
      await dropDraft(this.guarded, this.chain);
    }
    if (isAmended && this.#newest !== null) await this.#showAmendment(this.#newest);
    if (isReplaced && this.#newest !== null) await this.#showReplacement(this.#newest);
    if (!this.#isOpened) await dropReplacement(this.guarded, this.chain);
    this.#isOpened = true;
    this.#needsRecovery = false;
    // A commit that seemed to fail may have succeeded.
    if (this.#newest?.sequence !== before?.sequence)
      for (const listener of this.#listeners) listener.replaced(this.#newest);
  }

  #insert({ table, columns, chunks, print }: EncodedRows): Promise<void> {
    return this.guarded.insert(engineTableName(this.chain, table), columns, chunks, print);
  }

  async #appendCommit(
    block: BlockName,
    { firstBlock, finalized }: Pick<Commit, "firstBlock" | "finalized">,
    isAmendment = false,
  ): Promise<Commit> {
    const commit = {
      firstBlock,
      finalized,
      sequence: (this.#newest?.sequence ?? 0) + 1,
      blockNumber: block.number,
      blockHash: block.hash,
      timestamp: block.timestamp,
      committedAt: Math.floor(systemClock.now() / 1000),
    };
    await appendCommit(this.guarded, this.chain, commit, isAmendment);
    this.#newest = commit;
    return commit;
  }

  #requireLease(): void {
    this.#lease?.requireHeld();
    if (this.#lease?.term !== this.#term) throw new LeaseRegained(this.chain);
  }

  async #exclusively<T>(run: () => Promise<T>): Promise<T> {
    if (this.#writing) throw new ConcurrentWrite(this.chain);
    this.#requireLease();
    this.#writing = true;
    try {
      return await run();
    } finally {
      this.#writing = false;
    }
  }
}

/**
 * Waits for all writes even if one fails, unlike Promise.all: otherwise a slow write could land after the
 * clean-up.
 */
async function allSettled(writes: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

class LeaseRegained extends BaseError {
  constructor(chain: string) {
    super(
      "data-directory",
      `The lease for writing chain ${chain} was lost and regained, so other blocks may be stored by now. Nothing was ` +
        "written. Try again.",
      { retryable: true },
    );
  }
}

class ConcurrentWrite extends BaseError {
  constructor(chain: string) {
    super(
      "internal",
      `a commit or rollback of ${chain} is still running; wait for it before starting the next`,
    );
  }
}
