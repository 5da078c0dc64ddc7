import { setImmediate as nextIteration } from "node:timers/promises";
import type { Clock } from "../lib/async/clock.ts";
import { retryDelayMs } from "../lib/async/retry-delay.ts";
import { partsOf } from "../lib/collections/parts.ts";
import { WaitQueue } from "../lib/queues/wait-queue.ts";
import type { Rows } from "../schema/tables.ts";
import type { Commit } from "../storage/store.ts";
import { subjectsOf } from "./changed-subjects.ts";
import type { Followers } from "./followers.ts";
import {
  type LoadedState,
  type LoadStates,
  type StateItem,
  type StateQuestion,
  TrackedState,
} from "./state.ts";

/** The followers of changed states, with the values that they do not have yet. */
export type Changes<S> = (readonly [Followers<S>, readonly StateItem[]])[];

/**
 * Maximum number of states that are computed without a pause: each takes up to 0.2 ms, and other requests
 * wait meanwhile.
 */
const MOST_AT_ONCE = 200;

/** First and longest delay before a failed read of the store is repeated, unless a commit comes first. */
const RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

interface TrackedStatesOptions<S> {
  /** Returns the newest commit. */
  commit(): Commit | null;
  /** Reads states that are not in memory. */
  load: LoadStates;
  /** Receives values that were computed or read later than their commit. */
  deliver(loaded: Changes<S>): void;
  clock: Clock;
  /** Aborts when the service stops; nothing is read after that. */
  signal: AbortSignal;
}

/** The states that subscribers follow, each computed once for all subscribers. */
export class TrackedStates<S> {
  readonly #options: TrackedStatesOptions<S>;
  readonly #states = new Map<string, TrackedState<S>>();
  readonly #keysOf = new Map<S, Set<string>>();
  readonly #paused: WaitQueue;
  #isLoading = false;

  constructor(options: TrackedStatesOptions<S>) {
    this.#options = options;
    this.#paused = new WaitQueue(options.clock);
  }

  get size(): number {
    return this.#states.size;
  }

  /** @param known the value at the newest commit, which the subscriber has */
  add(subscriber: S, id: string, question: StateQuestion, known: readonly StateItem[]): void {
    const state = this.#states.get(question.key) ?? this.#track(question, known);
    state.followers.follow(subscriber, id);
    const keys = this.#keysOf.get(subscriber) ?? new Set();
    this.#keysOf.set(subscriber, keys.add(question.key));
  }

  #track(question: StateQuestion, known: readonly StateItem[]): TrackedState<S> {
    const commit = this.#options.commit();
    const state = new TrackedState<S>(question);
    this.#states.set(question.key, state);
    if (commit !== null) state.accept(known, commit);
    return state;
  }

  remove(subscriber: S): void {
    for (const key of this.#keysOf.get(subscriber) ?? []) {
      const state = this.#states.get(key);
      state?.followers.delete(subscriber);
      if (state?.followers.size === 0) this.#states.delete(key);
    }
    this.#keysOf.delete(subscriber);
  }

  /** Returns a commit's changes whose values are in memory. The other changes are delivered later. */
  update(commit: Commit, rows: Rows): Changes<S> {
    if (this.#states.size === 0) return [];
    const changed = subjectsOf(rows);
    return this.#changes(commit, (state) => state.isTouched(commit, changed));
  }

  /** Like `update`, but after a rollback, which may have changed any state. */
  rollbackTo(commit: Commit): Changes<S> {
    for (const state of this.#states.values()) state.rollbackTo(commit);
    return this.#changes(commit, () => true);
  }

  #changes(commit: Commit, mayHaveChanged: (state: TrackedState<S>) => boolean): Changes<S> {
    const changed: Changes<S> = [];
    let computed = 0;
    for (const state of this.#states.values()) {
      if (mayHaveChanged(state)) state.touch(commit);
      if (state.pendingSince === null || computed++ >= MOST_AT_ONCE) continue;
      const items = state.fromMemory(commit);
      if (items !== null && items.length > 0) changed.push([state.followers, items]);
    }
    this.#loadPending();
    return changed;
  }

  /**
   * Returns the subscribers that lack states, each with the sequence number of the commit up to which it has
   * all states.
   */
  lacking(): ReadonlyMap<S, number> {
    const found = new Map<S, number>();
    for (const { pendingSince, followers } of this.#pending()) {
      const known = (pendingSince ?? 0) - 1;
      for (const subscriber of followers.keys())
        found.set(subscriber, Math.min(known, found.get(subscriber) ?? known));
    }
    return found;
  }

  #loadPending(): void {
    this.#paused.serveAll();
    if (!this.#isLoading && this.#pending().length > 0) void this.#loadAll();
  }

  #pending(): TrackedState<S>[] {
    return [...this.#states.values()].filter(({ pendingSince }) => pendingSince !== null);
  }

  /** Computes the states that are still pending, or reads them from the store, until none is left. */
  async #loadAll(): Promise<void> {
    this.#isLoading = true;
    try {
      for (let failures = 0; this.#pending().length > 0 && !this.#options.signal.aborted; ) {
        failures = (await this.#loadParts(this.#pending())) ? 0 : failures + 1;
        if (failures > 0) await this.#pause(failures);
      }
    } finally {
      this.#isLoading = false;
    }
  }

  /** Waits before the store is read again. A commit ends the pause. */
  async #pause(failures: number): Promise<void> {
    const timeoutMs = retryDelayMs(failures, RETRY_MS, LONGEST_RETRY_MS);
    await this.#paused.wait(undefined, { signal: this.#options.signal, timeoutMs }).catch(() => undefined);
  }

  /** Delivers pending states in batches. Returns false if the store could not be read. */
  async #loadParts(pending: readonly TrackedState<S>[]): Promise<boolean> {
    for (const part of partsOf(pending, MOST_AT_ONCE)) {
      await nextIteration();
      if (!(await this.#loadPart(part))) return false;
    }
    return true;
  }

  /** Delivers a part of the pending states. Returns false if the store could not be read. */
  async #loadPart(part: readonly TrackedState<S>[]): Promise<boolean> {
    this.#options.deliver(part.flatMap((state) => this.#settled(state, undefined)));
    const missing = part.filter(({ pendingSince, followers }) => pendingSince !== null && followers.size > 0);
    if (missing.length === 0) return true;
    const loaded = await this.#options.load(missing.map((state) => state.asked));
    if (loaded === null) return false;
    this.#options.deliver(missing.flatMap((state) => this.#settled(state, loaded.get(state.question.key))));
    return true;
  }

  /**
   * Returns the changes of a pending state. Takes the value from memory if it is there by now, or else the
   * value that was read, if no later commit can have changed it.
   */
  #settled(state: TrackedState<S>, read: LoadedState | undefined): Changes<S> {
    const commit = this.#options.commit();
    if (commit === null || state.pendingSince === null || state.followers.size === 0) return [];
    const items = state.fromMemory(commit) ?? (read === undefined ? [] : state.fromStore(read, commit));
    return items.length === 0 ? [] : [[state.followers, items]];
  }
}
