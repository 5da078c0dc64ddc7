import type { Clock } from "../../lib/async/clock.ts";
import { WaitQueue } from "../../lib/async/wait-queue.ts";

/**
 * Limits the requests in progress, as TCP's congestion window does: each good response widens the window a
 * little (by one for each full window of responses), congestion halves it.
 */
export class ConcurrencyWindow {
  #limit: number;
  readonly #max: number;
  readonly #clock: Clock;
  readonly #queue = new WaitQueue();
  #active = 0;
  #halvedAt = 0;

  constructor(initial: number, max: number, clock: Clock) {
    this.#limit = Math.min(initial, max);
    this.#max = max;
    this.#clock = clock;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** The load as a multiple of the window: requests in progress or waiting, divided by the limit. */
  get load(): number {
    return (this.#active + this.#queue.size) / this.limit;
  }

  /** Waits for admission; `leave` ends it. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#active < this.limit) this.#active++;
    else await this.#queue.wait(undefined, { signal });
  }

  leave(): void {
    this.#active--;
    this.#admit();
  }

  widen(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit);
    this.#admit();
  }

  /**
   * Halves once for all requests that were in progress together; `startedAt` is a time of the clock's
   * `monotonic()`.
   */
  halve(startedAt: number): void {
    if (startedAt < this.#halvedAt) return;
    this.#halvedAt = this.#clock.monotonic();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #admit(): void {
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) {
      if (this.#active >= this.limit) return;
      this.#active++;
      next.serve();
    }
  }
}
