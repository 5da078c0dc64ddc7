import { onAbort } from "../async/abort.ts";
import { type Clock, systemClock } from "../async/clock.ts";

/** A waiting caller. It leaves the queue when it is served, rejected or aborted, or at its timeout. */
export interface Waiter<Value, Tag> {
  readonly tag: Tag;
  serve(value: Value): void;
  reject(error: unknown): void;
}

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Creates the error of an aborted wait; default: the signal's reason. */
  abortError?: () => unknown;
  /** Maximum wait in milliseconds; default: no limit. */
  timeoutMs?: number;
  /** Creates the error of a wait that reaches `timeoutMs`. */
  timeoutError?: () => unknown;
}

/** A queue of callers that wait for a value, served in order of arrival or by the rank of their tags. */
export class WaitQueue<Value = void, Tag = undefined> {
  readonly #waiters = new Set<Waiter<Value, Tag>>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves with the value with which the caller is served. Rejects if the signal aborts or the wait reaches
   * its timeout, with the error that the options define for it.
   */
  wait(tag: Tag, { signal, abortError, timeoutMs, timeoutError }: WaitOptions = {}): Promise<Value> {
    if (signal?.aborted) return Promise.reject(abortError === undefined ? signal.reason : abortError());
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        removeListener();
        cancelTimeout();
        this.#waiters.delete(waiter);
        act();
      };
      const waiter: Waiter<Value, Tag> = {
        tag,
        serve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      };
      const removeListener = onAbort(signal, () =>
        waiter.reject(abortError === undefined ? signal?.reason : abortError()),
      );
      const cancelTimeout =
        timeoutMs === undefined
          ? () => undefined
          : this.#clock.after(timeoutMs, () => waiter.reject(timeoutError?.()));
      this.#waiters.add(waiter);
    });
  }

  /**
   * Returns the oldest caller with the lowest rank, or the oldest caller if there are no ranks. Returns
   * undefined if no caller is waiting.
   */
  next(rank: (tag: Tag) => number = () => 0): Waiter<Value, Tag> | undefined {
    const [first, ...others] = this.#waiters;
    if (first === undefined) return undefined;
    return others.reduce((best, waiter) => (rank(waiter.tag) < rank(best.tag) ? waiter : best), first);
  }

  /** Returns the newest of the callers with a tag; undefined if none is waiting. */
  newest(tag: Tag): Waiter<Value, Tag> | undefined {
    return [...this.#waiters].findLast((waiter) => waiter.tag === tag);
  }

  serveAll(value: Value): void {
    for (const waiter of [...this.#waiters]) waiter.serve(value);
  }

  rejectAll(error: unknown): void {
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }
}
