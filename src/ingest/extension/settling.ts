import type { Clock } from "../../lib/async/clock.ts";

/**
 * Maximum time for which the copy may fall behind while it settles. If it fell further behind, it would
 * commit the rows of a long time at once, and a power loss could destroy them, although the chain committed
 * their blocks long ago.
 */
const MAX_LAG_MS = 30_000;

/** Measures for how long a copy has followed its chain. */
export class Settling {
  readonly #settleMs: number;
  readonly #clock: Clock;
  #sinceMs = 0;
  #nearMs = Number.NEGATIVE_INFINITY;

  constructor(settleMs: number, clock: Clock) {
    this.#settleMs = settleMs;
    this.#clock = clock;
  }

  /**
   * Records that the copy is near the newest block of the chain. `isNew` means that it has just reached it,
   * `isOver` that it has followed the chain for long enough.
   */
  near(): { isNew: boolean; isOver: boolean } {
    const now = this.#clock.monotonic();
    const isNew = now - this.#nearMs > MAX_LAG_MS;
    if (isNew) this.#sinceMs = now;
    this.#nearMs = now;
    return { isNew, isOver: now - this.#sinceMs >= this.#settleMs };
  }
}
