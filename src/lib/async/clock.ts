import { setTimeout as timer } from "node:timers/promises";

/** Source of time and delays. Tests use a clock that they advance by hand. */
export interface Clock {
  /**
   * Returns the unix time in milliseconds, for display and for comparison with block times. It may jump back
   * or forward, so it must not be used to measure durations.
   */
  now(): number;
  /** Returns milliseconds since an arbitrary moment. They never decrease, so they can measure durations. */
  monotonic(): number;
  /** Resolves after the delay. Rejects with the signal's reason if the signal aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls the callback once after the delay, unless the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A moment on both clocks. The monotonic time measures how long ago it was; the unix time is for display. */
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
