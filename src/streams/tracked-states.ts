import { setImmediate as nextIteration } from "node:timers/promises";
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

/** The states that subscribers follow, each computed once for all subscribers. */
export class TrackedStates<S> {
  readonly #load: LoadStates;
  readonly #deliver: (loaded: Changes<S>) => void;
  readonly #states = new Map<string, TrackedState<S>>();
  readonly #keysOf = new Map<S, Set<string>>();
  readonly #commit: () => Commit | null;
  #isLoading = false;

  /**
   * @param commit returns the newest commit
   * @param deliver receives values that were computed or read later than their commit
   */
  constructor(commit: () => Commit | null, load: LoadStates, deliver: (loaded: Changes<S>) => void) {
    this.#commit = commit;
    this.#load = load;
    this.#deliver = deliver;
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
    const commit = this.#commit();
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

  clear(): void {
    this.#states.clear();
    this.#keysOf.clear();
  }

  /**
   * Returns those of a commit's changes whose values are in memory. The other changes are delivered later.
   */
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

  /** Computes the states that are still pending, or reads them from the store, in batches. */
  #loadPending(): void {
    if (this.#isLoading || this.#pending().length === 0) return;
    this.#isLoading = true;
    void this.#loadAll().finally(() => {
      this.#isLoading = false;
    });
  }

  #pending(): TrackedState<S>[] {
    return [...this.#states.values()].filter(({ pendingSince }) => pendingSince !== null);
  }

  async #loadAll(): Promise<void> {
    for (let pending = this.#pending(); pending.length > 0; pending = this.#pending()) {
      for (let i = 0; i < pending.length; i += MOST_AT_ONCE) {
        await nextIteration();
        // The next commit repeats the failed read.
        if (!(await this.#loadPart(pending.slice(i, i + MOST_AT_ONCE)))) return;
      }
    }
  }

  /** Delivers a part of the pending states. Returns false if the store could not be read. */
  async #loadPart(part: readonly TrackedState<S>[]): Promise<boolean> {
    this.#deliver(part.flatMap((state) => this.#settled(state, undefined)));
    const missing = part.filter(({ pendingSince, followers }) => pendingSince !== null && followers.size > 0);
    if (missing.length === 0) return true;
    const loaded = await this.#load(missing.map((state) => state.asked));
    if (loaded === null) return false;
    this.#deliver(missing.flatMap((state) => this.#settled(state, loaded.get(state.question.key))));
    return true;
  }

  /**
   * Returns the changes of a pending state. Takes the value from memory if it is there by now, or else the
   * value that was read, if no later commit can have changed it.
   */
  #settled(state: TrackedState<S>, read: LoadedState | undefined): Changes<S> {
    const commit = this.#commit();
    if (commit === null || state.pendingSince === null || state.followers.size === 0) return [];
    const items = state.fromMemory(commit) ?? (read === undefined ? [] : state.fromStore(read, commit));
    return items.length === 0 ? [] : [[state.followers, items]];
  }
}
