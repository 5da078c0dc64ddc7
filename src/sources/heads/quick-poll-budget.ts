import type { Clock } from "../../lib/async/clock.ts";

/** A token bucket: allows a burst, then one more in each interval. */
export class QuickPollBudget {
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** When the bucket is full again. */
  #fullAt = 0;

  constructor(intervalMs: number, burst: number, clock: Clock) {
    this.#intervalMs = intervalMs;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes one; returns the milliseconds to wait for it. */
  take(): number {
    const now = this.#clock.monotonic();
    const waitMs = Math.max(0, this.#fullAt - now - (this.#burst - 1) * this.#intervalMs);
    this.#fullAt = Math.max(this.#fullAt, now) + this.#intervalMs;
    return waitMs;
  }
}
