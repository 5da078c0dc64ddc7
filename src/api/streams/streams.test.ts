import { Registry } from "prom-client";
import { expect, it, vi } from "vitest";
import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { createLogger } from "../../lib/log.ts";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { ETH, hexOf } from "../../reads/support/market.ts";
import { ServingState } from "../../serving/serving-state.ts";
import type { ChainStore, Engine, QueryLimits } from "../../storage/store.ts";
import { type Frame, positionText } from "../../streams/frame.ts";
import { type AdmissionQueues, type Caller, type QueuedTask, TakenSlot } from "../admission/fair-queue.ts";
import { DEFAULT_LIMITS } from "../admission/limits.ts";
import { StreamFigures } from "./stream-metrics.ts";
import { Streams } from "./streams.ts";
import { blockRows, commitOf } from "./support/blocks.ts";
import { UnreadSink } from "./support/unread-sink.ts";

const CLIENTS = 20;
const LIMIT_BYTES = 100_000;

/** A connection that closes some time after it was cut, like real ones. */
class SlowToClose extends UnreadSink {
  override destroy(): void {
    setImmediate(() => super.destroy());
  }
}

/** A connection whose frames can be inspected. */
class RecordedSink extends UnreadSink {
  readonly frames: Frame[] = [];

  override send(frame: Frame): void {
    super.send(frame);
    this.frames.push(frame);
  }
}

const EVENTS = [{ id: "b", table: "blocks" as const, conditions: [], minUsd: null, required: null }];
const REQUEST = {
  client: "",
  chain: "eth",
  after: null,
  maxLag: null,
  subscriptions: { events: EVENTS, states: [] },
};

/** Opens the streams of a chain. Streams of rows that begin with a snapshot read nothing from the store. */
function openStreams(queues = {} as AdmissionQueues, engine = {} as Engine) {
  const serving = new ServingState(2 ** 20);
  serving.startAt(commitOf(1));
  const registry = new Registry();
  const clock = new ManualClock();
  const logger = createLogger("silent");
  const streams = new Streams({
    reader: { engine, chains: [{ chain: ETH, store: {} as ChainStore, serving }] },
    limits: { ...DEFAULT_LIMITS, streamMemoryBytes: LIMIT_BYTES },
    queues,
    turns: new FairTurns(),
    clock,
    logger,
    figures: new StreamFigures(registry, clock),
  });
  return { streams, serving, registry, clock, logger };
}

