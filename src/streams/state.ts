import type { Commit } from "../storage/store.ts";
import { OpenFollowers } from "./followers.ts";

/** One value of a state: a price, a candle, or the state of a pool. */
export interface StateItem {
  /** A JSON object. */
  json: string;
  /** Start of a candle, unix seconds; null for other states. */
  opensAt: number | null;
}

/** Something that has a newest value at each commit, which subscribers get whenever it changes. */
export interface StateQuestion {
  /** Equal questions have equal keys. */
  readonly key: string;
  /** Addresses and pools without whose rows no block changes the value; null: any block may change it. */
  subjects(): readonly string[] | null;
  /** Length of a candle in seconds: its end changes the value as well. Null for other states. */
  readonly intervalSeconds: number | null;
  /**
   * The value at a commit, which must be the newest one, from memory; null if the store must be read first.
   *
   * @param from candles from this time on, oldest first; null: only the newest
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
  /** Sequence number of the commit that it is as of. */
  sequence: number;
}

/**
 * Reads states from the store, by their keys; afterwards most are in memory as well. Null if that fails. Must
 * not reject.
 */
export type LoadStates = (asked: readonly AskedState[]) => Promise<ReadonlyMap<string, LoadedState> | null>;

/** A subscription to states, in the order of their values in a snapshot. */
export interface StateSubscription {
  /** Names the values in the frames of its stream. */
  id: string;
  questions: readonly StateQuestion[];
  /** Candles in the first snapshot. */
  history: number;
}

/** A state that has subscribers, and what they were last sent of it. */
export class TrackedState<S> {
  readonly question: StateQuestion;
  readonly followers = new OpenFollowers<S>();
  /**
   * Sequence numbers of the first and the last commit that may have changed the value since subscribers were
   * sent it; null if they have the newest.
   */
  #pending: { first: number; last: number } | null = null;
  #newest: StateItem | null = null;
  /** Candles from this time on may have to be sent, unix seconds; null: only the newest. */
  #from: number | null = null;

  constructor(question: StateQuestion) {
    this.question = question;
  }

  /** Sequence number of the first commit whose value subscribers lack; null if they have the newest. */
  get pendingSince(): number | null {
    return this.#pending?.first ?? null;
  }

  /** How its value is read from the store. */
  get asked(): AskedState {
    return { question: this.question, from: this.#from };
  }

  /** Whether a commit may have changed the value, given the subjects of its rows. */
  isTouched(commit: Commit, changed: ReadonlySet<unknown>): boolean {
    const { intervalSeconds } = this.question;
    const subjects = this.question.subjects();
    if (subjects === null || subjects.some((subject) => changed.has(subject))) return true;
    const opensAt = this.#newest?.opensAt ?? null;
    return intervalSeconds !== null && opensAt !== null && commit.timestamp >= opensAt + intervalSeconds;
  }

  /**
   * What subscribers were not sent of the value at a commit that may have changed it; null if it must be
   * read.
   */
  changedBy(commit: Commit): StateItem[] | null {
    const { sequence } = commit;
    this.#pending = { first: this.#pending?.first ?? sequence, last: sequence };
    return this.fromMemory(commit);
  }

  /** The same where no later commit may have changed the value. */
  fromMemory(commit: Commit): StateItem[] | null {
    const items = this.question.now(commit, this.#from);
    return items === null ? null : this.accept(items, commit);
  }

  /** The same from the store; none if a later commit may have changed what was read. */
  fromStore(read: LoadedState, commit: Commit): StateItem[] {
    const isCurrent = this.#pending !== null && read.sequence >= this.#pending.last;
    return isCurrent ? this.accept(read.items, commit) : [];
  }

  /** Takes the value as of the newest commit that may have changed it; returns what was not sent yet. */
  accept(items: readonly StateItem[], { timestamp }: Commit): StateItem[] {
    this.#pending = null;
    const sent = this.#newest;
    this.#newest = items.at(-1) ?? null;
    this.#from = this.#newest?.opensAt ?? this.#opensAt(timestamp);
    return items.filter((item) => item.opensAt !== sent?.opensAt || item.json !== sent?.json);
  }

  /**
   * After a rollback, subscribers drop the candle of the newest block and those above it. Those that remain
   * are sent again, changed or not.
   */
  rollbackTo({ timestamp }: Commit): void {
    const from = this.#opensAt(timestamp);
    if (from === null) return;
    this.#newest = null;
    this.#from = Math.min(this.#from ?? from, from);
  }

  /** Start of the candle with a time; null for other states. */
  #opensAt(timestamp: number): number | null {
    const { intervalSeconds } = this.question;
    return intervalSeconds && Math.floor(timestamp / intervalSeconds) * intervalSeconds;
  }
}
