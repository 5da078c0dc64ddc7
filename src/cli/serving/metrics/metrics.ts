import { Counter, collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import type { IndexingState } from "../../../api/endpoint/endpoint.ts";
import type { IndexCounters, Indexer } from "../../../ingest/indexer.ts";
import { DEEP_BLOCKS } from "../../../ingest/state/index-counters.ts";
import { blockAges } from "../../../lib/ages/block-ages.ts";
import { systemClock } from "../../../lib/async/clock.ts";
import { sharedWhileRunning } from "../../../lib/async/shared-while-running.ts";
import type { ReadableChain } from "../../../reads/snapshot/snapshot.ts";
import type { EndpointStatus, RpcSource } from "../../../sources/rpc-source.ts";
import { isExchanging } from "../../../storage/commits/commit-log.ts";
import { freeBytes } from "../../../storage/directory/disk-space.ts";
import type { Commit } from "../../../storage/store.ts";

/** An indexer of this process and the sources of its metrics. */
export interface MeasuredIndexer {
  chain: { name: string };
  indexer: Pick<Indexer, "counters" | "ages">;
  source: Pick<RpcSource, "endpoints">;
}

const START_METRIC = "process_start_time_seconds";

/** Measures this process: memory, CPU time, event loop, garbage collection. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  // With workers, the metric is the newest start time, so that it changes whenever one of them restarts.
  Object.assign(registry.getSingleMetric(START_METRIC) ?? {}, { aggregator: "max" });
}

/**
 * Measures the free space on the disk of the data directory. Does nothing if `directory` is null, because a
 * server then holds the tables.
 */
export function measureDisk(directory: string | null, registry: Registry): void {
  if (directory === null) return;
  new Gauge({
    name: "quarry_disk_free_bytes",
    help: "Free space on the disk of the data directory; indexing pauses below --disk-reserve",
    registers: [registry],
    async collect() {
      const free = await freeBytes(directory).catch(() => null);
      if (free === null) this.reset();
      else this.set(free);
    },
  });
}

/**
 * Measures how far each chain is indexed. The indexer's metrics are absent for a chain without an indexer in
 * this process.
 */
export function measureChains(
  chains: readonly ReadableChain[],
  indexing: (chain: string) => IndexingState | null,
  registry: Registry,
): void {
  // All gauges are collected at once, so one read of the store serves them all.
  const read = sharedWhileRunning(() => Promise.all(chains.map((chain) => stateOf(chain, indexing))));
  measureOpenings(read, registry);
  for (const [name, { help, value }] of Object.entries(CHAIN_GAUGES)) {
    new Gauge({
      name: `quarry_${name}`,
      help,
      labelNames: ["chain"],
      registers: [registry],
      async collect() {
        this.reset();
        for (const state of await read()) {
          const known = value(state);
          if (known !== null) this.set({ chain: state.chain }, known);
        }
      },
    });
  }
}

interface ChainState {
  chain: string;
  /** Null while nothing is indexed, and while the engine does not respond. */
  commit: Commit | null;
  /** Null if no indexer runs. */
  state: IndexingState | null;
}

const CHAIN_GAUGES: Record<string, { help: string; value(state: ChainState): number | null }> = {
  head_block: {
    help: "Newest block of the chain reported by an endpoint",
    value: ({ state }) => state?.head ?? null,
  },
  first_block: {
    help: "First indexed block; responses are complete from this block on",
    value: ({ commit }) => (commit === null || isExchanging(commit) ? null : commit.firstBlock),
  },
  indexed_block: { help: "Newest indexed block", value: ({ commit }) => commit?.blockNumber ?? null },
  finalized_block: {
    help: "Newest final block",
    value: ({ state, commit }) => state?.finalized ?? commit?.finalized ?? null,
  },
  indexed_timestamp_seconds: {
    help: "Time of the newest indexed block",
    value: ({ commit }) => commit?.timestamp ?? null,
  },
  lag_blocks: {
    help: "Newest block of the chain minus newest indexed block",
    value: ({ state, commit }) =>
      commit === null || state === null || state.head === null
        ? null
        : Math.max(0, state.head - commit.blockNumber),
  },
  lag_seconds: {
    help: "Age of the newest indexed block",
    value: ({ commit }) => commit && Math.max(0, systemClock.now() / 1000 - commit.timestamp),
  },
  extension_first_block: {
    help: "First block that the chain will have after the extension in progress; absent without an extension",
    value: ({ state }) => state?.extension?.from ?? null,
  },
  extension_block: {
    help: "Newest block of the extension's hidden copy, which replaces the chain once it reaches the newest block",
    value: ({ state }) => state?.extension?.block ?? null,
  },
  extension_seconds_left: {
    help: "Estimated time until the hidden copy replaces the chain",
    value: ({ state }) => state?.extension?.etaSeconds ?? null,
  },
  outage: {
    help: "1 while no RPC endpoint of the chain is usable, otherwise 0",
    value: ({ state }) => state && (state.outage === null ? 0 : 1),
  },
  indexing_stalled: {
    help: "1 while no block has been indexed for longer than --stall-after, or the disk is full, otherwise 0",
    value: ({ state }) => state && (state.stalled === null ? 0 : 1),
  },
};

const OPENING_GAUGE = {
  name: "quarry_opening_balances",
  help: "Balances before the first block, by state of the search (--opening-balances)",
  labelNames: ["chain", "state"],
};

const OPENING_STATES = ["reading", "waiting", "confirmed", "rejected", "unapplied"] as const;

/**
 * Measures the search for balances before the first block. The metric is absent for chains without a search.
 */
function measureOpenings(read: () => Promise<ChainState[]>, registry: Registry): void {
  new Gauge({
    ...OPENING_GAUGE,
    registers: [registry],
    async collect() {
      this.reset();
      for (const { chain, state } of await read()) {
        if (state?.openings == null) continue;
        for (const name of OPENING_STATES) this.set({ chain, state: name }, state.openings[name]);
      }
    },
  });
}

async function stateOf(
  { chain, store }: ReadableChain,
  indexing: (chain: string) => IndexingState | null,
): Promise<ChainState> {
  // A failing engine must not hide the other metrics, which may explain the failure.
  const commit = await store.committed().catch(() => null);
  return { chain: chain.name, commit, state: indexing(chain.name) };
}

/** Measures the work of an indexer and the health of its endpoints. */
export function measureIndexer(
  { chain: { name: chain }, indexer, source }: MeasuredIndexer,
  registry: Registry,
): void {
  const ages = blockAges(registry);
  indexer.ages.onAge = (stage, age) => ages.observe({ chain, stage }, age);
  for (const [key, { name, help, type }] of Object.entries(INDEXER_FIGURES)) {
    const Figure = type === "counter" ? Counter : Gauge;
    new Figure({
      name,
      help,
      labelNames: ["chain"],
      registers: [registry],
      collect() {
        this.reset();
        this.inc({ chain }, indexer.counters[key as keyof IndexCounters]);
      },
    });
  }
  for (const { name, help, type, value } of ENDPOINT_FIGURES) {
    const Figure = type === "counter" ? Counter : Gauge;
    new Figure({
      name,
      help,
      labelNames: ["chain", "endpoint"],
      registers: [registry],
      collect() {
        this.reset();
        for (const status of distinctlyNamed(source.endpoints())) {
          const known = value(status);
          if (known !== null) this.inc({ chain, endpoint: status.url }, known);
        }
      },
    });
  }
}

interface Figure {
  name: string;
  help: string;
  type: "counter" | "gauge";
}

const INDEXER_FIGURES: Record<keyof IndexCounters, Figure> = {
  commits: { name: "quarry_commits_total", help: "Committed batches of blocks", type: "counter" },
  blocks: { name: "quarry_committed_blocks_total", help: "Committed blocks", type: "counter" },
  logs: { name: "quarry_committed_logs_total", help: "Committed logs", type: "counter" },
  trades: { name: "quarry_committed_trades_total", help: "Committed trades", type: "counter" },
  swapsLeftOut: {
    name: "quarry_swaps_left_out_total",
    help: "Swaps that did not become trades, because their singleton pool is older than the index and its key has not been found yet",
    type: "counter",
  },
  commitSeconds: { name: "quarry_commit_seconds_total", help: "Time spent in commits", type: "counter" },
  rollbacks: { name: "quarry_rollbacks_total", help: "Rollbacks caused by reorgs", type: "counter" },
  rolledBackBlocks: {
    name: "quarry_rolled_back_blocks_total",
    help: "Blocks rolled back by reorgs",
    type: "counter",
  },
  deepestRollback: {
    name: "quarry_deepest_rollback_blocks",
    help: "Most blocks rolled back by one reorg",
    type: "gauge",
  },
  deepRollbacks: {
    name: "quarry_deep_rollbacks_total",
    help: `Rollbacks of more than ${DEEP_BLOCKS} blocks`,
    type: "counter",
  },
  rollbackSeconds: {
    name: "quarry_rollback_seconds_total",
    help: "Time spent in rollbacks",
    type: "counter",
  },
  pauses: {
    name: "quarry_indexing_pauses_total",
    help: "Indexing pauses after a temporary failure",
    type: "counter",
  },
};

const ENDPOINT_FIGURES: readonly (Figure & { value(status: EndpointStatus): number | null })[] = [
  {
    name: "quarry_endpoint_requests_total",
    help: "HTTP requests sent to an RPC endpoint",
    type: "counter",
    value: ({ requests }) => requests,
  },
  {
    name: "quarry_endpoint_failures_total",
    help: "Failed requests to an RPC endpoint",
    type: "counter",
    value: ({ failures }) => failures,
  },
  {
    name: "quarry_endpoint_timeouts_total",
    help: "Requests that timed out",
    type: "counter",
    value: ({ timeouts }) => timeouts,
  },
  {
    name: "quarry_endpoint_rate_limited_total",
    help: "Requests rejected by a rate limit",
    type: "counter",
    value: ({ rateLimited }) => rateLimited,
  },
  {
    name: "quarry_endpoint_lies_total",
    help: "Blocks from an RPC endpoint that contradicted their own header, and announced heads that did not exist",
    type: "counter",
    value: ({ lies }) => lies,
  },
  {
    name: "quarry_endpoint_missing_total",
    help: "Blocks and receipts that an RPC endpoint did not have, although it had reported a head at or above them",
    type: "counter",
    value: ({ missing }) => missing,
  },
  {
    name: "quarry_endpoint_latency_seconds",
    help: "Moving average of an RPC endpoint's response time",
    type: "gauge",
    value: ({ latencyMs }) => latencyMs && latencyMs / 1000,
  },
  {
    name: "quarry_endpoint_avoided_until_seconds",
    help: "Unix time until which other RPC endpoints are preferred; 0 while this one is healthy",
    type: "gauge",
    value: ({ avoidedUntil }) => avoidedUntil ?? 0,
  },
];

/**
 * Returns the endpoints with unique URLs, which serve as labels, because each series needs its own label.
 * URLs of one provider that differ only in their keys look the same without the keys.
 */
function distinctlyNamed(endpoints: readonly EndpointStatus[]): EndpointStatus[] {
  return endpoints.map((status, i) => {
    const before = endpoints.slice(0, i).filter(({ url }) => url === status.url).length;
    return before === 0 ? status : { ...status, url: `${status.url} (${before + 1})` };
  });
}
