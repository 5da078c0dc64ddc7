import type { Chain } from "../../chains/chain.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { messageOf } from "../../lib/error.ts";
import { WaitQueue } from "../../lib/queues/wait-queue.ts";
import { isWholeFrom } from "../../schema/block.ts";
import type { OpeningMode } from "../../schema/tables/opening-balances.ts";
import { findCandidates } from "../../storage/openings/opening-candidates.ts";
import { countOpenings, holdingIn, type OpeningCounts } from "../../storage/openings/stored-openings.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import type { Holding } from "../../storage/stored-balances.ts";
import { RECHECK_SECONDS } from "./judge-reading.ts";
import { applyDraft, draftStoredOpenings, type OpeningDraft, selectRechecks } from "./opening-rows.ts";
import { type PendingReading, readBalances, type StateSource } from "./read-balances.ts";
import { planRound } from "./round.ts";
import { storeJudgements } from "./store-judgements.ts";

export interface OpeningOptions {
  chain: Chain;
  store: Pick<ChainStore, "committed" | "amend" | "guarded">;
  source: StateSource;
  mode: Exclude<OpeningMode, "none">;
  /** Maximum number of balances that are read per second from each endpoint, on average. */
  readsPerSecond: number;
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Throws `disk-full` if the disk has too little space for a change; default: no check. */
  requireRoom?: () => Promise<void>;
  clock?: Clock;
  pauses?: OpeningPauses;
}

/** Pauses of the search, in milliseconds or as a share of the time. */
export interface OpeningPauses {
  /** Minimum pause between two rounds. */
  roundMs: number;
  /** Pause after a round that failed or found nothing to read. */
  idleMs: number;
  /**
   * Minimum time between two changes of stored balances while there is more to read. Each change makes
   * readers drop the data that they hold in memory.
   */
  applyMs: number;
  /** The search uses the engine for at most this share of the time, because indexing has priority. */
  engineShare: number;
}

const PAUSES: OpeningPauses = { roundMs: 2_000, idleMs: 30_000, applyMs: 300_000, engineShare: 0.1 };

/** Maximum number of holdings that one round reads. */
const ROUND_SIZE = 500;
/** Maximum number of readings that wait for their block to become final; each takes about 300 bytes. */
const MAX_PENDING = 20_000;
/** Minimum time between two changes of stored balances, even if there is nothing more to read. */
const LEAST_APPLY_MS = 60_000;

const NO_STATE =
  "no endpoint has the state of the newest indexed block: balances before the first block can be found once the " +
  "index is near the head, or with an archive node";

/** Progress of the search. */
export interface OpeningProgress extends OpeningCounts {
  mode: OpeningMode;
  /** Number of readings that wait for their block to become final. */
  reading: number;
  /** Why no balance can be read at present; null if nothing is wrong. */
  message: string | null;
}

/**
 * Finds the balances that holders had before the first indexed block, in the background, for an index that
 * begins after the chain's start. A reading is judged only once its block is final. Results are stored, so
 * the search continues after a restart. The indexer itself applies the results to the tables, between two
 * commits.
 */
export class OpeningFinder {
  /** The engine checks the right to write: another process may have begun a change of its own. */
  readonly #options: OpeningOptions & { engine: Engine };
  readonly #clock: Clock;
  readonly #pauses: OpeningPauses;
  readonly #pending = new Map<Holding, PendingReading>();
  #after: Holding | null = null;
  #counts: OpeningCounts = { waiting: 0, confirmed: 0, rejected: 0, unapplied: 0 };
  /** Why the last attempt at each kind of work failed; null if it did not. */
  readonly #problems: Record<Work, string | null> = { search: null, change: null };
  #isNeeded = false;
  /** Number of complete rounds since the start. */
  rounds = 0;
  /** Whether the last round found nothing more to read. */
  #isIdle = false;
  #appliedMs = 0;
  #applyPauseMs = 0;
  /** The change that the indexer should apply; null if none is prepared. */
  #draft: OpeningDraft | null = null;
  readonly #draftApplied = new WaitQueue();

  constructor(options: OpeningOptions) {
    this.#options = { ...options, engine: options.store.guarded };
    this.#clock = options.clock ?? systemClock;
    this.#pauses = options.pauses ?? PAUSES;
  }

