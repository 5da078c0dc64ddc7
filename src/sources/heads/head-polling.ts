import type { Chain } from "../../chains/chain.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { BlockRef } from "../../schema/block.ts";
import { type DueWindow, dueWindow, nextPollMs, type Sighting } from "./due-window.ts";
import type { QuickPollBudget } from "./quick-poll-budget.ts";

/** A head, with the time in its header (unix seconds) if the endpoint sent it. */
export interface TimedHead extends BlockRef {
  timestamp: number | null;
}

/** More would keep the rhythm of minutes ago, on a chain that has changed it. */
const MAX_SIGHTINGS = 17;

/**
 * Decides when to request the head without announcements. Where blocks come regularly, it waits until the
 * next one is due and then polls quickly, within the budget; elsewhere it polls at the given interval.
 */
export class HeadPolling {
  readonly #chain: Chain;
  readonly #clock: Clock;
  readonly #budget: QuickPollBudget;
  readonly #sightings: Sighting[] = [];
  #window: DueWindow | null = null;
  #sentMs = 0;
  /** A head in the next response may have been available this long before. */
  #doubtMs = 0;
  /** Longest time for which the request before can rule a block out. */
  #intervalMs: number;

  constructor(chain: Chain, clock: Clock, budget: QuickPollBudget) {
    this.#chain = chain;
    this.#clock = clock;
    this.#budget = budget;
    this.#intervalMs = budget.intervalMs;
  }

  /** Call it before a head request. An announced head has just become available. */
  requesting(isAnnounced: boolean): void {
    const nowMs = this.#clock.monotonic();
    this.#doubtMs = isAnnounced ? 0 : Math.min(nowMs - this.#sentMs, this.#intervalMs);
    this.#sentMs = nowMs;
  }

  /** Call it with the result of a head request. */
  found({ number, timestamp }: TimedHead): void {
    const last = this.#sightings.at(-1);
    // A reorg to a shorter chain, or an endpoint that lags: what comes now is no new block.
    if (last !== undefined && number < last.number) this.#sightings.length = 0;
    // After a retry, the block may have appeared at any time in between.
    const isSlow = this.#clock.monotonic() - this.#sentMs > this.#budget.intervalMs;
    if (timestamp !== null && !isSlow && number !== last?.number) {
      this.#sightings.push({ number, timestamp, seenMs: this.#sentMs, doubtMs: this.#doubtMs });
      if (this.#sightings.length > MAX_SIGHTINGS) this.#sightings.shift();
    }
    this.#window = dueWindow(this.#sightings);
  }

  /**
   * Milliseconds to wait before the next request.
   *
   * @param pollMs the wait on a chain whose blocks come irregularly
   */
  waitMs(pollMs: number): number {
    const window = this.#window;
    this.#intervalMs = this.#budget.intervalMs;
    if (window === null || window.intervalMs >= this.#budget.intervalMs) return pollMs;
    const nowMs = this.#clock.monotonic();
    const nextMs = nextPollMs(window, {
      ...{ nowMs, sentMs: this.#sentMs, pollMs, maxSleepMs: this.#chain.blockTimeMs },
      polls: this.#budget.available(),
    });
    const delayMs = Math.max(0, nextMs - nowMs);
    if (nextMs === window.opensMs) this.#intervalMs = window.intervalMs;
    return Math.max(delayMs, Math.min(pollMs, delayMs + this.#budget.waitMs(delayMs)));
  }
}
