import { scopeOf } from "../../chains/chain.ts";
import { withAbort } from "../../lib/async/abort.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { copyOf, dropCopy } from "../../storage/extension/chain-copy.ts";
import type { ChainStore, Commit } from "../../storage/store.ts";
import { BATCH_LIMITS, type BatchLimits } from "../blocks/batches.ts";
import { Indexer } from "../indexer.ts";
import type { IndexOptions } from "../steps/index-context.ts";
import { ExtendedSource, whileBusy } from "./extended-source.ts";
import { Settling } from "./settling.ts";

export interface ExtensionOptions
  extends Pick<
    IndexOptions,
    "chain" | "source" | "engine" | "signal" | "logger" | "tokenList" | "requireRoom" | "clock" | "pollMs"
  > {
  /** The chain's own indexer, which continues while the copy is built. */
  indexer: Pick<Indexer, "isBehind" | "between">;
  store: ChainStore;
  /** The store of the copy. */
  copy: ChainStore;
  /** First block of the copy. */
  from: number;
  /** First block of the chain. */
  firstStored: number;
  /**
   * How long the copy must have followed the chain before it replaces the chain. After that time, a power
   * loss can only destroy rows of blocks that the check of the newest blocks covers.
   */
  settleMs: number;
  onProgress?(progress: ExtensionProgress): void;
  batchBlocks?: number;
}

/** Progress of an extension to earlier blocks. */
export interface ExtensionProgress {
  /** First block of the copy. Until the exchange, clients can query the chain from `firstStored` on. */
  from: number;
  firstStored: number;
  /** Newest block of the copy; null before the first. */
  block: number | null;
  /** Newest block of the chain, which the copy must reach. */
  target: number;
  blocksPerSecond: number;
  /** Estimated seconds until the copy reaches the target; null while the rate is unknown. */
  etaSeconds: number | null;
  /** Why the extension is not advancing; null while it is. */
  message: string | null;
}

/**
 * Batches are smaller than in a backfill, because the event loop is blocked while a batch is decoded, and
 * indexing at the head must not wait.
 */
const EXTENSION_BATCH: BatchLimits = { ...BATCH_LIMITS, items: 10_000 };

/**
 * The exchange starts when the copy is at most this many blocks behind the chain. The copy first indexes the
 * blocks that it lacks.
 */
const NEAR_BLOCKS = 8;
/**
 * How long the chain's indexer waits for the copy to index these blocks. After that, the indexer continues,
 * and the exchange is tried again.
 */
const LAST_BLOCKS_MS = 5_000;
const LOOK_MS = 100;
const FAR = { isNew: false, isOver: false };
const SAFE = "a power loss can no longer damage it";
/** Delay after a failed attempt to exchange the tables. */
const RETRY_MS = 10_000;

/**
 * Extends a chain to earlier blocks. All derived data depends on earlier blocks, so the whole chain is
 * indexed again, into a hidden copy: blocks below the first stored one come from the source, all others from
 * the stored rows or, if the chain does not keep all rows, from the source as well. When the copy has reached
 * the newest block, its tables replace the chain's tables.
 */
export class Extension {
  readonly #options: ExtensionOptions;
  readonly #clock;
  readonly #stop = new AbortController();
  progress: ExtensionProgress;
  #copyIndexer: Indexer | null = null;
  #isOver = false;
  /** True while the chain's indexer waits for the copy, which must then not wait for the indexer. */
  #isAwaited = false;

  constructor(options: ExtensionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { from, firstStored } = options;
    const nothing = { block: null, blocksPerSecond: 0, etaSeconds: null, message: null };
    this.progress = { from, firstStored, target: firstStored, ...nothing };
  }

