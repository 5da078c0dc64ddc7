import type { Clock } from "../../lib/async/clock.ts";

/**
 * Maximum number of stored clients: about 2 MB. Beyond it, the clients that were seen first start over with a
 * full bucket.
 */
const MAX_CLIENTS = 10_000;

/** Maximum number of tokens in a bucket, and the number of tokens that it gains per second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/**
 * One bucket of tokens per client. Only the time at which a bucket will be full again is stored.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  /**
   * Monotonic time at which each client's bucket is full again, in the order in which the clients were first
   * seen.
   */
  readonly #fullAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a token from the client's bucket; returns false if it is empty. */
  take(client: string, { burst, perSecond }: Rate): boolean {
    const now = this.#clock.monotonic();
    const tokenMs = 1000 / perSecond;
    const fullAt = Math.max(now, this.#fullAt.get(client) ?? 0) + tokenMs;
    if (fullAt - now > burst * tokenMs) return false;
    this.#fullAt.set(client, fullAt);
    if (this.#fullAt.size > MAX_CLIENTS) this.#forgetSome(now);
    return true;
  }

  /** Returns the tokens in the client's bucket, and the time until it is full. */
  stateOf(client: string, { burst, perSecond }: Rate): { tokens: number; fullInMs: number } {
    const fullInMs = Math.max(0, (this.#fullAt.get(client) ?? 0) - this.#clock.monotonic());
    return { tokens: Math.max(0, Math.floor(burst - (fullInMs * perSecond) / 1000)), fullInMs };
  }

  /** Removes full buckets, which need no entry. If there are still too many, removes the oldest one. */
  #forgetSome(now: number): void {
    for (const [client, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(client);
    const [first] = this.#fullAt.keys();
    if (this.#fullAt.size > MAX_CLIENTS && first !== undefined) this.#fullAt.delete(first);
  }
}
