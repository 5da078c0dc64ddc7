import { type EventLoopUtilization, performance } from "node:perf_hooks";
import type { Clock } from "../../lib/async/clock.ts";

/** Load of a process, as shares of one processor core. */
export interface Load {
  /** How much of the time the event loop was busy, from 0 to 1. */
  eventLoop: number;
  /** Processor time of all threads; may be above 1. */
  cpu: number;
}

/** Shortest period over which a load is measured. A page that polls more often gets the same load again. */
const PERIOD_MS = 2_000;

/** Longest period over which a load is measured: an average over a longer one would hide what happens now. */
const MAX_PERIOD_MS = 10_000;

interface Sample {
  atMs: number;
  eventLoop: EventLoopUtilization;
  cpuMicroseconds: number;
}

/** How busy this process was between two reports. */
export class RecentLoad {
  readonly #clock: Clock;
  #sample: Sample;
  #load: Load | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sample = this.#now();
  }

  /**
   * Returns the newest load; null if the previous report was too long ago. In that case, the next report has
   * a load again.
   */
  current(): Load | null {
    const before = this.#sample;
    const elapsedMs = this.#clock.monotonic() - before.atMs;
    if (elapsedMs < PERIOD_MS) return this.#load;
    this.#sample = this.#now();
    this.#load = elapsedMs > MAX_PERIOD_MS ? null : this.#since(before, elapsedMs);
    return this.#load;
  }

  #since(before: Sample, elapsedMs: number): Load {
    return {
      eventLoop: performance.eventLoopUtilization(this.#sample.eventLoop, before.eventLoop).utilization,
      cpu: (this.#sample.cpuMicroseconds - before.cpuMicroseconds) / 1000 / elapsedMs,
    };
  }

  #now(): Sample {
    const { user, system } = process.cpuUsage();
    return {
      atMs: this.#clock.monotonic(),
      eventLoop: performance.eventLoopUtilization(),
      cpuMicroseconds: user + system,
    };
  }
}
