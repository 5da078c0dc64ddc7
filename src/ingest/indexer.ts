import { setTimeout as sleep } from "node:timers/promises";
import type { Chain } from "../chains/chain.ts";
import { BaseError } from "../lib/error.ts";
import type { Block, BlockRef } from "../schema/block.ts";
import type { Source } from "../sources/source.ts";
import type { ChainStore, Commit, Engine } from "../storage/store.ts";
import { type BatchLimits, inBatches } from "./batches.ts";
import { BlockPipeline, type CacheLimits } from "./block-pipeline.ts";
import { type Progress, ProgressMeter } from "./progress.ts";
import { findForkPoint, headKeepsTip, rollbackFloor, stepFor } from "./reorg.ts";
import { storedBlock } from "./stored-blocks.ts";

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
}

export interface IndexLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What an indexer knows of the chain, for `/v1/status`. */
export interface IndexState {
  head: number | null;
  finalized: number | null;
  /** Why nothing moves, while nothing moves. */
  message: string | null;
}

/** What an indexer has done since it started, for metrics. */
export interface IndexCounters {
  commits: number;
  blocks: number;
  logs: number;
  /** Seconds spent in commits. */
  commitSeconds: number;
  rollbacks: number;
  /** Blocks that rollbacks took back, and the most that one did. */
  rolledBackBlocks: number;
  deepestRollback: number;
  /** Seconds spent in rollbacks. */
  rollbackSeconds: number;
  /** Times that indexing paused because something failed that may pass. */
  pauses: number;
}

/** Waits between tries when the source cannot answer, in following: short at first, then at most half a minute. */
const RETRY_WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** The head is asked for so often in a block's time: a block is seen soon after it appears. */
const POLLS_PER_BLOCK = 4;

/**
 * The loop: source -> decode -> price -> store. Backfill and following are the same: extend to the target,
 * then look for a new one. Fetching, decoding and writing overlap; two batches are in memory at most.
 */
