import type { Hex } from "../lib/hex.ts";
import type { Commit } from "../storage/store.ts";

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
  /** The token whose trades change the value; null: any block may change it. */
  readonly token: Hex | null;
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
  readonly subscribers = new Map<S, Set<string>>();
  /**
   * Sequence number of the newest commit that may have changed the value, if it has to be read from the store;
   * otherwise null.
   */
  pendingSince: number | null;
  #newest: StateItem | null = null;
  /** Candles from this time on may have to be sent, unix seconds; null: only the newest. */
  #from: number | null = null;

  constructor(question: StateQuestion, pendingSince: number) {
    this.question = question;
    this.pendingSince = pendingSince;
  }

  /** How its value is read from the store. */
  get asked(): AskedState {
    return { question: this.question, from: this.#from };
  }

  /** Whether a commit may have changed the value, given the tokens that were traded. */
  isTouched(commit: Commit, traded: ReadonlySet<unknown>): boolean {
    const { token, intervalSeconds } = this.question;
    if (token === null || traded.has(token)) return true;
    const opensAt = this.#newest?.opensAt ?? null;
    return intervalSeconds !== null && opensAt !== null && commit.timestamp >= opensAt + intervalSeconds;
  }

  /** What has changed since the last call; null if the store must be read. */
  update(commit: Commit): StateItem[] | null {
    const items = this.question.now(commit, this.#from);
    return items === null ? null : this.accept(items, commit);
  }

  /** Takes the value as of the newest commit that may have changed it; returns what was not sent yet. */
  accept(items: readonly StateItem[], { timestamp }: Commit): StateItem[] {
    this.pendingSince = null;
    const sent = this.#newest;
    this.#newest = items.at(-1) ?? null;
    this.#from = this.#newest?.opensAt ?? this.#opensAt(timestamp);
    return items.filter((item) => item.opensAt !== sent?.opensAt || item.json !== sent?.json);
  }

  /** After a rollback: candles from that of the newest block on may have changed, those above it are gone. */
  rollbackTo({ timestamp }: Commit): void {
    if (this.#from === null || timestamp >= this.#from) return;
    this.#newest = null;
    this.#from = this.#opensAt(timestamp);
  }

  /** Start of the candle with a time; null for other states. */
  #opensAt(timestamp: number): number | null {
    const { intervalSeconds } = this.question;
    return intervalSeconds && Math.floor(timestamp / intervalSeconds) * intervalSeconds;
  }
}
