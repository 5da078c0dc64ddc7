import { expect, it } from "vitest";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { NextStep } from "../../reads/streams/next-step.ts";
import { hashOf } from "../../reads/support/market.ts";
import type { Commit } from "../../storage/store.ts";
import { ChainStream } from "../../streams/chain-stream.ts";
import type { Position } from "../../streams/frame.ts";
import type { AskedState } from "../../streams/state.ts";
import { MAX_CANDLES } from "../subscriptions/read-subscriptions.ts";
import { StreamClient } from "./stream-client.ts";
import { blockRows, commitOf } from "./support/blocks.ts";
import { UnreadSink } from "./support/unread-sink.ts";

const streamOptions = () => ({
  load: async () => null,
  onSent: () => {},
  clock: new ManualClock(),
  signal: new AbortController().signal,
});

const BUFFER_BYTES = 10_000;
const NEWEST = 1_000;

it("keeps no rows for a client that resumes and does not read", async () => {
  const reads: number[] = [];
  const sink = new UnreadSink();
  const stream = new ChainStream("eth", commitOf(NEWEST), streamOptions());
  const source = {
    chain: "eth",
    stream,
    clock: new ManualClock(),
    bufferBytes: BUFFER_BYTES,
    async nextStep(_: unknown, { block }: Position): Promise<NextStep> {
      reads.push(block);
      const rows = blockRows(Array.from({ length: 100 }, (_, i) => block + 1 + i));
      return { kind: "blocks", statesFrom: 0, rows };
    },
    turn: () => null,
    computing: <T>(step: () => Promise<T>) => step(),
    load: async () => null,
    onFrame: () => {},
  };
  const events = [{ id: "b", table: "blocks" as const, conditions: [], minUsd: null, required: null }];
  const after = { commit: 1, block: 1, hash: hashOf(1) };
  const running = new StreamClient(source, sink, { events, states: [], after }).run();
  await new Promise(setImmediate);
  // Only the counted buffer holds data for the client; everything else will be read again.
  const sent = sink.events.length;
  expect([sent > 1, sent < 20, reads]).toEqual([true, true, [1]]);
  expect(sink.bufferedBytes).toBeLessThan(1.5 * BUFFER_BYTES);
  sink.read();
  await new Promise(setImmediate);
  expect(reads).toEqual([1, 1 + sent]);
  sink.destroy();
  await running;
});

/** Follows candles in streams that take turns. Each computation takes a millisecond, and is recorded. */
function candleStreams(after: Position | null) {
  const asked: { stream: number; from: number | null }[] = [];
  const clock = new ManualClock();
  const stream = new ChainStream("eth", commitOf(NEWEST), streamOptions());
  let nowMs = 0;
  const turns = new FairTurns(() => nowMs);
  const open = (id: number, states: number) => {
    const question = (i: number) => ({
      key: String(i),
      subjects: () => [],
      intervalSeconds: 60,
      now: (_: unknown, from: number | null) => {
        nowMs++;
        asked.push({ stream: id, from });
        return [];
      },
    });
    const source = {
      ...{ chain: "eth", stream, clock, bufferBytes: BUFFER_BYTES },
      nextStep: async (): Promise<NextStep> => ({ kind: "current", statesFrom: 0 }),
      turn: () => turns.next(String(id), "states"),
      computing: <T>(step: () => Promise<T>) => step(),
      load: async () => null,
      onFrame: () => {},
    };
    const asks = Array.from({ length: states }, (_, i) => ({
      ...{ id: `c${i}`, questions: [question(i)], history: 1_000 },
    }));
    const sink = new UnreadSink();
    void new StreamClient(source, sink, { events: [], states: asks, after }).run();
    return sink;
  };
  return { asked, open, stream, clock };
}

it("computes candles in short turns of the event loop, in which streams alternate", async () => {
  const { asked, open } = candleStreams(null);
  for (const id of [1, 2, 3]) open(id, 10);
  const most: number[] = [];
  while (asked.length < 30) {
    const before = asked.length;
    await new Promise(setImmediate);
    most.push(asked.length - before);
  }
  expect(Math.max(...most)).toBeLessThanOrEqual(4);
  // No stream waits until another one has all its candles.
  expect(new Set(asked.slice(0, 12).map(({ stream }) => stream)).size).toBe(3);
});

it("begins again if a block arrives between turns, and computes all at once if that happens often", async () => {
  const { asked, open, stream, clock } = candleStreams(null);
  const sink = open(1, 200);
  for (let commits = 1; commits <= 20 && sink.events.length === 0; commits++) {
    stream.replaced({ ...commitOf(NEWEST), sequence: NEWEST + commits });
    await clock.advance(50);
  }
  expect(sink.events).toEqual(["snapshot"]);
  expect(asked.length).toBeGreaterThan(200);
});

