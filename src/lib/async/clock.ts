import { setTimeout as timer } from "node:timers/promises";

/** Source of time and delays. Tests advance theirs by hand. */
export interface Clock {
  /**
   * Unix time in milliseconds, to show it or to compare it with times of blocks. It may step back or forward,
   * so it must not measure durations.
   */
  now(): number;
  /** Milliseconds since an arbitrary moment. Never decreases, so it can measure durations. */
  monotonic(): number;
  /** Resolves after the delay; rejects with the signal's reason if that aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls the callback once after the delay, unless the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A moment on both clocks: one measures how long ago it was, the other shows it to people. */
export interface Moment {
  monotonicMs: number;
  unixMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonic(), unixMs: clock.now() };
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
