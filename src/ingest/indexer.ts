import { onAbort, withAbort } from "../lib/async/abort.ts";
import { systemClock } from "../lib/async/clock.ts";
import { WaitQueue } from "../lib/queues/wait-queue.ts";
import type { BlockRef } from "../schema/block.ts";
import type { Commit } from "../storage/store.ts";
import { BlockPipeline } from "./blocks/block-pipeline.ts";
import { nextStep, type Step } from "./reorg/reorg.ts";
import { ChainPosition } from "./state/chain-position.ts";
import { CommitWatch, stallMs } from "./state/commit-watch.ts";
import { FinalityTracker } from "./state/finality-tracker.ts";
import { HeadAges } from "./state/head-ages.ts";
import { NOTHING_DONE } from "./state/index-counters.ts";
import { initialState } from "./state/index-state.ts";
import { ProgressMeter } from "./state/progress.ts";
import { extendChain } from "./steps/extend-chain.ts";
import type { IndexContext, IndexOptions } from "./steps/index-context.ts";
import { isDiskFull, repeatUntilDone } from "./steps/retry.ts";
import { rollbackChain } from "./steps/rollback-chain.ts";

export type { IndexCounters } from "./state/index-counters.ts";
export type { IndexOptions } from "./steps/index-context.ts";

/**
 * Delays before retries when the source or the store fails temporarily: short at first, at most half a
 * minute.
 */
const RETRY_WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Number of requests for the head per block time, so that a new block is noticed soon after it appears. */
const POLLS_PER_BLOCK = 4;

/**
 * The loop: source -> decode -> price -> store. Backfilling and following the head work the same way: extend
 * to the head or to the last block, then read the head again.
 */
export class Indexer {
  readonly state = initialState();
  readonly counters = { ...NOTHING_DONE };
  readonly ages: HeadAges;
  readonly #context: IndexContext;
  readonly #headWaiters = new WaitQueue();
  readonly #interludes: Interlude[] = [];
  #isRunning = false;