  /** Makes `run()` end soon. The part of the copy built so far remains. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves when the chain begins with block `from`, when the signal aborts, or after `stop()`. */
  async run(): Promise<void> {
    const { signal, logger, engine, chain, from } = this.#options;
    try {
      while (!(await this.#isExtended()) && !signal.aborted && !this.#stop.signal.aborted)
        await this.#attempt();
      if (!(await this.#isExtended())) return;
      this.#isOver = true;
      logger.info({ chain: chain.name, from }, "extended: all tables now begin with this block");
      await dropCopy(engine, chain.name);
    } catch (error) {
      this.#copyIndexer = null;
      this.progress = { ...this.progress, message: (error as Error).message };
      throw error;
    }
  }

  /** The current progress; null once the chain is extended. */
  current(): ExtensionProgress | null {
    if (this.#isOver) return null;
    return { ...this.progress, message: this.#copyIndexer?.state.message ?? this.progress.message };
  }

  async #isExtended(): Promise<boolean> {
    const commit = await this.#options.store.committed();
    return commit !== null && commit.firstBlock <= this.#options.from;
  }

  /**
   * Builds the copy and exchanges the tables. Returns without an exchange if the attempt must be repeated.
   */
  #attempt(): Promise<void> {
    const { signal, logger, indexer } = this.#options;
    return withAbort([signal, this.#stop.signal], async (stop) => {
      const copyIndexer = this.#indexerOfCopy(stop.signal);
      const building = copyIndexer.run();
      this.#copyIndexer = copyIndexer;
      try {
        await Promise.race([building, this.#untilNear(stop.signal)]);
        if (!stop.signal.aborted) await indexer.between(() => this.#exchange(building, stop));
      } catch (error) {
        if (!(error instanceof BaseError) || !error.retryable) throw error;
        logger.warn({ reason: error.message }, "extension: could not exchange the tables; will try again");
        await this.#clock.sleep(RETRY_MS, signal).catch(() => undefined);
      } finally {
        this.#isAwaited = false;
        stop.abort();
        await building;
      }
    });
  }

  #indexerOfCopy(signal: AbortSignal): Indexer {
    const { onProgress, indexer, batchBlocks, copy, ...options } = this.#options;
    const { chain, engine, source, store, firstStored, logger } = options;
    const isWhole = scopeOf(chain).keep === "all";
    const turn = (stop: AbortSignal) =>
      whileBusy(() => indexer.isBehind && !this.#isAwaited, stop, this.#clock);
    return new Indexer({
      ...options,
      chain: { ...chain, name: copyOf(chain.name) },
      source: new ExtendedSource({ source, engine, store, firstStored, isWhole, turn, clock: this.#clock }),
      store: copy,
      to: null,
      signal,
      batchLimits: { ...EXTENSION_BATCH, ...(batchBlocks === undefined ? {} : { blocks: batchBlocks }) },
      // Waiting for its turn is not a stall, however long it takes.
      stallMs: Number.POSITIVE_INFINITY,
      logger: {
        info: (fields, message) => logger.info(fields, `extension: ${message}`),
        warn: (fields, message) => logger.warn(fields, `extension: ${message}`),
      },
      onProgress: ({ block, target, blocksPerSecond, etaSeconds }) => {
        this.progress = { ...this.progress, block, target, blocksPerSecond, etaSeconds };
        onProgress?.(this.progress);
      },
    });
  }

  /** Resolves when the copy has followed the chain for `settleMs`, or when the signal aborts. */
  async #untilNear(signal: AbortSignal): Promise<void> {
    const { settleMs, logger, chain } = this.#options;
    const settling = new Settling(settleMs, this.#clock);
    while (!signal.aborted) {
      const [own, copied] = await this.#tips();
      const isNear = copied !== null && own !== null && own.blockNumber - copied.blockNumber <= NEAR_BLOCKS;
      const { isNew, isOver } = isNear ? settling.near() : FAR;
      if (isNew) {
        const message = `the copy is complete; it will replace the chain in ${Math.ceil(settleMs / 1000)} s, once ${SAFE}`;
        if (settleMs > 0) logger.info({ chain: chain.name }, `extension: ${message}`);
        this.progress = { ...this.progress, message: settleMs > 0 ? message : null };
      }
      if (isOver) return;
      await this.#clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  }

  /**
   * Waits until the copy has the chain's newest block, stops the copy's indexer, and exchanges the tables.
   * Returns null if the copy takes too long or is stopped first.
   */
  async #exchange(building: Promise<void>, stop: AbortController): Promise<Commit | null> {
    this.#isAwaited = true;
    const deadlineMs = this.#clock.monotonic() + LAST_BLOCKS_MS;
    while (!(await this.#isLevel())) {
      if (stop.signal.aborted || this.#clock.monotonic() > deadlineMs) return null;
      await this.#clock.sleep(LOOK_MS / 10, stop.signal).catch(() => undefined);
    }
    stop.abort();
    await building;
    const [, copied] = await this.#tips();
    return copied === null || !(await this.#isLevel()) ? null : this.#options.store.exchange(copied);
  }

  async #isLevel(): Promise<boolean> {
    const [own, copied] = await this.#tips();
    return own !== null && own.blockNumber === copied?.blockNumber && own.blockHash === copied.blockHash;
  }

  #tips(): Promise<[Commit | null, Commit | null]> {
    const { store, copy } = this.#options;
    return Promise.all([store.committed(), copy.committed()]);
  }
}
