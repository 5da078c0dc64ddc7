import { onAbort } from "./abort.ts";
import { type Clock, systemClock } from "./clock.ts";

/** A caller that waits. It leaves the queue when it is served, rejected, aborted or out of time. */
export interface Waiter<Value, Tag> {
  readonly tag: Tag;
  serve(value: Value): void;
  reject(error: unknown): void;
}

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** What an aborted wait rejects with; default: the signal's reason. */
  abortError?: () => unknown;
  /** Longest wait; default: no limit. */
  timeoutMs?: number;
  /** What a wait that reaches `timeoutMs` rejects with. */
  timeoutError?: () => unknown;
}

/** Callers that wait for a value, in order of arrival. Each has a tag, by which another one can go first. */
export class WaitQueue<Value = void, Tag = undefined> {
  readonly #waiters = new Set<Waiter<Value, Tag>>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Resolves with the value that the caller is served; rejects as the options say. */
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

  /** The caller with the lowest rank, the oldest of those; without a rank, the oldest. Undefined: none waits. */
  next(rank: (tag: Tag) => number = () => 0): Waiter<Value, Tag> | undefined {
    const [first, ...others] = this.#waiters;
    if (first === undefined) return undefined;
    return others.reduce((best, waiter) => (rank(waiter.tag) < rank(best.tag) ? waiter : best), first);
  }

  serveAll(value: Value): void {
    for (const waiter of [...this.#waiters]) waiter.serve(value);
  }

  rejectAll(error: unknown): void {
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }
}
