import type { Chain } from "../../chains/chain.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { BlockRef } from "../../schema/block.ts";
import { type DueWindow, dueWindow, nextPoll, type Sighting } from "./due-window.ts";
import type { QuickPollBudget } from "./quick-poll-budget.ts";

/** A head, with the time in its header (Unix seconds) if the endpoint sent it. */
export interface TimedHead extends BlockRef {
  timestamp: number | null;
}

/**
 * Maximum number of heads to remember: with more, a change in the chain's rhythm would be noticed too late.
 */
const MAX_SIGHTINGS = 17;

/** Maximum uncertainty about when a block became available, in block times. */
const MAX_DOUBT = 1 / 3;

/**
 * Decides when to request the head if no endpoint announces it. If blocks are regular, waits until the next
 * one is due and then polls quickly, within the budget. Otherwise polls at the given interval.
 */
export class HeadPolling {
  readonly #chain: Chain;
  readonly #clock: Clock;
  readonly #budget: QuickPollBudget;
  /** The last new heads, in ascending order. */
  readonly #sightings: Sighting[] = [];
  #window: DueWindow | null = null;
  #sentMs = Number.NEGATIVE_INFINITY;
  /** Earliest time at which the next block is likely to have become available. */
  #earliestMs = Number.NEGATIVE_INFINITY;
  /** Maximum time for which the head may already have been available before the request. */
  #doubtMs = Number.POSITIVE_INFINITY;

  constructor(chain: Chain, clock: Clock, budget: QuickPollBudget) {
    this.#chain = chain;
    this.#clock = clock;
    this.#budget = budget;
  }

  /** Must be called before a head request. If the head was announced, it has just become available. */
  requesting(isAnnounced: boolean): void {
    const nowMs = this.#clock.monotonic();
    this.#doubtMs = isAnnounced ? 0 : nowMs - Math.max(this.#sentMs, this.#earliestMs);
    this.#sentMs = nowMs;
  }

  /**
   * Must be called with the result of a head request. A head that is not higher is not a new block: an
   * endpoint lags, or a reorg replaced blocks in the same slots. A head below all remembered heads belongs to
   * another chain, or its endpoint is far behind, so the remembered heads are dropped.
   */
  found({ number, timestamp }: TimedHead): void {
    const [oldest, last] = [this.#sightings.at(0), this.#sightings.at(-1)];
    if (oldest !== undefined && number < oldest.number) this.#sightings.length = 0;
    else if (last !== undefined && number <= last.number) return;
    if (timestamp !== null) this.#sightings.push({ number, timestamp, availableMs: this.#availableMs() });
    if (this.#sightings.length > MAX_SIGHTINGS) this.#sightings.shift();
    this.#window = dueWindow(this.#sightings);
  }

  /**
   * Returns how many milliseconds to wait before the next request.
   *
   * @param pollMs the wait on a chain whose blocks are irregular
   */
  waitMs(pollMs: number): number {
    const window = this.#window;
    this.#earliestMs = Number.NEGATIVE_INFINITY;
    if (window === null) return pollMs;
    const nowMs = this.#clock.monotonic();
    const poll = nextPoll(window, {
      ...{ nowMs, sentMs: this.#sentMs, pollMs, maxSleepMs: this.#chain.blockTimeMs },
      polls: this.#budget.available(),
    });
    if (poll === null) return pollMs;
    if (poll.isFirst) this.#earliestMs = poll.atMs - window.intervalMs;
    const delayMs = Math.max(0, poll.atMs - nowMs);
    return Math.max(delayMs, Math.min(pollMs, delayMs + this.#budget.waitMs(delayMs)));
  }

  /**
   * Returns the estimated time at which the head became available. Returns null after a gap or a slow
   * response, because the block may have appeared at any time in between.
   */
  #availableMs(): number | null {
    const tookMs = this.#clock.monotonic() - this.#sentMs;
    if (this.#doubtMs + tookMs > MAX_DOUBT * this.#chain.blockTimeMs) return null;
    return this.#sentMs - this.#doubtMs / 2;
  }
}
