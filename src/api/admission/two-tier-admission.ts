import { BaseError } from "../../lib/error.ts";
import { type Asker, type Line, Turnstile } from "./fair-queue.ts";

interface LaneLimits {
  /** How many long tasks run at once. */
  long: number;
  /** How many run besides, each for `quickMs` at most. */
  quick: number;
  quickMs: number;
  waiting: number;
  waitMs: number;
}

/**
 * Keeps places for quick tasks that no slow one can hold. Nobody knows before how long a task takes: so each begins
 * in the quick lane. When its time there is up, it goes on in the long lane if that has a free place; otherwise it is
 * stopped, and begins again when there is one.
 */
export class QueryLanes implements Line {
  readonly #quick: Turnstile;
  readonly #long: Turnstile;
  readonly #quickMs: number;

  constructor({ long, quick, quickMs, waiting, waitMs }: LaneLimits) {
    this.#quick = new Turnstile({ running: quick, waiting, waitMs });
    this.#long = new Turnstile({ running: long, waiting, waitMs });
    this.#quickMs = quickMs;
  }

  get running(): number {
    return this.#quick.running + this.#long.running;
  }

  get waiting(): number {
    return this.#quick.waiting + this.#long.waiting;
  }

  get refused(): number {
    return this.#quick.refused + this.#long.refused;
  }

  async run<T>(asker: Asker, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#quick.enter(asker);
    let lane = this.#quick;
    const stop = new AbortController();
    const moveOver = () => {
      if (!this.#long.tryEnter(asker)) return stop.abort(new TakesLong());
      lane.leave(asker);
      lane = this.#long;
    };
    const timer = setTimeout(moveOver, this.#quickMs);
    try {
      return await task(AbortSignal.any([asker.signal, stop.signal]));
    } catch (error) {
      if (!stop.signal.aborted || asker.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      lane.leave(asker);
    }
    return this.#long.run(asker, task);
  }
}

class TakesLong extends BaseError {
  constructor() {
    super("busy", "The query takes long, and waits for others that do.", { retryable: true });
  }
}