export class Indexer {
  readonly state: IndexState = { head: null, finalized: null, message: null };
  readonly counters: IndexCounters = {
    commits: 0,
    blocks: 0,
    logs: 0,
    commitSeconds: 0,
    rollbacks: 0,
    rolledBackBlocks: 0,
    deepestRollback: 0,
    rollbackSeconds: 0,
    pauses: 0,
  };
  readonly #options: IndexOptions;
  readonly #pipeline: BlockPipeline;
  readonly #meter = new ProgressMeter(Date.now());
  #committed: Commit | null = null;
  /** Newest block that was seen to be stored and final. */
  #settled: number | null = null;
  #waitingForHead: (() => void)[] = [];

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#pipeline = new BlockPipeline(options);
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? this.#options.chain.blockTimeMs / POLLS_PER_BLOCK;
  }

  /** Resolves when `to` is committed or the signal is aborted; what was committed stays either way. */
  async run(): Promise<void> {
    this.#committed = await this.#options.store.committed();
    this.#refuseGap();
    let failures = 0;
    while (!this.#options.signal.aborted && !this.#isDone()) {
      try {
        await this.#advance();
        failures = 0;
      } catch (error) {
        if (this.#options.signal.aborted) return;
        if (!this.#canRetry(error, failures)) throw error;
        await this.#waitAfter(error, failures++);
      }
    }
  }

  /** Resolves the next time that the source's newest block is committed, or when the signal is aborted. */
  caughtUp(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waitingForHead.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  get #tip(): BlockRef | null {
    const commit = this.#committed;
    return commit === null ? null : { number: commit.blockNumber, hash: commit.blockHash };
  }

  #isDone(): boolean {
    const { to } = this.#options;
    return to !== null && this.#committed !== null && this.#committed.blockNumber >= to;
  }

  #refuseGap(): void {
    const { from } = this.#options;
    const commit = this.#committed;
    if (commit === null || (from >= commit.firstBlock && from <= commit.blockNumber + 1)) return;
    throw new RangeNotAdjacent(from, commit);
  }

  async #advance(): Promise<void> {
    const { source, to, from } = this.#options;
    const askedMs = Date.now();
    const head = await source.head();
    this.state.head = head.number;
    await this.#learnFinality(head);
    const next = this.#committed === null ? from : this.#committed.blockNumber + 1;
    this.#tell(waitingFor(next, head.number));
    const target = to === null ? head.number : Math.min(to, head.number);
    if (!headKeepsTip(await this.#storedAt(head.number), head)) {
      if (await this.#rollback()) return;
    } else if (next <= target) await this.#extend(next, target);
    else for (const resolve of this.#waitingForHead.splice(0)) resolve();
    if (!this.#isDone()) await this.#pause(this.#pollMs - (Date.now() - askedMs));
  }

  /** Says in the status why nothing moves. A start that waits says it in the log, too: the range may be a mistake. */
  #tell(message: string | null): void {
    const isNews = message !== null && message !== this.state.message;
    if (isNews && this.#committed === null) {
      this.#options.logger.warn({ chain: this.#options.chain.name }, message);
    }
    this.state.message = message;
  }

  async #storedAt(number: number): Promise<BlockRef | null> {
    const tip = this.#tip;
    if (tip === null || number > tip.number) return null;
    return number === tip.number ? tip : storedBlock(this.#options.engine, this.#options.chain.name, number);
  }

  async #learnFinality(head: BlockRef): Promise<void> {
    const { chain, source } = this.#options;
    const final =
      chain.finality.kind === "tag"
        ? (await source.finalized())?.number
        : head.number - chain.finality.blocks;
    if (final === undefined || final < 0) return;
    this.state.finalized = Math.max(this.state.finalized ?? 0, Math.min(final, head.number));
  }

  async #extend(from: number, target: number): Promise<void> {
    const { source, signal, batchLimits } = this.#options;
    const stop = new AbortController();
    const fetchSignal = AbortSignal.any([signal, stop.signal]);
    let tip = this.#tip;
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const blocks of inBatches(source.blocks({ from, to: target }, fetchSignal), batchLimits)) {
        const [first, ...rest] = blocks;
        if (first === undefined) continue;
        if (stepFor(tip, first).kind === "rollback") {
          await writing;
          await this.#rollback();
          return;
        }
        if (this.#pipeline.isFull()) {
          await writing;
          this.#pipeline.evict();
        }
        const batch = await this.#pipeline.prepare([first, ...rest], this.#readable());
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
    batch: Parameters<ChainStore["commit"]>[0],
    blocks: Block[],
    goal: { from: number; target: number },
  ): Promise<void> {
    this.#committed = await this.#options.store.commit(batch);
    const { finalized } = this.state;
    if (finalized !== null) this.#settled = Math.min(finalized, batch.lastBlock.number);
    this.#options.onProgress?.(this.#meter.committed(blocks, { ...goal, nowMs: Date.now() }));
  }

  #readable() {
    const commit = this.#committed;
    return commit === null ? null : { blockNumber: commit.blockNumber, timestamp: commit.timestamp };
  }

  /** True when something was taken back; false when the tip turned out to be still there. */
  async #rollback(): Promise<boolean> {
    const { chain, engine, source, store, logger } = this.#options;
    const commit = this.#committed;
    const tip = this.#tip;
    if (commit === null || tip === null) return false;
    const { firstBlock } = commit;
    const fork = await findForkPoint({
      tip,
      firstBlock,
      floor: rollbackFloor({
        chain,
        tip,
        firstBlock,
        finalized: this.state.finalized,
        settled: this.#settled,
      }),
      stored: (number) => storedBlock(engine, chain.name, number),
      canonical: (number) => source.blockRef(number),
    });
    if (fork === null) return false;
    logger.warn({ chain: chain.name, from: tip.number, to: fork }, "chain reorganized: rolling back");
    const block = fork < firstBlock ? await this.#fetched(fork) : await storedBlock(engine, chain.name, fork);
    if (block === null) return false;
    this.#committed = await store.rollback(block);
    this.#pipeline.forget();
    return true;
  }

  async #fetched(number: number): Promise<Block | null> {
    const { source, signal } = this.#options;
    for await (const block of source.blocks({ from: number, to: number }, signal)) return block;
    return null;
  }

  #canRetry(error: unknown, failures: number): boolean {
    if (!(error instanceof BaseError) || !error.retryable) return false;
    return this.#options.to === null || failures < RETRY_WAITS_MS.length;
  }

  async #waitAfter(error: unknown, failures: number): Promise<void> {
    const waitMs = RETRY_WAITS_MS[Math.min(failures, RETRY_WAITS_MS.length - 1)] ?? 1_000;
    this.state.message = error instanceof Error ? error.message : String(error);
    this.#options.logger.warn({ waitMs, reason: this.state.message }, "indexing pauses");
    await this.#pause(waitMs);
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await sleep(ms, undefined, { signal: this.#options.signal }).catch(() => undefined);
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
