import { withAbort } from "../../lib/abort.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { type AdmissionQueue, type Caller, FairQueue } from "./fair-queue.ts";

interface TierLimits {
  /** Long tasks that run at once. */
  long: number;
  /** Additional running tasks, each for at most `quickMs`. */
  quick: number;
  quickMs: number;
  waiting: number;
  waitMs: number;
}

/**
 * Keeps slots for quick tasks that slow ones cannot hold. How long a task takes is not known in advance, so
 * each starts in the quick tier. After `quickMs` it continues in the long tier if that has a free slot;
 * otherwise it is preempted, and restarts when a slot is free.
 */
export class TwoTierAdmission implements AdmissionQueue {
  readonly #quick: FairQueue;
  readonly #long: FairQueue;
  readonly #quickMs: number;
  readonly #clock: Clock;

  constructor({ long, quick, quickMs, waiting, waitMs }: TierLimits, clock: Clock = systemClock) {
    this.#quick = new FairQueue({ running: quick, waiting, waitMs }, clock);
    this.#long = new FairQueue({ running: long, waiting, waitMs }, clock);
    this.#quickMs = quickMs;
    this.#clock = clock;
  }

  get running(): number {
    return this.#quick.running + this.#long.running;
  }

  get waiting(): number {
    return this.#quick.waiting + this.#long.waiting;
  }

  get rejected(): number {
    return this.#quick.rejected + this.#long.rejected;
  }

  async run<T>(caller: Caller, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#quick.enter(caller);
    let tier = this.#quick;
    const preemption = new AbortController();
    const cancelPromotion = this.#clock.after(this.#quickMs, () => {
      if (!this.#long.tryEnter(caller)) return preemption.abort(new Preempted());
      tier.leave(caller);
      tier = this.#long;
    });
    try {
      return await withAbort([caller.signal, preemption.signal], ({ signal }) => task(signal));
    } catch (error) {
      if (!preemption.signal.aborted || caller.signal.aborted) throw error;
    } finally {
      cancelPromotion();
      tier.leave(caller);
    }
    return this.#long.run(caller, task);
  }
}

class Preempted extends BaseError {
  constructor() {
    super("busy", "The query runs long, and all slots for long queries are taken.", { retryable: true });
  }
}