  constructor(options: IndexOptions) {
    const { chain, source, store, engine, from, clock = systemClock } = options;
    const position = new ChainPosition(store, engine, from);
    this.ages = new HeadAges(clock);
    this.#context = {
      options,
      clock,
      pipeline: new BlockPipeline({ ...options, clock }),
      position,
      watch: new CommitWatch({
        clock,
        stallMs: options.stallMs ?? stallMs(chain.blockTimeMs),
        state: this.state,
        position,
        onChange: (reason) => this.#reportStall(reason),
      }),
      finality: new FinalityTracker(chain, source, clock),
      state: this.state,
      counters: this.counters,
      ages: this.ages,
      meter: new ProgressMeter(clock.monotonic()),
    };
  }

  /**
   * False while all known blocks of the source, up to `to`, are committed, or while the indexer is not
   * running.
   */
  get isBehind(): boolean {
    const { position } = this.#context;
    if (!this.#isRunning || this.#isDone()) return false;
    const { head } = this.state;
    return head === null || head > (position.stored.tip?.number ?? -1);
  }

  /**
   * Runs work between two steps, while no block is being committed. If the work replaces all rows of the
   * chain, it must return the newest commit, otherwise null.
   */
  between(work: Interlude["work"]): Promise<Commit | null> {
    return new Promise((resolve, reject) => {
      this.#interludes.push({ work, resolve, reject });
      if (!this.#isRunning) void this.#runInterludes().catch(() => undefined);
    });
  }

  /** Resolves when `to` is committed or the signal aborts. Either way, committed blocks remain. */
  async run(): Promise<void> {
    const { signal } = this.#context.options;
    this.#isRunning = true;
    await withAbort([signal], async (over) => {
      const watching = this.#context.watch.run(over.signal);
      try {
        await this.#index();
      } finally {
        this.#isRunning = false;
        over.abort();
        await watching;
        await this.#runInterludes();
      }
    });
  }

  async #index(): Promise<void> {
    const { position, options } = this.#context;
    const removeListener = onAbort(options.signal, () => this.#headWaiters.serveAll());
    try {
      await position.reload();
      position.requireAdjacent();
      await this.#repeat(async () => {
        await this.#checkTip();
        return true;
      });
      await this.#repeat(async () => {
        await this.#runInterludes();
        if (!this.#isDone()) await this.#advance();
        return this.#isDone();
      });
      this.#headWaiters.serveAll();
    } catch (error) {
      this.#headWaiters.rejectAll(error);
      throw error;
    } finally {
      removeListener();
    }
  }

  /**
   * Resolves the next time that the source's newest block is committed, or when the run ends. Rejects with
   * the run's error.
   */
  caughtUp(): Promise<void> {
    if (this.#context.options.signal.aborted) return Promise.resolve();
    return this.#headWaiters.wait(undefined);
  }

  /** Rolls back if a reorg happened while no indexer was running, even if nothing remains to be indexed. */
  async #checkTip(): Promise<void> {
    const { position, options } = this.#context;
    const { tip, finalized } = position.stored;
    if (tip === null || tip.number <= (finalized ?? -1)) return;
    const canonical = await options.source.blockRef(tip.number);
    if (canonical !== null && canonical.hash !== tip.hash) await rollbackChain(this.#context);
  }

  /** Takes one step towards the head, then waits for the next head. */
  async #advance(): Promise<void> {
    const { options, clock, position } = this.#context;
    const startedMs = clock.monotonic();
    // This comes before the check of the disk, because the prepared change takes up space until it is
    // applied.
    await this.#applyOpenings();
    await options.requireRoom?.();
    const head = await options.source.head(position.stored.tip);
    this.ages.headSeen();
    const step = await this.#nextStep(head);
    this.ages.stepFound(position.stored.tip, step);
    switch (step.kind) {
      case "rollback":
        if (await rollbackChain(this.#context)) return;
        break;
      case "extend":
        if ((await extendChain(step, this.#context)) === "forked") await rollbackChain(this.#context);
        break;
      case "finalize":
        position.markFinal(step.block);
        return;
      case "wait":
        this.#headWaiters.serveAll();
    }
    if (this.#isDone()) return;
    const pollMs = options.pollMs ?? options.chain.blockTimeMs / POLLS_PER_BLOCK;
    await options.source.nextHead(Math.max(0, pollMs - (clock.monotonic() - startedMs)), options.signal);
  }

  /**
   * Runs the work that is waiting. If it fails, the tables are either unchanged or completely replaced once
   * `recover()` has succeeded.
   */
  async #runInterludes(): Promise<void> {
    const { options, position, pipeline } = this.#context;
    for (let next = this.#interludes.shift(); next !== undefined; next = this.#interludes.shift()) {
      const { work, resolve, reject } = next;
      try {
        const commit = await work();
        if (commit !== null) {
          position.adoptCommit(commit);
          pipeline.clear();
        }
        resolve(commit);
      } catch (error) {
        reject(error);
        await options.store.recover();
        await position.reload();
        pipeline.clear();
      }
    }
  }

  /** Applies newly found balances from before the first block to the stored balances. */
  async #applyOpenings(): Promise<void> {
    const { options, position, pipeline } = this.#context;
    if (!options.openings?.isDue) return;
    const commit = await options.openings.apply();
    // Even if this failed, the balances may have been changed.
    pipeline.forgetBalances();
    if (commit !== null) position.adoptCommit(commit);
  }

  async #nextStep(head: BlockRef): Promise<Step> {
    const { options, position, finality } = this.#context;
    this.state.head = head.number;
    const newestFinal = await finality.update(head);
    if (newestFinal !== null) this.state.finalized = Math.max(this.state.finalized ?? 0, newestFinal);
    this.#setStatus(waitMessage(position.next, head.number));
    const storedAtHead = await position.blockAt(head.number);
    const finalized =
      storedAtHead?.hash === head.hash
        ? await finality.newlyFinal(head.number, position.stored.finalized, (number) =>
            position.blockAt(number),
          )
        : null;
    return nextStep(position.stored, { head, finalized }, storedAtHead, options.to);
  }

  #isDone(): boolean {
    return this.#context.position.hasReached(this.#context.options.to);
  }

  /**
   * Sets the message of the state. While nothing is indexed yet, also logs it, because the range may be a
   * mistake.
   */
  #setStatus(message: string | null): void {
    const { position, options } = this.#context;
    const isNew = message !== null && message !== this.state.message;
    if (isNew && position.stored.tip === null) options.logger.warn({ chain: options.chain.name }, message);
    this.state.message = message;
  }

  #reportStall(reason: string | null): void {
    const { chain, logger } = this.#context.options;
    if (reason === null) logger.info({ chain: chain.name }, "indexing has resumed");
    else logger.warn({ chain: chain.name }, reason);
  }

  #repeat(step: () => Promise<boolean>): Promise<void> {
    const { options, clock, position, pipeline } = this.#context;
    const waitsMs = options.retryWaitsMs ?? RETRY_WAITS_MS;
    const run = async () => {
      const isDone = await step();
      this.state.diskFull = null;
      return isDone;
    };
    return repeatUntilDone(run, {
      clock,
      signal: options.signal,
      waitsMs,
      maxRetries: options.to === null ? Number.POSITIVE_INFINITY : waitsMs.length,
      async recover() {
        await options.store.recover();
        await position.reload();
        pipeline.clear();
      },
      onPause: (error, waitMs) => {
        const { message } = error;
        this.counters.pauses++;
        this.state.message = message;
        this.state.diskFull = isDiskFull(error) ? message : null;
        options.logger.warn({ waitMs, reason: message }, "indexing pauses");
      },
    });
  }
}

/** Work that is waiting for its turn in the loop. */
interface Interlude {
  work(): Promise<Commit | null>;
  resolve(commit: Commit | null): void;
  reject(error: unknown): void;
}

/** Returns why indexing waits if the next block is higher than the one after the head; otherwise null. */
function waitMessage(next: number, head: number): string | null {
  if (next <= head + 1) return null;
  return (
    `waiting for block ${next}: the endpoint's newest block is ${head}. The endpoint lags, its chain was rolled back, ` +
    "or the block does not exist yet"
  );
}
