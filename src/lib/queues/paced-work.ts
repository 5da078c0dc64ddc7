import { setImmediate as nextIteration } from "node:timers/promises";

/** Shortest and longest time for which work runs before other work of the event loop gets its turn. */
const SHORTEST_SLICE_MS = 5;
const LONGEST_SLICE_MS = 50;

/** Maximum number of pieces of work that wait. If there are more, the oldest is completed at once. */
const MAX_WAITING = 100;

/**
 * Runs work in order and in slices, so that long work does not delay everything else on the event loop. Each
 * slice takes as long as the other work since the previous one, within bounds, so this work has about half of
 * the time however much else there is. Short work is completed at once if nothing waits before it.
 */
export class PacedWork {
  readonly #nowMs: () => number;
  readonly #pause: () => Promise<unknown>;
  /** Each takes its next step when it is called, and returns false if there was none. */
  readonly #waiting: (() => boolean)[] = [];
  #isRunning = false;

  constructor(nowMs: () => number = () => performance.now(), pause: () => Promise<unknown> = nextIteration) {
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  /** @param step does a part of the work, which must be short, and must neither fail nor add work */
  add<T>(items: readonly T[], step: (item: T) => void): void {
    const left = items.values();
    this.#waiting.push(() => {
      const { done, value } = left.next();
      if (!done) step(value);
      return !done;
    });
    while (this.#waiting.length > MAX_WAITING) this.#runOldest(Number.POSITIVE_INFINITY);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let sliceMs = SHORTEST_SLICE_MS; ; ) {
        const endsAtMs = this.#nowMs() + sliceMs;
        while (this.#waiting.length > 0 && this.#nowMs() < endsAtMs) this.#runOldest(endsAtMs);
        if (this.#waiting.length === 0) return;
        const pausedAtMs = this.#nowMs();
        await this.#pause();
        sliceMs = Math.min(LONGEST_SLICE_MS, Math.max(SHORTEST_SLICE_MS, this.#nowMs() - pausedAtMs));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Runs the oldest work until it is complete or the time has come. */
  #runOldest(endsAtMs: number): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    while (this.#nowMs() < endsAtMs) {
      if (next()) continue;
      this.#waiting.shift();
      return;
    }
  }
}