it("computes nothing for clients that left before their turn", async () => {
  const { asked, open } = candleStreams(null);
  const [, leaving] = [open(1, 10), open(2, 10), open(3, 10)];
  leaving?.destroy();
  while (asked.length < 20) await new Promise(setImmediate);
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
  expect([...new Set(asked.map(({ stream }) => stream))]).toEqual([1, 3]);
});

it("sends a limited number of candles to a client that resumes", async () => {
  const { timestamp, blockHash: hash } = commitOf(NEWEST);
  const { asked, open } = candleStreams({ commit: 1, block: NEWEST, hash });
  open(1, 100);
  while (asked.length < 100) await new Promise(setImmediate);
  const oldest = Math.min(...asked.map(({ from }) => from ?? 0));
  expect(asked).toHaveLength(100);
  expect((timestamp - (timestamp % 60) - oldest) / 60 + 1).toBe(MAX_CANDLES / 100);
});

it("goes on while the store answers as of newer commits, which is not a failure", async () => {
  const clock = new ManualClock();
  const sink = new UnreadSink();
  const stream = new ChainStream("eth", commitOf(NEWEST), streamOptions());
  let loads = 0;
  const source = {
    ...{ chain: "eth", stream, clock, bufferBytes: BUFFER_BYTES },
    nextStep: async (): Promise<NextStep> => ({ kind: "current", statesFrom: 0 }),
    turn: () => null,
    computing: <T>(step: () => Promise<T>) => step(),
    load: async (asked: readonly AskedState[]) => {
      loads++;
      // The first 20 loads are as of a later commit, the next five as of this one, but they were requested at
      // the previous one.
      const readAt = NEWEST + (loads <= 20 ? 1 : 0);
      const requestedAt = NEWEST - (loads > 20 && loads <= 25 ? 1 : 0);
      const read = { items: [], requestedAt, readAt };
      return new Map(asked.map(({ question }) => [question.key, read]));
    },
    onFrame: () => {},
  };
  const question = { key: "p", subjects: () => [], intervalSeconds: null, now: () => null };
  const states = [{ id: "p", questions: [question], history: 1 }];
  void new StreamClient(source, sink, { events: [], states, after: null }).run();
  // The client reads again when the chain may have advanced, but not immediately.
  await clock.advance(0);
  expect(loads).toBe(1);
  for (let i = 0; i < 30; i++) await clock.advance(50);
  expect([loads, sink.events]).toEqual([26, ["snapshot"]]);
  sink.destroy();
});

it("checks its position again when rows of the newest block are replaced while it catches up", async () => {
  const sink = new UnreadSink();
  const stream = new ChainStream("eth", commitOf(NEWEST), streamOptions());
  const checked: number[] = [];
  const source = {
    ...{ chain: "eth", stream, clock: new ManualClock(), bufferBytes: BUFFER_BYTES },
    async nextStep({ sequence }: Commit): Promise<NextStep> {
      checked.push(sequence);
      if (checked.length > 1) return { kind: "reset", reason: "blocks were repaired" };
      stream.replaced({ ...commitOf(NEWEST), sequence: NEWEST + 1 });
      return { kind: "current", statesFrom: 0 };
    },
    turn: () => null,
    computing: <T>(step: () => Promise<T>) => step(),
    load: async () => null,
    onFrame: () => {},
  };
  const after = { commit: NEWEST, block: NEWEST, hash: hashOf(NEWEST) };
  void new StreamClient(source, sink, { events: [], states: [], after }).run();
  await new Promise(setImmediate);
  expect([checked, sink.events]).toEqual([[NEWEST, NEWEST + 1], ["reset"]]);
  sink.destroy();
});

it.each([
  ["the store does not respond; try again later", false],
  ["too many other streams are beginning; try again later", true],
])("ends a stream that cannot begin, and says why: %s", async (reason, isCrowded) => {
  const clock = new ManualClock();
  const sink = new UnreadSink();
  const stream = new ChainStream("eth", commitOf(NEWEST), streamOptions());
  const source = {
    ...{ chain: "eth", stream, clock, bufferBytes: BUFFER_BYTES },
    nextStep: async (): Promise<NextStep> => ({ kind: "current", statesFrom: 0 }),
    turn: () => null,
    computing: <T>(step: () => Promise<T>) => (isCrowded ? Promise.reject(new Error("full")) : step()),
    load: async () => null,
    onFrame: () => {},
  };
  const question = { key: "p", subjects: () => [], intervalSeconds: null, now: () => null };
  const states = [{ id: "p", questions: [question], history: 1 }];
  void new StreamClient(source, sink, { events: [], states, after: null }).run();
  for (let i = 0; i < 60 && sink.events.length === 0; i++) await clock.advance(1_000);
  expect([sink.events, JSON.parse(sink.data).reason]).toEqual([["lagged"], reason]);
});
