import { withAbort } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import {
  type AdmissionQueue,
  type Caller,
  FairQueue,
  type FairQueueLimits,
  type QueuedTask,
  type QueueState,
  TakenSlot,
} from "./fair-queue.ts";
import { SlowWork } from "./slow-work.ts";

/**
 * Use of the quick tier that a slow task counts as. While clients keep all slots busy with slow tasks, even a
 * quick task takes almost a second, so the time in a slot does not show which client delays the others.
 */
const SLOW_TASK_MS = 60_000;

interface TierLimits extends Omit<FairQueueLimits, "running"> {
  /** Maximum number of long tasks that run at once. */
  long: number;
  /** Maximum number of additional running tasks, each for at most `quickMs`. */
  quick: number;
  quickMs: number;
}

/**
 * Reserves slots for quick tasks, so that slow tasks cannot take all of them. How long a task takes is not
 * known in advance, so each starts in the quick tier. After `quickMs` it continues in the long tier if that
 * has a free slot; otherwise it is preempted, and restarts when a slot is free. From then on, tasks of the
 * same kind and client start in the long tier, until one of these tasks is quick.
 *
 * A task that stops late also starts in the long tier, because a quick one could not take its slot in time.
 * One of these runs at a time: several that have been stopped would occupy all slots, and memory.
 */
export class TwoTierAdmission implements AdmissionQueue {
  readonly #quick: FairQueue;
  readonly #long: FairQueue;
  /** Tasks that stop late. The running one also has a slot of the long tier. */
  readonly #late: FairQueue;
  readonly #quickMs: number;
  readonly #clock: Clock;
  readonly #slow: SlowWork;

  constructor({ long, quick, quickMs, ...limits }: TierLimits, clock: Clock = systemClock) {
    this.#quick = new FairQueue({ ...limits, running: quick }, clock);
    this.#long = new FairQueue({ ...limits, running: long }, clock);
    this.#late = new FairQueue({ ...limits, running: 1, clientShare: 1 }, clock);
    this.#quickMs = quickMs;
    this.#clock = clock;
    this.#slow = new SlowWork(clock);
  }

  get running(): number {
    return this.#quick.running + this.#long.running;
  }

  get waiting(): number {
    return this.#quick.waiting + this.#long.waiting + this.#late.waiting;
  }

  get clients(): number {
    return Math.max(this.#quick.clients, this.#long.clients, this.#late.clients);
  }

  get rejected(): number {
    return this.#quick.rejected + this.#long.rejected + this.#late.rejected;
  }

  get tiers(): Record<"quick" | "long", QueueState> {
    const { state: long } = this.#long;
    const waiting = long.waiting + this.#late.waiting;
    const rejected = long.rejected + this.#late.rejected;
    return { quick: this.#quick.state, long: { ...long, waiting, rejected } };
  }

  async run<T>(caller: Caller, task: QueuedTask<T>): Promise<T> {
    if (caller.stopsLate) return this.#runLate(caller, task);
    if (this.#slow.has(caller)) return this.#runLong(caller, task);
    await this.#quick.enter(caller);
    if (this.#slow.has(caller)) {
      // While this task waited, another of its kind turned out to be slow.
      this.#quick.leave(caller);
      return this.#runLong(caller, task);
    }
    const done = await this.#runQuick(caller, task);
    return done === PREEMPTED ? this.#runLong(caller, task) : done.result;
  }

  async #runQuick<T>(caller: Caller, task: QueuedTask<T>): Promise<{ result: T } | typeof PREEMPTED> {
    let tier = this.#quick;
    const slot = new TakenSlot(caller.client);
    const preemption = new AbortController();
    const cancelPromotion = this.#clock.after(this.#quickMs, () => {
      this.#slow.add(caller);
      this.#quick.charge(caller, SLOW_TASK_MS);
      if (!this.#long.tryEnter(caller)) return preemption.abort(new Preempted());
      tier.leave(caller);
      tier = this.#long;
    });
    try {
      return {
        result: await withAbort([caller.signal, preemption.signal], ({ signal }) => task(signal, slot)),
      };
    } catch (error) {
      if (!preemption.signal.aborted || caller.signal.aborted) throw error;
      return PREEMPTED;
    } finally {
      cancelPromotion();
      slot.free(() => tier.leave(caller));
    }
  }

  #runLate<T>(caller: Caller, task: QueuedTask<T>): Promise<T> {
    return this.#late.run(caller, (_, place) =>
      this.#runLong(caller, (signal, slot) => {
        const keepUntil = (ended: Promise<unknown>) => {
          for (const held of [place, slot]) held.keepUntil(ended);
        };
        return task(signal, { client: slot.client, keepUntil });
      }),
    );
  }

  #runLong<T>(caller: Caller, task: QueuedTask<T>): Promise<T> {
    return this.#long.run(caller, async (signal, slot) => {
      let isQuick = true;
      const cancel = this.#clock.after(this.#quickMs, () => {
        isQuick = false;
      });
      try {
        const result = await task(signal, slot);
        if (isQuick) this.#slow.delete(caller);
        return result;
      } finally {
        cancel();
      }
    });
  }
}

const PREEMPTED = Symbol("preempted");

class Preempted extends BaseError {
  constructor() {
    super("busy", "This is a long query, and all slots for long queries are taken.", { retryable: true });
  }
}
