import type { Clock } from "../../lib/async/clock.ts";

/** Usage of a key in a month. */
export interface Usage {
  requests: number;
  sqlQueries: number;
  /** Time for which the key's queries ran. A query that shares the run of another query adds nothing. */
  sqlSeconds: number;
}

/** Usage of each key, by its id. */
export type UsageByKey = ReadonlyMap<string, Usage>;

const NOTHING: Usage = { requests: 0, sqlQueries: 0, sqlSeconds: 0 };

/**
 * Counts each key's usage in a calendar month (UTC), in this process and in the service's other processes.
 */
export class KeyUsage {
  /**
   * True if the counts are also written to disk, so that they survive this process and other processes see
   * them.
   */
  isRecorded = false;
  readonly #clock: Clock;
  /** Counts of this process, by month. Months before the current one stay until they are recorded. */
  readonly #own = new Map<string, Map<string, Usage>>();
  #others: { month: string; usage: UsageByKey } = { month: "", usage: new Map() };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The current month, such as `2026-11`. */
  get month(): string {
    return monthOf(this.#clock.now());
  }

  /** When the next month begins, in unix seconds. */
  get resetsAt(): number {
    const now = new Date(this.#clock.now());
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000;
  }

  get secondsLeft(): number {
    return Math.max(1, Math.ceil(this.resetsAt - this.#clock.now() / 1000));
  }

  add(key: string, used: Partial<Usage>): void {
    this.#addTo(this.month, key, { ...NOTHING, ...used });
  }

  #addTo(month: string, key: string, used: Usage): void {
    const keys = this.#own.get(month) ?? new Map<string, Usage>();
    keys.set(key, sumOf(keys.get(key) ?? NOTHING, used));
    this.#own.set(month, keys);
  }

  /** Returns a key's usage this month, in all processes. */
  of(key: string): Usage {
    const { month } = this;
    const own = this.#own.get(month)?.get(key) ?? NOTHING;
    const others = this.#others.month === month ? this.#others.usage.get(key) : undefined;
    return sumOf(own, others ?? NOTHING);
  }

  /** The months in which this process counted something. */
  get countedMonths(): string[] {
    return [...this.#own.keys()];
  }

  /** Returns the counts of this process in a month. */
  ownIn(month: string): UsageByKey {
    return this.#own.get(month) ?? new Map();
  }

  /** Continues the counts that an earlier process with the same role in the service recorded. */
  resume(month: string, usage: UsageByKey): void {
    for (const [key, used] of usage) this.#addTo(month, key, used);
  }

  /** Replaces the counts of other processes. */
  setOthers(month: string, usage: UsageByKey): void {
    this.#others = { month, usage };
  }

  /** Drops the counts of a month that is over and recorded. */
  forget(month: string): void {
    if (month !== this.month) this.#own.delete(month);
  }
}

export function monthOf(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 7);
}

export function sumOf(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    sqlQueries: a.sqlQueries + b.sqlQueries,
    sqlSeconds: a.sqlSeconds + b.sqlSeconds,
  };
}
