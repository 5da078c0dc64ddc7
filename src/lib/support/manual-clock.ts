import { setImmediate as turn } from "node:timers/promises";
import { onAbort } from "../async/abort.ts";
import type { Clock } from "../async/clock.ts";

interface Timer {
  dueMs: number;
  callback: () => void;
}

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  /** Starts at zero, like the clock of a machine that was just started. */
  #monotonicMs = 0;
  #startMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#monotonicMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  /** Sets the wall clock forward or back, as an administrator or NTP does. This does not affect timers. */
  stepWall(ms: number): void {
    this.#startMs += ms;
  }

  /** Number of pending timers and sleeps. */
  get pending(): number {
    return this.#timers.size;
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (delayMs <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const cancel = this.after(delayMs, () => {
        removeListener();
        resolve();
      });
      const removeListener = onAbort(signal, () => {
        cancel();
        reject(signal?.reason);
      });
    });
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the time from timer to timer. Work started by one timer runs before the next timer fires. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#monotonicMs + ms;
    await turn();
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#monotonicMs = Math.max(this.#monotonicMs, next.dueMs);
      this.#timers.delete(next);
      next.callback();
      await turn();
    }
    this.#monotonicMs = endMs;
    await turn();
  }

  #next(endMs: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
    return due.sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}