  /** Null if the index has no block yet, or starts at the first block of its chain. */
  get progress(): OpeningProgress | null {
    if (!this.#isNeeded) return null;
    const { mode } = this.#options;
    const message = this.#problems.search ?? this.#problems.change;
    return { mode, ...this.#counts, reading: this.#pending.size, message };
  }

  /** Whether the indexer should call `apply()` before its next commit. */
  get isDue(): boolean {
    return this.#draft !== null;
  }

  /**
   * Searches until the signal aborts. Failures pause the search, and are logged when their reason changes.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#appliedMs = this.#clock.monotonic();
    while (!signal.aborted) {
      const pauseMs = await this.#round(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#report("search", messageOf(error), "warn");
        return this.#pauses.idleMs;
      });
      await this.#clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /**
   * Applies the results to the stored balances. After a failure, they are applied later.
   *
   * @returns the commit that makes the change visible; null if nothing changed
   */
  async apply(): Promise<Commit | null> {
    const draft = this.#draft;
    if (draft === null) return null;
    try {
      const commit = await applyDraft(draft, this.#options);
      this.#problems.change = null;
      return commit;
    } catch (error) {
      this.#report("change", messageOf(error), "warn");
      return null;
    } finally {
      this.#draft = null;
      this.#draftApplied.serveAll();
    }
  }

  /** Changes the stored balances if a change is due. If that fails, it is tried again later. */
  async #changeIfDue(signal: AbortSignal): Promise<void> {
    const restedMs = this.#clock.monotonic() - this.#appliedMs;
    const isDue = restedMs >= this.#applyPauseMs && (this.#isIdle || restedMs >= this.#pauses.applyMs);
    if (this.#counts.unapplied === 0) this.#problems.change = null;
    else if (isDue) {
      await this.#change(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#report("change", messageOf(error), "warn");
      });
    }
  }

  /** Prepares a change of the stored balances, and waits until the indexer has applied it. */
  async #change(signal: AbortSignal): Promise<void> {
    const startedMs = this.#clock.monotonic();
    try {
      await this.#options.requireRoom?.();
      this.#draft = await draftStoredOpenings(this.#options, signal);
      const tookMs = this.#clock.monotonic() - startedMs;
      const leastMs = Math.min(this.#pauses.applyMs, LEAST_APPLY_MS);
      this.#applyPauseMs = Math.max(leastMs, tookMs / this.#pauses.engineShare);
      if (this.#draft === null) this.#problems.change = null;
      else await this.#draftApplied.wait(undefined, { signal });
      await this.#count(await this.#options.store.committed());
    } finally {
      this.#appliedMs = this.#clock.monotonic();
    }
  }

  /** Runs one round of the search. Returns the pause until the next one. */
  async #round(signal: AbortSignal): Promise<number> {
    const startedMs = this.#clock.monotonic();
    const commit = await this.#options.store.committed();
    const isEmpty = commit === null || commit.blockNumber < commit.firstBlock;
    this.#isNeeded = !isEmpty && !isWholeFrom(commit.firstBlock);
    if (isEmpty) return this.#pauses.roundMs;
    if (!this.#isNeeded) return this.#pauses.idleMs;
    await this.#judgeFinal(commit);
    const holdings = await this.#nextHoldings(commit);
    const engineMs = this.#clock.monotonic() - startedMs;
    this.#isIdle = holdings.length === 0;
    const count = await this.#read(holdings, commit);
    await this.#count(commit);
    await this.#changeIfDue(signal);
    this.rounds++;
    const readMs = count === 0 ? this.#pauses.idleMs : (1_000 * count) / this.#options.readsPerSecond;
    return Math.max(this.#pauses.roundMs, readMs, engineMs / this.#pauses.engineShare);
  }

  /**
   * Judges the readings whose blocks have become final, and drops readings of blocks that were rolled back.
   */
  async #judgeFinal({ finalized, firstBlock, blockNumber }: Commit): Promise<void> {
    const isFinal = ({ block }: PendingReading) => finalized !== null && block <= finalized;
    const due = [...this.#pending.values()].filter(
      (reading) => isFinal(reading) || reading.block > blockNumber,
    );
    await storeJudgements(due.filter(isFinal), { ...this.#options, firstBlock, now: this.#now() });
    for (const { holding } of due) this.#pending.delete(holding);
  }

  async #nextHoldings(commit: Commit): Promise<Holding[]> {
    if (this.#pending.size >= MAX_PENDING) return [];
    const { engine, chain, mode } = this.#options;
    const from = { chain: chain.name, firstBlock: commit.firstBlock };
    const before = this.#now() - RECHECK_SECONDS;
    const rechecks = (await selectRechecks(engine, from, { before, limit: ROUND_SIZE })).map(holdingIn);
    const next = () =>
      findCandidates(engine, {
        ...{ ...from, mode, upTo: commit.blockNumber, after: this.#after, limit: ROUND_SIZE },
      });
    let candidates = await next();
    if (candidates.length === 0 && this.#after !== null) {
      this.#after = null;
      candidates = await next();
    }
    const input = { rechecks, candidates, after: this.#after, size: ROUND_SIZE };
    const { holdings, after } = planRound(input, (holding) => this.#pending.has(holding));
    this.#after = after;
    return holdings;
  }

  /**
   * Reads balances. Returns how many were requested: 0 if there is nothing to read, or if no endpoint has the
   * state of the newest block.
   */
  async #read(holdings: readonly Holding[], commit: Commit): Promise<number> {
    if (holdings.length === 0) {
      this.#problems.search = null;
      return 0;
    }
    const { source, engine, chain } = this.#options;
    const context = { source, engine, chain: chain.name, now: this.#now() };
    const read = await readBalances(holdings, commit, context);
    if (read === null) {
      this.#report("search", NO_STATE, "info");
      return 0;
    }
    this.#problems.search = null;
    for (const reading of read.readings) this.#pending.set(reading.holding, reading);
    return read.count;
  }

  /** Unix seconds. */
  #now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }

  async #count(commit: Commit | null): Promise<void> {
    if (commit === null) return;
    const { engine, chain } = this.#options;
    this.#counts = await countOpenings(engine, { chain: chain.name, firstBlock: commit.firstBlock });
  }

  /** Records why work failed. Logs it if the reason is new. */
  #report(work: Work, reason: string, level: "info" | "warn"): void {
    const isNew = reason !== this.#problems[work];
    this.#problems[work] = reason;
    if (isNew) this.#options.logger[level]({ reason }, FAILURES[work]);
  }
}

/** The search for balances, and the change of stored balances. */
type Work = "search" | "change";

const FAILURES: Record<Work, string> = {
  search: "the search for balances before the first block is paused",
  change: "balances before the first block could not be stored yet",
};
