import type { Commit } from "../storage/store.ts";
import { OpenFollowers } from "./followers.ts";

/** One value of a state: a price, a candle, or the state of a pool. */
export interface StateItem {
  /** A JSON object. */
  json: string;
  /** Start of a candle, in unix seconds; null for other states. */
  opensAt: number | null;
}

/**
 * A state that subscribers can follow. It has a newest value at each commit, which subscribers get whenever
 * it changes.
 */
export interface StateQuestion {
  /** Equal questions have equal keys. */
  readonly key: string;
  /** Returns the addresses and pool ids whose rows can change the value; null if any block may change it. */
  subjects(): readonly string[] | null;
  /** Length of a candle in seconds; the end of a candle also changes the value. Null for other states. */
  readonly intervalSeconds: number | null;
  /**
   * Returns the value at a commit from memory; null if the store must be read first.
   *
   * @param commit the newest commit
   * @param from unix time from which candles are returned, oldest first; null: only the newest candle
   */
  now(commit: Commit, from: number | null): StateItem[] | null;
}

export interface AskedState {
  question: StateQuestion;
  /** As in `StateQuestion.now`. */
  from: number | null;
}

/** The value of a state that was read from the store. */
export interface LoadedState {
  items: StateItem[];
  /** Sequence number of the commit up to whose time it was requested. */
  requestedAt: number;
  /** Sequence number of the commit that was the newest in the store when it was read. */
  readAt: number;
}

/**
 * Reads states from the store and returns them by key; null if that fails. Must not reject. Afterwards, most
 * of the states are in memory.
 */
export type LoadStates = (asked: readonly AskedState[]) => Promise<ReadonlyMap<string, LoadedState> | null>;

/** A subscription to states, in the order of their values in a snapshot. */
export interface StateSubscription {
  /** Identifies the values in the frames of the stream. */
  id: string;
  questions: readonly StateQuestion[];
  /** Number of candles in the first snapshot. */
  history: number;
}

/** A state with its subscribers, and the value that they were last sent. */
export class TrackedState<S> {
  readonly question: StateQuestion;
  readonly followers = new OpenFollowers<S>();
  /**
   * Sequence numbers of the first and the last commit that may have changed the value since it was last sent;
   * null if subscribers have the newest value.
   */
  #pending: { first: number; last: number } | null = null;
  #newest: StateItem | null = null;
  /**
   * Time from which candles may have to be sent, in unix seconds; null if only the newest value may have to
   * be sent.
   */
  #from: number | null = null;

  constructor(question: StateQuestion) {
    this.question = question;
  }

  /** Sequence number of the first commit whose value subscribers lack; null if they have the newest value. */
  get pendingSince(): number | null {
    return this.#pending?.first ?? null;
  }

  /** The request that reads the value from the store. */
  get asked(): AskedState {
    return { question: this.question, from: this.#from };
  }

  /** Returns whether a commit may have changed the value, given the subjects of its rows. */
  isTouched(commit: Commit, changed: ReadonlySet<unknown>): boolean {
    const { intervalSeconds } = this.question;
    const subjects = this.question.subjects();
    if (subjects === null || subjects.some((subject) => changed.has(subject))) return true;
    const opensAt = this.#newest?.opensAt ?? null;
    return intervalSeconds !== null && opensAt !== null && commit.timestamp >= opensAt + intervalSeconds;
  }

  /** Records that a commit may have changed the value. */
  touch({ sequence }: Commit): void {
    this.#pending = { first: this.#pending?.first ?? sequence, last: sequence };
  }

  /**
   * Returns the items of the value at a commit that subscribers have not been sent; null if the value must be
   * read from the store.
   */
  fromMemory(commit: Commit): StateItem[] | null {
    const items = this.question.now(commit, this.#from);
    return items === null ? null : this.accept(items, commit);
  }

  /**
   * Like `fromMemory`, but takes the value from the store. Returns no items if a commit after the request may
   * have changed the value, even if the store already had that commit when it was read.
   */
  fromStore({ items, requestedAt, readAt }: LoadedState, commit: Commit): StateItem[] {
    const isCurrent = this.#pending !== null && Math.min(requestedAt, readAt) >= this.#pending.last;
    return isCurrent ? this.accept(items, commit) : [];
  }

  /**
   * Stores the value as of the newest commit that may have changed it. Returns the items that were not sent
   * yet.
   */
  accept(items: readonly StateItem[], { timestamp }: Commit): StateItem[] {
    this.#pending = null;
    const sent = this.#newest;
    this.#newest = items.at(-1) ?? null;
    this.#from = this.#newest?.opensAt ?? this.#opensAt(timestamp);
    return items.filter((item) => item.opensAt !== sent?.opensAt || item.json !== sent?.json);
  }

  /**
   * Handles a rollback. Subscribers drop the candle of the newest block and all later candles. Candles that
   * still exist are sent again, even if they have not changed.
   */
  rollbackTo({ timestamp }: Commit): void {
    const from = this.#opensAt(timestamp);
    if (from === null) return;
    this.#newest = null;
    this.#from = Math.min(this.#from ?? from, from);
  }

  /** Returns the start of the candle that contains a time; null if the state is not a candle. */
  #opensAt(timestamp: number): number | null {
    const { intervalSeconds } = this.question;
    return intervalSeconds && Math.floor(timestamp / intervalSeconds) * intervalSeconds;
  }
}
