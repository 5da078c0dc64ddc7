import { setTimeout as sleep } from "node:timers/promises";
import type { Chain } from "../chains/chain.ts";
import { BaseError } from "../lib/error.ts";
import type { Hex } from "../lib/hex.ts";
import type { Block, BlockRef } from "../schema/block.ts";
import type { Source } from "../sources/source.ts";
import type { BlockName, ChainStore, Commit, Engine } from "../storage/store.ts";
import { type BatchLimits, inBatches } from "./blocks/batches.ts";
import { BlockPipeline, type CacheLimits, type PreparedBatch } from "./blocks/block-pipeline.ts";
import { type IndexCounters, type IndexState, NOTHING_DONE } from "./index-state.ts";
import { logsIn, type Progress, ProgressMeter } from "./progress.ts";
import { findForkPoint } from "./reorg/fork-point.ts";
import { isChildOf, nextStep, rollbackFloor, type StoredChain } from "./reorg/reorg.ts";
import { storedBlock } from "./reorg/stored-blocks.ts";

export type { IndexCounters, IndexState } from "./index-state.ts";

export interface IndexOptions {
  chain: Chain;
  source: Source;
  store: ChainStore;
  engine: Engine;
  /** First block, when nothing is indexed yet. */
  from: number;
  /** Last block; null: follow the head until the signal says stop. */
  to: number | null;
  signal: AbortSignal;
  logger: IndexLogger;
  onProgress?: (progress: Progress) => void;
  /** Least time between two looks at the head, once all up to it is committed; default: a quarter of the block time. */
  pollMs?: number;
  batchLimits?: BatchLimits;
  cacheLimits?: CacheLimits;
  /** Waits between tries after failures that may pass; the last is repeated. */
  retryWaitsMs?: readonly number[];
}

export interface IndexLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Waits between tries when the source or the store fails for now: short at first, then at most half a minute. */
const RETRY_WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** The head is asked for so often in a block's time: a block is seen soon after it appears. */
const POLLS_PER_BLOCK = 4;

/**
 * The loop: source -> decode -> price -> store. Backfill and following are the same: extend to the target,
 * then look for a new one. Fetching, decoding and writing overlap; two batches are in memory at most.
 */
