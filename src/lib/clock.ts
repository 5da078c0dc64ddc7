import { setTimeout as timer } from "node:timers/promises";

/** Where code reads the time and waits. Tests pass a clock that they move by hand. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Milliseconds since some moment; never goes back, so it measures durations. */
  monotonic(): number;
  /** Resolves after the delay; rejects with the signal's reason when that aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after the delay, unless the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(delayMs, signal) {
    signal?.throwIfAborted();
    if (delayMs <= 0) return;
    try {
      await timer(delayMs, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  after(delayMs, callback) {
    const timeout = setTimeout(callback, delayMs);
    return () => clearTimeout(timeout);
  },
};
