import type { Clock } from "../../lib/async/clock.ts";

/** A token bucket. Allows a burst of polls, then one more in each interval. */
export class QuickPollBudget {
  readonly intervalMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Time at which the bucket is full again. */
  #fullAt = 0;

  constructor(intervalMs: number, burst: number, clock: Clock) {
    this.intervalMs = intervalMs;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Returns how many polls can be made without waiting. */
  available(): number {
    return this.#burst - Math.max(0, this.#fullAt - this.#clock.monotonic()) / this.intervalMs;
  }

  /** Returns how many milliseconds longer than the given delay a poll must wait. */
  waitMs(delayMs = 0): number {
    const usedAt = this.#clock.monotonic() + delayMs;
    return Math.max(0, this.#fullAt - usedAt - (this.#burst - 1) * this.intervalMs);
  }

  /**
   * Uses up one poll, and returns the milliseconds to wait before it. If `maxWaitMs` shortens the wait, the
   * bucket is empty afterwards.
   */
  take(maxWaitMs: number): number {
    const waitMs = Math.min(this.waitMs(), maxWaitMs);
    const now = this.#clock.monotonic();
    const emptyUntil = now + waitMs + this.#burst * this.intervalMs;
    this.#fullAt = Math.min(Math.max(this.#fullAt, now) + this.intervalMs, emptyUntil);
    return waitMs;
  }
}
