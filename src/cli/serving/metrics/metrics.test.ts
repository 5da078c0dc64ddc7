import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describedMetrics } from "../../../../test/support/metrics-page.ts";
import type { IndexingState } from "../../../api/endpoint/endpoint.ts";
import { createServer } from "../../../api/http/server.ts";
import { StreamFigures } from "../../../api/streams/stream-metrics.ts";
import { HeadAges } from "../../../ingest/state/head-ages.ts";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { ETH, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { Block } from "../../../schema/block.ts";
import { ServingState } from "../../../serving/serving-state.ts";
import { deliveryCounter, measureWebhooks } from "../../../webhooks/delivery/webhook-metrics.ts";
import { measureAbandoned, measureAddresses, measureMerges } from "./engine-metrics.ts";
import { measureChains, measureDisk, measureIndexer } from "./metrics.ts";
import { measureServing } from "./serving-metrics.ts";

const AT = 1_700_000_000;

let market: Market;

beforeAll(async () => {
  market = await openMarket([1, 2].map((price) => ({ token: hexOf(9), at: AT + price, price })));
});
afterAll(() => market.close());

const STATE: IndexingState = {
  head: 1007,
  finalized: 1000,
  ready: true,
  message: null,
  outage: null,
  stalled: null,
  endpoints: [],
  ages: { seen: null, committed: null },
  rollbacks: { count: 0, deepest: 0, lastAt: null },
  extension: null,
};

const COUNTERS = {
  commits: 4,
  blocks: 40,
  logs: 400,
  trades: 7,
  swapsLeftOut: 6,
  commitSeconds: 1.5,
  rollbacks: 2,
  rolledBackBlocks: 5,
  deepestRollback: 3,
  deepRollbacks: 0,
  rollbackSeconds: 0.25,
  pauses: 1,
};

/** Returns the status of an endpoint. */
function endpoint(url: string, requests: number, latencyMs: number | null) {
  const counts = { requests, failures: 1, lies: 2, rateLimited: 3, timeouts: 4, missing: 5 };
  return { url, ...counts, latencyMs, avoidedUntil: null };
}

async function linesOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

describe("measureChains", () => {
  async function lines(indexing: IndexingState | null, chains = market.chains) {
    const registry = new Registry();
    measureChains(chains, () => indexing, registry);
    return linesOf(registry);
  }

  it("reports the head and the indexed block of a chain", async () => {
    const reported = await lines(STATE);
    expect(reported).toEqual(
      expect.arrayContaining([
        'quarry_head_block{chain="eth"} 1007',
        'quarry_indexed_block{chain="eth"} 1001',
        'quarry_finalized_block{chain="eth"} 1000',
        `quarry_indexed_timestamp_seconds{chain="eth"} ${AT + 2}`,
        'quarry_lag_blocks{chain="eth"} 6',
        'quarry_outage{chain="eth"} 0',
      ]),
    );
    const lag = Number(reported.find((line) => line.startsWith("quarry_lag_seconds"))?.split(" ")[1]);
    expect(Math.abs(lag - (Date.now() / 1000 - AT - 2))).toBeLessThan(60);
    expect(await lines({ ...STATE, outage: "all are down" })).toContain('quarry_outage{chain="eth"} 1');
    expect(await lines({ ...STATE, stalled: "no block" })).toContain(
      'quarry_indexing_stalled{chain="eth"} 1',
    );
  });

  it("omits unknown figures: without an indexer, before the first block, when the store fails", async () => {
    const names = async (...given: Parameters<typeof lines>) =>
      (await lines(...given)).map((line) => line.split("{")[0]).sort();
    const indexed = [
      "quarry_first_block",
      "quarry_indexed_block",
      "quarry_indexed_timestamp_seconds",
      "quarry_lag_seconds",
    ];
    const ofIndexer = [
      "quarry_finalized_block",
      "quarry_head_block",
      "quarry_indexing_stalled",
      "quarry_outage",
    ];
    expect(await names(null)).toEqual(indexed);
    const withStore = (committed: () => Promise<null>) => [
      { chain: ETH, store: { chain: ETH.name, committed } },
    ];
    expect(
      await names(
        STATE,
        withStore(async () => null),
      ),
    ).toEqual(ofIndexer);
    const broken = withStore(() => Promise.reject(new Error("out of order")));
    expect(await names(STATE, broken)).toEqual(ofIndexer);
  });

  it("reads the store once per scrape", async () => {
    let reads = 0;
    const committed = () => {
      reads++;
      return market.store.committed();
    };
    const registry = new Registry();
    const chains = [{ chain: ETH, store: { chain: ETH.name, committed } }];
    measureChains(chains, () => STATE, registry);
    await registry.metrics();
    await registry.metrics();
    expect(reads).toBe(2);
  });
});

describe("measureIndexer", () => {
  it("reports its counters and the status of each endpoint", async () => {
    const registry = new Registry();
    const endpoints = [endpoint("http://a/***", 9, 250), endpoint("http://a/***", 7, null)];
    const source = { endpoints: () => endpoints };
    measureIndexer(
      {
        chain: { name: "eth" },
        indexer: { counters: COUNTERS, ages: new HeadAges(new ManualClock()) },
        source,
      },
      registry,
    );
    const first = await linesOf(registry);
    expect(first).toEqual(
      expect.arrayContaining([
        'quarry_commits_total{chain="eth"} 4',
        'quarry_committed_blocks_total{chain="eth"} 40',
        'quarry_commit_seconds_total{chain="eth"} 1.5',
        'quarry_rolled_back_blocks_total{chain="eth"} 5',
        'quarry_deepest_rollback_blocks{chain="eth"} 3',
        'quarry_deep_rollbacks_total{chain="eth"} 0',
        'quarry_endpoint_requests_total{chain="eth",endpoint="http://a/***"} 9',
        'quarry_endpoint_requests_total{chain="eth",endpoint="http://a/*** (2)"} 7',
        'quarry_endpoint_lies_total{chain="eth",endpoint="http://a/***"} 2',
        'quarry_endpoint_latency_seconds{chain="eth",endpoint="http://a/***"} 0.25',
        'quarry_endpoint_avoided_until_seconds{chain="eth",endpoint="http://a/***"} 0',
      ]),
    );
    expect(first.join()).not.toContain('latency_seconds{chain="eth",endpoint="http://a/*** (2)"}');
    COUNTERS.commits = 5;
    expect(await linesOf(registry)).toContain('quarry_commits_total{chain="eth"} 5');
  });
});

it("counts the ages of blocks at the head, stage by stage", async () => {
  const registry = new Registry();
  const clock = new ManualClock((AT + 10) * 1000);
  const ages = new HeadAges(clock);
  const source = { endpoints: () => [] };
  measureIndexer({ chain: { name: "eth" }, indexer: { counters: COUNTERS, ages }, source }, registry);
  const streams = new StreamFigures(registry, clock);
  ages.headSeen();
  ages.stepFound(null, { kind: "wait" });
  await clock.advance(500);
  ages.committed([{ timestamp: AT + 9 } as Block]);
  const [newest] = await Promise.all(market.chains.map(({ store }) => store.committed()));
  if (newest == null) expect.fail("nothing is indexed");
  for (const timestamp of [AT + 9, AT - 120]) streams.onSent("eth")({ ...newest, timestamp });
  const sums = (await linesOf(registry)).filter((line) => /^quarry_block_age_seconds_(sum|count)/.test(line));
  expect(sums.sort()).toEqual([
    'quarry_block_age_seconds_count{chain="eth",stage="committed"} 1',
    'quarry_block_age_seconds_count{chain="eth",stage="seen"} 1',
    'quarry_block_age_seconds_count{chain="eth",stage="sent"} 1',
    'quarry_block_age_seconds_sum{chain="eth",stage="committed"} 1.5',
    'quarry_block_age_seconds_sum{chain="eth",stage="seen"} 1',
    'quarry_block_age_seconds_sum{chain="eth",stage="sent"} 1.5',
  ]);
  expect(streams.sentAges("eth")).toEqual({
    ...{ p50: 1.5, p95: 1.5, count: 1 },
    histogram: [{ above: 1, atMost: 1.5, count: 1 }],
  });
  expect(streams.sentAges("base")).toBeNull();
});

it("counts what is inserted and merged, and the parts of the tables", async () => {
  const metrics = new Registry();
  measureMerges(market.engine, metrics);
  measureMerges(null, metrics);
  const text = await metrics.metrics();
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
  expect(value("quarry_engine_parts")).toBeGreaterThan(0);
  expect(value("quarry_engine_inserted_bytes_total")).toBeGreaterThan(100);
  expect(value("quarry_engine_merged_bytes_total")).toBeGreaterThanOrEqual(0);
});

it("docs/metrics.md lists every figure with its type and labels, and no others", async () => {
  const metrics = new Registry();
  measureChains(market.chains, () => STATE, metrics);
  const source = { endpoints: () => [] };
  measureIndexer(
    {
      chain: { name: "eth" },
      indexer: { counters: COUNTERS, ages: new HeadAges(new ManualClock()) },
      source,
    },
    metrics,
  );
  measureAbandoned([market.engine], metrics);
  measureAddresses([market.engine], metrics);
  measureDisk(import.meta.dirname, metrics);
  measureMerges(market.engine, metrics);
  const serving = new ServingState(2 ** 20);
  measureServing([{ chain: ETH, store: market.store, serving }], metrics);
  deliveryCounter(metrics);
  measureWebhooks(metrics, { runners: () => [], refused: () => 0, newestBlock: () => null });
  const app = await createServer({ engine: market.engine, chains: market.chains, metrics });
  const measured = (await metrics.getMetricsAsJSON()).map(({ name, type }) => {
    // The declared labels are not in the types of prom-client.
    const { labelNames } = metrics.getSingleMetric(name) as unknown as { labelNames: string[] };
    return [name, type, ...labelNames].join(" ");
  });
  const listed = describedMetrics().map(({ name, type, labels }) => [name, type, ...labels].join(" "));
  expect(listed.sort()).toEqual(measured.sort());
  await app.close();
});
