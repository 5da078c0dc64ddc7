import type { Clock } from "../../lib/async/clock.ts";
import { WaitQueue } from "../../lib/queues/wait-queue.ts";

/**
 * Limits the requests in progress, as the congestion window of TCP does. Each good response widens the window
 * a little (by one for each full window of responses). Congestion halves it.
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

  /** Load as a multiple of the window: requests in progress or waiting, divided by the limit. */
  get load(): number {
    return (this.#active + this.#queue.size) / this.limit;
  }

  /** Waits for admission. The caller must call `leave` afterwards. */
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
   * Halves the window, but only once for all requests that were in progress together.
   *
   * @param startedAt when the request started, on the monotonic clock
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
