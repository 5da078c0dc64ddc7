import type { Clock } from "../../lib/async/clock.ts";
import { WaitQueue } from "../../lib/async/wait-queue.ts";

/**
 * A batch has at most a quarter of the calls of one second, so that a provider that counts by the second
 * never counts many more than the rate.
 */
const BATCHES_PER_SECOND = 4;

/**
 * Keeps the calls to an endpoint below a rate. Each batch waits until the rate has room for the one before.
 * The smallest batch may overtake one other: a request for the head must not wait for the history, but
 * requests for heads must not take the whole rate either.
 */
export class CallPace {
  /** Maximum number of calls in one batch: even if possible, for a block and its receipts. */
  readonly maxBatchCalls: number;
  readonly #callMs: number;
  readonly #clock: Clock;
  /** Waiting batches, by their number of calls. */
  readonly #queue: WaitQueue<void, number>;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  /** Whether the last batch came before older ones. */
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

  /** How long a single call waits at most for others. */
  get longestWaitMs(): number {
    return this.#callMs === 0 ? 0 : 2 * this.maxBatchCalls * this.#callMs;
  }

  /** Resolves when the calls may be sent. */
  async enter(calls: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#callMs === 0) return;
    if (this.#queue.size === 0 && this.#clock.monotonic() >= this.#nextMs) return this.#count(calls);
    const turn = this.#queue.wait(calls, { signal });
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
      const next = this.#hasOvertaken ? oldest : this.#queue.next((calls) => calls);
      if (next === undefined) return;
      this.#hasOvertaken = next !== oldest;
      this.#count(next.tag);
      next.serve();
      this.#schedule();
    });
  }
}
