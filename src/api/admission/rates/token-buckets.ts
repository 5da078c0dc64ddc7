import type { Clock } from "../../../lib/async/clock.ts";

/**
 * The clients with the newest requests are remembered: at least this many, and at most twice as many, which
 * take about 4 MB. All others start over with a full bucket.
 */
const REMEMBERED_CLIENTS = 10_000;

/** Maximum number of tokens in a bucket, and the number of tokens that it gains per second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

export interface BucketState {
  tokens: number;
  nextInMs: number;
  fullInMs: number;
}

/**
 * One bucket of tokens per client. Only the time at which a bucket will be full again is stored.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  /**
   * Monotonic time at which each client's bucket is full again. Clients of new requests are in `#recent`.
   * When it is full, it replaces `#earlier`, so that no request has to search for a client to forget.
   */
  #recent = new Map<string, number>();
  #earlier = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a token from the client's bucket; returns false if it is empty. */
  take(client: string, { burst, perSecond }: Rate): boolean {
    const now = this.#clock.monotonic();
    const tokenMs = 1000 / perSecond;
    const before = Math.max(now, this.#fullAt(client));
    const isAccepted = before + tokenMs - now <= burst * tokenMs;
    // A client whose requests are rejected must not be forgotten either.
    this.#remember(client, isAccepted ? before + tokenMs : before);
    return isAccepted;
  }

  /** Returns the tokens in the client's bucket, and the times until it has a token and until it is full. */
  stateOf(client: string, { burst, perSecond }: Rate): BucketState {
    const fullInMs = Math.max(0, this.#fullAt(client) - this.#clock.monotonic());
    return {
      tokens: Math.max(0, Math.floor(burst - (fullInMs * perSecond) / 1000)),
      nextInMs: Math.max(0, fullInMs - ((burst - 1) * 1000) / perSecond),
      fullInMs,
    };
  }

  #fullAt(client: string): number {
    return this.#recent.get(client) ?? this.#earlier.get(client) ?? 0;
  }

  #remember(client: string, fullAt: number): void {
    this.#recent.set(client, fullAt);
    if (this.#recent.size < REMEMBERED_CLIENTS) return;
    this.#earlier = this.#recent;
    this.#recent = new Map();
  }
}
