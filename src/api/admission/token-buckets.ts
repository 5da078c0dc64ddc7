import type { Clock } from "../../lib/async/clock.ts";

/**
 * Maximum number of stored clients: about 2 MB. Beyond it, the clients that were seen first start over with a
 * full bucket.
 */
const MAX_CLIENTS = 10_000;

/**
 * One bucket of tokens per client: it holds at most `burst` tokens, and gains `rate` of them per second. Only
 * the time at which a bucket will be full again is stored.
 */
export class TokenBuckets {
  readonly #tokenMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Entries by client, in the order in which the clients were first seen. */
  readonly #fullAt = new Map<string, number>();

  constructor(rate: number, burst: number, clock: Clock) {
    this.#tokenMs = 1000 / rate;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes a token from the client's bucket; returns false if it is empty. */
  take(client: string): boolean {
    const now = this.#clock.monotonic();
    const fullAt = Math.max(now, this.#fullAt.get(client) ?? 0) + this.#tokenMs;
    if (fullAt - now > this.#burst * this.#tokenMs) return false;
    this.#fullAt.set(client, fullAt);
    if (this.#fullAt.size > MAX_CLIENTS) this.#forgetSome(now);
    return true;
  }

  /** Returns the tokens in the client's bucket, and the time until it is full. */
  stateOf(client: string): { tokens: number; fullInMs: number } {
    const fullInMs = Math.max(0, (this.#fullAt.get(client) ?? 0) - this.#clock.monotonic());
    return { tokens: Math.floor(this.#burst - fullInMs / this.#tokenMs), fullInMs };
  }

  /** Full buckets need no entry. */
  #forgetSome(now: number): void {
    for (const [client, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(client);
    const [first] = this.#fullAt.keys();
    if (this.#fullAt.size > MAX_CLIENTS && first !== undefined) this.#fullAt.delete(first);
  }
}
