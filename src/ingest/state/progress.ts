import type { Block } from "../../schema/block.ts";
import type { BlockRange } from "../../sources/source.ts";
import { countLogs } from "./index-counters.ts";

/** The progress of indexing, after each commit. */
export interface Progress {
  /** Newest committed block. */
  block: number;
  /** First and last block of the range being indexed. */
  from: number;
  target: number;
  blocksPerSecond: number;
  logsPerSecond: number;
  /** Seconds until the target at the current rate; null while there is no rate. */
  etaSeconds: number | null;
}

/** Rates are averages over this time: short enough to follow a change, long enough not to fluctuate. */
const WINDOW_MS = 10_000;

interface Sample {
  atMs: number;
  blocks: number;
  logs: number;
}

/** Measures how many blocks and logs are committed per second, over the last `WINDOW_MS`. */
export class ProgressMeter {
  #samples: Sample[] = [];
  readonly #startedMs: number;

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  /** Adds committed blocks and returns the progress through the range. */
  addCommit(blocks: readonly Block[], { from, to: target }: BlockRange, nowMs: number): Progress {
    this.#samples = this.#samples.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
    this.#samples.push({ atMs: nowMs, blocks: blocks.length, logs: countLogs(blocks) });
    const seconds = Math.min(WINDOW_MS, Math.max(1, nowMs - this.#startedMs)) / 1000;
    const rate = (field: "blocks" | "logs") =>
      this.#samples.reduce((sum, sample) => sum + sample[field], 0) / seconds;
    const block = blocks.at(-1)?.number ?? from;
    const blocksPerSecond = rate("blocks");
    const etaSeconds = blocksPerSecond > 0 ? (target - block) / blocksPerSecond : null;
    return { block, from, target, blocksPerSecond, logsPerSecond: rate("logs"), etaSeconds };
  }
}
