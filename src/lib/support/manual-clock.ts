import { setImmediate as turn } from "node:timers/promises";
import { onAbort } from "../abort.ts";
import type { Clock } from "../clock.ts";

interface Timer {
  dueMs: number;
  callback: () => void;
}

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
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
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the time from timer to timer. Work started by one timer runs before the next timer fires. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await turn();
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#timers.delete(next);
      next.callback();
      await turn();
    }
    this.#nowMs = endMs;
    await turn();
  }

  #next(endMs: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
    return due.sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}