export class Indexer {
  readonly state: IndexState = { head: null, finalized: null, message: null, lastRollbackAt: null };
  readonly counters: IndexCounters = { ...NOTHING_DONE };
  readonly #options: IndexOptions;
  readonly #pipeline: BlockPipeline;
  readonly #meter = new ProgressMeter(Date.now());
  /** What is stored; null until run() has looked. */
  #committed: Commit | null = null;
  #chain: StoredChain;
  /** Newest block that the source calls final; its hash is null where finality goes by depth. */
  #final: { number: number; hash: Hex | null } | null = null;
  #waitingForHead: { resolve(): void; reject(reason: unknown): void }[] = [];

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#pipeline = new BlockPipeline(options);
    this.#chain = { firstBlock: options.from, tip: null, settled: null };
  }

  /** Resolves when `to` is committed or the signal is aborted; what was committed stays either way. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const tell = () => this.#tellWaiting();
    signal.addEventListener("abort", tell, { once: true });
    try {
      await this.#index();
      tell();
    } catch (error) {
      for (const { reject } of this.#waitingForHead.splice(0)) reject(error);
      throw error;
    } finally {
      // The signal may outlive many indexers.
      signal.removeEventListener("abort", tell);
    }
  }

  async #index(): Promise<void> {
    this.#took(await this.#options.store.committed());
    this.#refuseGap();
    await this.#retrying(async () => {
      await this.#checkTip();
      return true;
    });
    await this.#retrying(async () => {
      if (!this.#isDone()) await this.#advance();
      return this.#isDone();
    });
  }

  /** Resolves the next time that the source's newest block is committed, or when the run has ended; rejects with what ended it. */
  caughtUp(): Promise<void> {
    if (this.#options.signal.aborted) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waitingForHead.push({ resolve, reject }));
  }

  #tellWaiting(): void {
    for (const { resolve } of this.#waitingForHead.splice(0)) resolve();
  }

  /** Repeats a step until it says that it is done, waiting after failures that may pass. */
  async #retrying(step: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (failures > 0) await this.#lookAgain();
        if (await step()) return;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (!this.#canRetry(error, failures)) throw error;
        await this.#waitAfter(error, failures++);
      }
    }
  }

  /** What failed may have taken effect nonetheless, in part or whole: only the store knows what is committed. */
  async #lookAgain(): Promise<void> {
    this.#took(await this.#options.store.committed());
    this.#pipeline.forget();
  }

  #took(commit: Commit | null): void {
    this.#committed = commit;
    if (commit === null) {
      this.#chain = { firstBlock: this.#options.from, tip: null, settled: null };
      return;
    }
    const { firstBlock, blockNumber: number, blockHash: hash, finalized } = commit;
    const tip = number < firstBlock ? null : { number, hash };
    this.#chain = { firstBlock, tip, settled: finalized };
  }

  #isDone(): boolean {
    const { to } = this.#options;
    return to !== null && (this.#chain.tip?.number ?? -1) >= to;
  }

  #refuseGap(): void {
    const { from } = this.#options;
    const commit = this.#committed;
    if (commit === null || (from >= commit.firstBlock && from <= commit.blockNumber + 1)) return;
    throw new RangeNotAdjacent(from, commit);
  }

  /** The chain may have been reorganized while nobody looked, even where nothing is left to be indexed. */
  async #checkTip(): Promise<void> {
    const { tip, settled } = this.#chain;
    if (tip === null || tip.number <= (settled ?? -1)) return;
    const shown = await this.#options.source.blockRef(tip.number);
    if (shown !== null && shown.hash !== tip.hash) await this.#rollback();
  }

  async #advance(): Promise<void> {
    const { source, to, signal } = this.#options;
    const askedMs = Date.now();
    const head = await source.head(this.#chain.tip);
    this.state.head = head.number;
    await this.#learnFinality(head);
    this.#tell(waitingFor(this.#next, head.number));
    const storedAtHead = await this.#storedAt(head.number);
    const finalized = storedAtHead?.hash === head.hash ? await this.#settledUpTo(head.number) : null;
    const step = nextStep(this.#chain, { head, finalized }, { storedAtHead, last: to });
    switch (step.kind) {
      case "rollback":
        if (await this.#rollback()) return;
        break;
      case "extend":
        await this.#extend(step.from, step.to);
        break;
      case "finalize":
        this.#chain = { ...this.#chain, settled: step.block };
        break;
      case "wait":
        this.#tellWaiting();
    }
    if (step.kind === "finalize" || this.#isDone()) return;
    const pollMs = this.#options.pollMs ?? this.#options.chain.blockTimeMs / POLLS_PER_BLOCK;
    await source.nextHead(Math.max(0, pollMs - (Date.now() - askedMs)), signal);
  }

  get #next(): number {
    const { tip, firstBlock } = this.#chain;
    return tip === null ? firstBlock : tip.number + 1;
  }

  /** Says in the status why nothing moves. A start that waits says it in the log, too: the range may be a mistake. */
  #tell(message: string | null): void {
    const isNews = message !== null && message !== this.state.message;
    if (isNews && this.#chain.tip === null) {
      this.#options.logger.warn({ chain: this.#options.chain.name }, message);
    }
    this.state.message = message;
  }

  async #storedAt(number: number): Promise<BlockRef | null> {
    const { tip } = this.#chain;
    if (tip === null || number > tip.number) return null;
    return number === tip.number ? tip : storedBlock(this.#options.engine, this.#options.chain.name, number);
  }

  async #learnFinality(head: BlockRef): Promise<void> {
    const { chain, source } = this.#options;
    const { finality } = chain;
    const byDepth = () => ({
      number: head.number - (finality.kind === "depth" ? finality.blocks : 0),
      hash: null,
    });
    this.#final = finality.kind === "tag" ? await source.finalized() : byDepth();
    const final = Math.min(this.#final?.number ?? -1, head.number);
    if (final >= 0) this.state.finalized = Math.max(this.state.finalized ?? 0, final);
  }

  /**
   * The newest final block of those up to `tip`, which the source's chain has; null when none is new. Where the
   * source names the final block, the one that is held must be it: the chain may have moved since it was asked.
   */
  async #settledUpTo(tip: number, blocks: readonly Block[] = []): Promise<number | null> {
    const final = this.#final;
    if (final === null || final.number <= (this.#chain.settled ?? -1)) return null;
    if (final.hash === null || final.number > tip) return Math.min(final.number, tip);
    const held = blocks.find(({ number }) => number === final.number) ?? (await this.#storedAt(final.number));
    return held?.hash === final.hash ? final.number : null;
  }

  async #extend(from: number, target: number): Promise<void> {
    const { source, signal, batchLimits } = this.#options;
    const stop = new AbortController();
    const fetchSignal = AbortSignal.any([signal, stop.signal]);
    let { tip } = this.#chain;
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const blocks of inBatches(source.blocks({ from, to: target }, fetchSignal), batchLimits)) {
        if (!isChildOf(tip, blocks[0])) {
          // What is still being fetched is of no use, and leaving the loop waits for it.
          stop.abort();
          await writing;
          await this.#rollback();
          return;
        }
        if (this.#pipeline.isFull()) {
          await writing;
          this.#pipeline.evict();
        }
        const batch = await this.#pipeline.prepare(blocks, this.#readable());
        await writing;
        writing = this.#write(batch, blocks, { from, target });
        writing.catch(() => stop.abort());
        tip = { number: batch.lastBlock.number, hash: batch.lastBlock.hash };
      }
      await writing;
    } catch (error) {
      await writing.catch((writeError) => {
        this.#pipeline.forget();
        throw writeError;
      });
      this.#pipeline.forget();
      throw error;
    } finally {
      stop.abort();
    }
  }

  async #write(
    { swapsLeftOut, ...batch }: PreparedBatch,
    blocks: Block[],
    goal: { from: number; target: number },
  ): Promise<void> {
    const startedMs = Date.now();
    const finalized = await this.#settledUpTo(batch.lastBlock.number, blocks);
    this.#took(await this.#options.store.commit({ ...batch, finalized }));
    const progress = this.#meter.committed(blocks, { ...goal, nowMs: Date.now() });
    this.counters.commits++;
    this.counters.commitSeconds += (Date.now() - startedMs) / 1000;
    this.counters.blocks += blocks.length;
    this.counters.logs += logsIn(blocks);
    this.counters.trades += batch.rows.dex_trades?.length ?? 0;
    this.counters.swapsLeftOut += swapsLeftOut;
    this.#options.onProgress?.(progress);
  }

  #readable() {
    const commit = this.#committed;
    if (commit === null) return null;
    const { firstBlock, blockNumber, timestamp } = commit;
    return { firstBlock, blockNumber, timestamp };
  }

  /** True when something was taken back; false when the tip turned out to be still there. */
  async #rollback(): Promise<boolean> {
    const { chain, engine, source } = this.#options;
    const { tip, firstBlock } = this.#chain;
    if (tip === null) return false;
    const stored = (number: number) => storedBlock(engine, chain.name, number);
    const canonical = (number: number) => source.blockRef(number);
    const floor = rollbackFloor(chain, this.#chain);
    const fork = await findForkPoint({ tip, firstBlock, floor, stored, canonical });
    if (fork === null) return false;
    const block = fork < firstBlock ? await this.#fetched(fork) : await stored(fork);
    if (block === null) return false;
    await this.#takeBack(tip, block);
    return true;
  }

  async #takeBack(tip: BlockRef, block: BlockName): Promise<void> {
    const { chain, store, logger } = this.#options;
    const depth = tip.number - block.number;
    logger.warn(
      { chain: chain.name, from: tip.number, to: block.number, depth },
      "chain reorganized: rolling back",
    );
    const startedMs = Date.now();
    this.#took(await store.rollback(block));
    this.#pipeline.rollback(block);
    this.counters.rollbacks++;
    this.counters.rolledBackBlocks += depth;
    this.counters.deepestRollback = Math.max(this.counters.deepestRollback, depth);
    this.counters.rollbackSeconds += (Date.now() - startedMs) / 1000;
    this.state.lastRollbackAt = Math.floor(Date.now() / 1000);
  }

  async #fetched(number: number): Promise<Block | null> {
    const { source, signal } = this.#options;
    for await (const block of source.blocks({ from: number, to: number }, signal)) return block;
    return null;
  }

  /** A query of somebody else may have taken the engine's memory: that passes, too. */
  #canRetry(error: unknown, failures: number): boolean {
    if (!(error instanceof BaseError) || !(error.retryable || error.code === "memory")) return false;
    return this.#options.to === null || failures < this.#retryWaitsMs.length;
  }

  get #retryWaitsMs(): readonly number[] {
    return this.#options.retryWaitsMs ?? RETRY_WAITS_MS;
  }

  async #waitAfter(error: unknown, failures: number): Promise<void> {
    const waits = this.#retryWaitsMs;
    const waitMs = waits[Math.min(failures, waits.length - 1)] ?? 1_000;
    this.counters.pauses++;
    this.state.message = error instanceof Error ? error.message : String(error);
    this.#options.logger.warn({ waitMs, reason: this.state.message }, "indexing pauses");
    await sleep(waitMs, undefined, { signal: this.#options.signal }).catch(() => undefined);
  }
}

/** Why nothing can be done although nothing is wrong here; null when it can. */
function waitingFor(next: number, head: number): string | null {
  if (next <= head + 1) return null;
  return (
    `waiting for block ${next}: the endpoint's newest is ${head}. It lags, its chain was cut back, ` +
    "or the block is yet to come"
  );
}

class RangeNotAdjacent extends BaseError {
  constructor(from: number, commit: Commit) {
    const held = `blocks ${commit.firstBlock} to ${commit.blockNumber}`;
    super(
      "bad-config",
      from < commit.firstBlock
        ? `--from ${from} lies before what is indexed (${held}): to index earlier blocks, use another --data directory.`
        : `--from ${from} would leave a gap behind what is indexed (${held}): use --from ${commit.blockNumber + 1} or leave it out.`,
    );
  }
}
