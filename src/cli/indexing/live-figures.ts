import type { Registry } from "prom-client";
import { REQUESTS_METRIC, RUNNING_METRIC } from "../../api/telemetry/http-metrics.ts";
import type { Indexer } from "../../ingest/indexer.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { ChainStore } from "../../storage/store.ts";

/**
 * Figures of a process that indexes and serves. Rates are averages over the last ten seconds or, if reads are
 * rare, since the last read.
 */
export interface Figures {
  /** Newest indexed block; null if there is none yet. */
  block: number | null;
  /** Blocks behind the head; null while it is unknown. */
  lag: number | null;
  blocksPerSecond: number;
  tradesPerSecond: number;
  requestsPerSecond: number;
  runningQueries: number;
  memoryBytes: number;
}

/**
 * Time over which rates are averaged: short enough to follow changes, and long enough that rates do not jump
 * with each block.
 */
const WINDOW_MS = 10_000;

interface Watched {
  indexer: Pick<Indexer, "state" | "counters">;
  chainStore: Pick<ChainStore, "committed">;
  metrics: Registry;
}

interface Sample {
  atMs: number;
  blocks: number;
  trades: number;
  requests: number;
}

/** Reads the figures of this process. Rates follow from the differences between reads. */
export class LiveFigures {
  readonly #watched: Watched;
  readonly #clock: Clock;
  #samples: Sample[] = [];

  constructor(watched: Watched, clock: Clock = systemClock) {
    this.#watched = watched;
    this.#clock = clock;
  }

  async read(): Promise<Figures> {
    const { indexer, chainStore, metrics } = this.#watched;
    const { blocks, trades } = indexer.counters;
    const now: Sample = {
      atMs: this.#clock.monotonic(),
      blocks,
      trades,
      requests: await sumOf(metrics, REQUESTS_METRIC),
    };
    this.#samples = [...sinceWindow(this.#samples, now.atMs - WINDOW_MS), now];
    const then = this.#samples[0] ?? now;
    const seconds = Math.max(1, (now.atMs - then.atMs) / 1000);
    const rate = (field: "blocks" | "trades" | "requests") => (now[field] - then[field]) / seconds;
    const block = (await chainStore.committed())?.blockNumber ?? null;
    const { head } = indexer.state;
    return {
      block,
      lag: block === null || head === null ? null : Math.max(0, head - block),
      blocksPerSecond: rate("blocks"),
      tradesPerSecond: rate("trades"),
      requestsPerSecond: rate("requests"),
      runningQueries: await sumOf(metrics, RUNNING_METRIC),
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}

/**
 * Returns the samples in the window and the newest one before it, because the window may have no sample if
 * reads are rare.
 */
function sinceWindow(samples: readonly Sample[], beginMs: number): Sample[] {
  const newestBefore = samples.findLastIndex(({ atMs }) => atMs <= beginMs);
  return samples.slice(Math.max(0, newestBefore));
}

async function sumOf(metrics: Registry, name: string): Promise<number> {
  const figure = await metrics.getSingleMetric(name)?.get();
  return figure?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

/** Formats the figures as one line: `block 209 · at the head · 0.5 blocks/s · …`. */
export function figuresText(figures: Figures): string {
  const { block, lag, blocksPerSecond, tradesPerSecond, requestsPerSecond } = figures;
  return [
    block === null ? "no block yet" : `block ${block}`,
    lag === null ? "head unknown" : lag === 0 ? "at the head" : `${lag} behind`,
    `${blocksPerSecond.toFixed(1)} blocks/s`,
    `${tradesPerSecond.toFixed(1)} trades/s`,
    `${requestsPerSecond.toFixed(1)} requests/s, ${figures.runningQueries} running`,
    `${Math.round(figures.memoryBytes / 2 ** 20)} MiB`,
  ].join(" · ");
}