it("cuts the streams of clients that may no longer continue, and no others", async () => {
  const { streams, clock } = openStreams();
  const sinks = [new UnreadSink(), new UnreadSink()] as const;
  let isValid = true;
  void streams.run(sinks[0], { ...REQUEST, mayContinue: () => isValid });
  void streams.run(sinks[1], { ...REQUEST, mayContinue: () => true });
  await clock.advance(15_000);
  expect(sinks.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  isValid = false;
  await clock.advance(15_000);
  expect(sinks.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  streams.close();
});

it("ends the stream of a client that reads too slowly; the last frame has the id to resume after", async () => {
  const { streams, serving, clock } = openStreams();
  const [fast, slow] = [new RecordedSink(), new RecordedSink()];
  for (const sink of [fast, slow]) void streams.run(sink, { ...REQUEST, bufferBytes: 1 });
  await vi.waitUntil(() => fast.events.length + slow.events.length === 2);
  slow.read();
  for (let block = 2; block < 6; block++) {
    fast.read();
    serving.extended(commitOf(block), blockRows([block]));
    await vi.waitUntil(() => fast.events.length === block);
  }
  expect(fast.events).toEqual(["snapshot", "block", "block", "block", "block"]);
  expect(slow.events).toEqual(["snapshot", "block", "lagged"]);
  const [, block, last] = slow.frames;
  expect(JSON.parse(last?.data ?? "")).toEqual({
    chain: "eth",
    reason: "the client reads too slowly",
    resume_after: positionText(block?.position ?? expect.fail("the block has no id")),
  });
  // It has some time to read the last frame; then the connection is cut.
  await clock.advance(9_000);
  expect([fast.isClosed, slow.isClosed]).toEqual([false, false]);
  await clock.advance(1_000);
  expect([fast.isClosed, slow.isClosed]).toEqual([false, true]);
  streams.close();
});

it("never holds more unread frames than its memory, and cuts off the slowest clients", async () => {
  const { streams, serving, registry } = openStreams();
  const sinks = Array.from({ length: CLIENTS }, () => new SlowToClose());
  for (const sink of sinks) void streams.run(sink, REQUEST);
  await vi.waitUntil(() => sinks.every(({ events }) => events.length > 0));
  expect(sinks.map(({ events }) => events)).toEqual(sinks.map(() => ["snapshot"]));
  for (let block = 2; block < 10; block++) {
    serving.extended(commitOf(block), blockRows([block]));
    // A block is sent in slices.
    await vi.waitUntil(() => sinks.every(({ events, isClosed }) => isClosed || events.length === block));
    expect(streams.bufferedBytes).toBeLessThanOrEqual(LIMIT_BYTES);
  }
  await new Promise(setImmediate);
  const left = sinks.filter(({ isClosed }) => !isClosed);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(CLIENTS);
  // The remaining clients missed nothing.
  for (const { events } of left) expect(events).toHaveLength(1 + 8);
  const cut = (await registry.getSingleMetric("quarry_streams_cut_total")?.get())?.values[0]?.value;
  expect(cut).toBe(CLIENTS - left.length);
  streams.close();
});

it("ends the reads of a stream when its client leaves", async () => {
  const reads: AbortSignal[] = [];
  const read = {
    run: ({ signal }: Caller) => {
      reads.push(signal);
      return new Promise<never>(() => {});
    },
  };
  const { streams } = openStreams({ read } as unknown as AdmissionQueues);
  const [leaving, staying] = [new UnreadSink(), new UnreadSink()];
  const after = { commit: 1, block: 0, hash: hexOf(0) };
  for (const sink of [leaving, staying]) void streams.run(sink, { ...REQUEST, after });
  await vi.waitUntil(() => reads.length === 2);
  leaving.destroy();
  expect(reads.map(({ aborted }) => aborted)).toEqual([true, false]);
  streams.close();
  expect(reads.map(({ aborted }) => aborted)).toEqual([true, true]);
});

it("ends the queries for the states of a stream when its client leaves or its slot is needed", async () => {
  const queries = new Map<string | undefined, AbortSignal | undefined>();
  const engine = {
    query: (_statement: Sql, { signal, user }: QueryLimits) => {
      queries.set(user?.name, signal);
      return new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
  const preemptions: AbortController[] = [];
  const ended: string[] = [];
  const read = {
    run: ({ signal, client }: Caller, task: QueuedTask<unknown>) => {
      const preemption = new AbortController();
      preemptions.push(preemption);
      return task(AbortSignal.any([signal, preemption.signal]), new TakenSlot(client)).catch((error) => {
        ended.push(client);
        throw error;
      });
    },
  };
  const { streams } = openStreams({ read } as unknown as AdmissionQueues, engine as unknown as Engine);
  const run = (sink: UnreadSink, client: string, token: Hex) => {
    const query = { kind: "price" as const, token, priceType: "price_token_usd_tick_1" as const };
    const subscriptions = { events: [], states: [{ id: "p", queries: [query], history: 1 }] };
    void streams.run(sink, { ...REQUEST, client, subscriptions });
  };
  const leaving = new UnreadSink();
  run(leaving, "leaving", hexOf(1));
  run(new UnreadSink(), "staying", hexOf(2));
  await vi.waitUntil(() => queries.size === 2);
  leaving.destroy();
  await vi.waitUntil(() => ended.length === 1);
  expect([...queries].map(([client, signal]) => [client, signal?.aborted])).toEqual([
    ["leaving", true],
    ["staying", false],
  ]);
  preemptions[1]?.abort();
  await vi.waitUntil(() => ended.length === 2);
  expect(ended).toEqual(["leaving", "staying"]);
  streams.close();
});

it("logs a failure to read states once until its reason changes or a read succeeds", async () => {
  const warnings: string[] = [];
  let reason = "the store is down";
  const engine = { query: () => Promise.reject(new Error(reason)) };
  const read = {
    run: ({ signal, client }: Caller, task: QueuedTask<unknown>) => task(signal, new TakenSlot(client)),
  };
  const { streams, clock, logger } = openStreams(
    { read } as unknown as AdmissionQueues,
    engine as unknown as Engine,
  );
  vi.spyOn(logger, "warn").mockImplementation(
    (fields) => void warnings.push((fields as { reason: string }).reason),
  );
  const query = { kind: "price" as const, token: hexOf(1), priceType: "price_token_usd_tick_1" as const };
  const subscriptions = { events: [], states: [{ id: "p", queries: [query], history: 1 }] };
  void streams.run(new UnreadSink(), { ...REQUEST, subscriptions });
  const warned = async (count: number) => {
    for (let i = 0; i < 100 && warnings.length < count; i++) await clock.advance(1_000);
    return warnings;
  };
  expect(await warned(1)).toEqual(["the store is down"]);
  reason = "the store is busy";
  expect(await warned(2)).toEqual(["the store is down", "the store is busy"]);
  streams.close();
});

it("lets a stream with few states begin while many with more do", async () => {
  const asking = new Set<string | undefined>();
  const engine = {
    query: (_statement: Sql, { user }: QueryLimits) => {
      asking.add(user?.name);
      return new Promise<never>(() => {});
    },
  };
  const read = {
    run: ({ signal, client }: Caller, task: QueuedTask<unknown>) => task(signal, new TakenSlot(client)),
  };
  const { streams } = openStreams({ read } as unknown as AdmissionQueues, engine as unknown as Engine);
  let tokens = 0;
  const run = (client: string, count: number) => {
    const queries = Array.from({ length: count }, () => ({
      kind: "price" as const,
      token: hexOf(++tokens),
      priceType: "price_token_usd_tick_1" as const,
    }));
    const subscriptions = { events: [], states: [{ id: "p", queries, history: 1 }] };
    void streams.run(new UnreadSink(), { ...REQUEST, client, subscriptions });
  };
  for (let i = 0; i < 20; i++) run(`many ${i}`, 60);
  await vi.waitUntil(() => asking.size === 4, { timeout: 10_000 });
  run("few", 10);
  await vi.waitUntil(() => asking.has("few"), { timeout: 10_000 });
  streams.close();
});
