import type { Block } from "../schema/block.ts";

/** How far indexing is, after each commit. */
export interface Progress {
  /** Newest committed block. */
  block: number;
  /** First and last block of the present goal. */
  from: number;
  target: number;
  blocksPerSecond: number;
  logsPerSecond: number;
  /** Seconds until the target at the present rate; null while there is no rate. */
  etaSeconds: number | null;
}

/** Rates are taken over this long: short enough to follow a change, long enough not to jump. */
const WINDOW_MS = 10_000;

interface Sample {
  atMs: number;
  blocks: number;
  logs: number;
}

/** Measures the rate of the last seconds. */
export class ProgressMeter {
  #samples: Sample[] = [];
  readonly #startedMs: number;

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  /** Counts committed blocks and tells where that leads. */
  committed(blocks: readonly Block[], goal: { from: number; target: number; nowMs: number }): Progress {
    const { from, target, nowMs } = goal;
    this.#samples = this.#samples.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
    this.#samples.push({ atMs: nowMs, blocks: blocks.length, logs: logsIn(blocks) });
    const seconds = Math.min(WINDOW_MS, Math.max(1, nowMs - this.#startedMs)) / 1000;
    const rate = (field: "blocks" | "logs") =>
      this.#samples.reduce((sum, sample) => sum + sample[field], 0) / seconds;
    const block = blocks.at(-1)?.number ?? from;
    const blocksPerSecond = rate("blocks");
    const etaSeconds = blocksPerSecond > 0 ? (target - block) / blocksPerSecond : null;
    return { block, from, target, blocksPerSecond, logsPerSecond: rate("logs"), etaSeconds };
  }
}

export function logsIn(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, block) => sum + block.transactions.reduce((logs, transaction) => logs + transaction.logs.length, 0),
    0,
  );
}
