import type { Clock } from "../../lib/async/clock.ts";
import { WaitQueue } from "../../lib/queues/wait-queue.ts";

/**
 * A batch has at most the calls that are allowed in a quarter of a second, or a single call. A provider that
 * counts calls per second then never sees many more than the rate allows.
 */
const BATCHES_PER_SECOND = 4;

interface Waiting {
  calls: number;
  isUrgent: boolean;
}

/**
 * Keeps the calls to an endpoint below a rate. Each batch waits as long as the calls of the previous one take
 * at this rate. An urgent batch may overtake others, but not twice in a row: a request for the head must not
 * wait for the history, and requests for heads must not use up the whole rate.
 */
export class CallPace {
  /**
   * Maximum number of calls in one batch: an even number if possible, so that a block and its receipts fit.
   */
  readonly maxBatchCalls: number;
  readonly #callMs: number;
  readonly #clock: Clock;
  readonly #queue: WaitQueue<void, Waiting>;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  /** Whether the last batch overtook older ones. */
  #hasOvertaken = false;

  /** @param callsPerSecond 0: no limit */
  constructor(callsPerSecond: number, clock: Clock) {
    const quarter = callsPerSecond / BATCHES_PER_SECOND;
    this.maxBatchCalls =
      callsPerSecond === 0 ? Number.POSITIVE_INFINITY : Math.max(1, 2 * Math.floor(quarter / 2));
    this.#callMs = callsPerSecond === 0 ? 0 : 1_000 / callsPerSecond;
    this.#clock = clock;
    this.#queue = new WaitQueue(clock);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Longest time that an urgent call waits if no other urgent call is waiting. */
  get longestWaitMs(): number {
    return this.#callMs === 0 ? 0 : 2 * this.maxBatchCalls * this.#callMs;
  }

  /** Resolves when the calls may be sent. */
  async enter(
    calls: number,
    { isUrgent, signal }: { isUrgent: boolean; signal: AbortSignal | undefined },
  ): Promise<void> {
    if (this.#callMs === 0) return;
    if (this.#queue.size === 0 && this.#clock.monotonic() >= this.#nextMs) return this.#count(calls);
    const turn = this.#queue.wait({ calls, isUrgent }, { signal });
    this.#schedule();
    await turn;
  }

  #count(calls: number): void {
    this.#nextMs = this.#clock.monotonic() + calls * this.#callMs;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queue.size === 0) return;
    this.#isScheduled = true;
    this.#clock.after(Math.max(0, this.#nextMs - this.#clock.monotonic()), () => {
      this.#isScheduled = false;
      const oldest = this.#queue.next();
      const next = this.#hasOvertaken ? oldest : this.#queue.next(({ isUrgent }) => (isUrgent ? 0 : 1));
      if (next === undefined) return;
      this.#hasOvertaken = next !== oldest;
      this.#count(next.tag.calls);
      next.serve();
      this.#schedule();
    });
  }
}
