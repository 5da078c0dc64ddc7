import type { ChainStatus, Operations } from "@quarry/sdk";
import { describe, expect, it } from "vitest";
import { chainItems, serviceItems } from "./attention-items.ts";

const ENDPOINT = { url: "http://a", requests: 9, failures: 0, lies: 0, latency_ms: 5, avoided_until: null };

const chain = (changes: Partial<ChainStatus>): ChainStatus => ({
  ...({
    chain: "eth",
    ready: true,
    message: null,
    lag_seconds: 12,
    endpoints: [ENDPOINT],
  } as unknown as ChainStatus),
  ...changes,
});

describe("chainItems", () => {
  it("has nothing to say about a healthy chain, even one without an indexer", () => {
    expect(chainItems([chain({}), chain({ endpoints: null })])).toEqual([]);
    expect(chainItems([chain({ message: "following the head" })])).toEqual([]);
  });

  it("names chains that are not ready, and how many endpoints are avoided", () => {
    const endpoints = [{ ...ENDPOINT, avoided_until: 1_700_000_000 }, ENDPOINT];
    expect(chainItems([chain({ ready: false, message: "The disk is full." }), chain({ endpoints })])).toEqual(
      ["eth is not ready: The disk is full.", "eth: 1 of 2 RPC endpoints is avoided."],
    );
    expect(chainItems([chain({ ready: false })])).toEqual(["eth is not ready."]);
  });

  it("names chains whose newest block is old", () => {
    expect(chainItems([chain({ lag_seconds: 60 }), chain({ lag_seconds: null })])).toEqual([]);
    expect(chainItems([chain({ lag_seconds: 1_020 })])).toEqual([
      "eth: the newest indexed block is 17 min old.",
    ]);
  });
});

const HEALTHY: Operations = {
  queues: [
    {
      ...{ kind: "query", tier: "long", running: 2, running_limit: 2, waiting: 0, waiting_limit: 200 },
      ...{ clients: 1, refused: 7 },
    },
  ],
  resources: [{ resource: "connections", used: 89, limit: 100 }],
  responses: { total: 0, status_429: 0, status_503: 0 },
  refusals: [],
  engines: [
    {
      ...{ chains: ["eth"], memory_bytes: 89, memory_limit_bytes: 100, running_statements: 2 },
      ...{ running_merges: 0, abandoned_statements: 0, message: null },
    },
  ],
  processes: [
    {
      ...{ process: "worker 2", is_responding: true, pid: 7, started_at: 1, rss_bytes: 1, heap_bytes: 1 },
      ...{ heap_limit_bytes: 100, buffer_bytes: 1, cpu_share: 1.5, event_loop_share: 0.5 },
    },
  ],
  slow_requests: { after_seconds: 1, has_texts: false, total: 0, latest: [], slowest: [] },
};

describe("serviceItems", () => {
  it("has nothing to say about a service that is busy, but below its limits", () => {
    expect(serviceItems(HEALTHY)).toEqual([]);
  });

  it("names what is at its limit, waits, or does not respond", () => {
    const [queue] = HEALTHY.queues;
    const [engine] = HEALTHY.engines;
    const [worker] = HEALTHY.processes;
    if (queue === undefined || engine === undefined || worker === undefined) expect.fail("no figures");
    const loaded: Operations = {
      ...HEALTHY,
      queues: [{ ...queue, waiting: 3 }],
      resources: [{ resource: "connections", used: 95, limit: 100 }],
      engines: [
        { ...engine, memory_bytes: 96 * 2 ** 20, memory_limit_bytes: 100 * 2 ** 20, abandoned_statements: 2 },
        { ...engine, memory_bytes: null, message: "it does not respond." },
      ],
      processes: [
        { ...worker, process: "service", heap_bytes: 92, event_loop_share: 0.97 },
        { ...worker, is_responding: false },
      ],
    };
    expect(serviceItems(loaded)).toEqual([
      "The engine of eth uses 96 MiB of memory, 96.0 % of its limit.",
      "The engine of eth is still running 2 statements after their time limit.",
      "The engine of eth does not report its load: it does not respond.",
      "The service uses 92.0 % of its heap.",
      "The service is busy 97.0 % of the time, so requests wait for it.",
      "The process worker 2 is too busy to report.",
      "3 long SQL queries wait; 2 of 2 slots are taken.",
      "Connections: 95.0 % of the limit is used.",
    ]);
  });

  it("uses the singular of one request and one statement", () => {
    const [queue] = HEALTHY.queues;
    const [engine] = HEALTHY.engines;
    if (queue === undefined || engine === undefined) expect.fail("no figures");
    const queues = [{ ...queue, kind: "read" as const, running: 1, waiting: 1 }];
    const engines = [{ ...engine, abandoned_statements: 1 }];
    expect(serviceItems({ ...HEALTHY, queues, engines })).toEqual([
      "The engine of eth is still running 1 statement after its time limit.",
      "1 long read waits; 1 of 2 slots is taken.",
    ]);
  });
});
