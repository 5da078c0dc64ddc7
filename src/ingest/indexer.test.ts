import { getEventListeners } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { childOf, fakeChainFacts, genesis } from "../../test/support/simulation/fake-chain.ts";
import { steadySource } from "../../test/support/simulation/fake-source.ts";
import { aborted } from "../lib/async/abort.ts";
import { BaseError } from "../lib/error.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import type { Source } from "../sources/source.ts";
import { openChainStore } from "../storage/clickhouse-store.ts";
import type { Engine } from "../storage/store.ts";
import { Indexer } from "./indexer.ts";

const chain = fakeChainFacts("brief", { kind: "depth", blocks: 12 });
const first = genesis();
const source = steadySource([first, childOf(first, { number: 1, salt: "brief" })]);
let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

async function indexerUntil(signal: AbortSignal, to: number | null, from: Source = source): Promise<Indexer> {
  const store = await openChainStore(engine, chain.name);
  const logger = { info() {}, warn() {} };
  return new Indexer({ chain, source: from, store, engine, from: 0, to, pollMs: 1, signal, logger });
}

it("leaves no listener on the signal, which may outlive it", async () => {
  const { signal } = new AbortController();
  const indexer = await indexerUntil(signal, 1);
  await indexer.run();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("reports a node that has no newer block, and a full disk, until blocks are indexed again", async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const blocks = [first, childOf(first, { number: 1, salt: "brief" })];
  let isFull = false;
  const warnings: string[] = [];
  const indexer = new Indexer({
    ...{ chain, source, engine, from: 0, to: null, pollMs: 1, signal, stallMs: 50, retryWaitsMs: [1] },
    store: await openChainStore(engine, chain.name),
    logger: { info() {}, warn: (_, message) => warnings.push(message) },
    async requireRoom() {
      if (isFull) throw new BaseError("disk-full", "The disk is full.");
    },
  });
  const running = indexer.run();
  const silent = `the endpoints report no block after ${blocks.length - 1}`;
  await expect.poll(() => indexer.state.stalled).toContain(silent);
  expect(warnings.filter((message) => message.includes(silent))).toHaveLength(1);
  isFull = true;
  await expect.poll(() => indexer.state.diskFull).toBe("The disk is full.");
  isFull = false;
  await expect.poll(() => indexer.state.diskFull).toBeNull();
  stop.abort();
  await running;
});

it("applies balances that are prepared also while the disk is full, because that frees space", async () => {
  const roomy = { ...chain, name: "roomy" };
  const blocks = [first, childOf(first, { number: 1, salt: "roomy" })];
  let isPrepared = true;
  const indexer = new Indexer({
    ...{ chain: roomy, source: steadySource(blocks), engine, from: 0, to: 1, pollMs: 1, retryWaitsMs: [1] },
    ...{ signal: new AbortController().signal, logger: { info() {}, warn() {} } },
    store: await openChainStore(engine, roomy.name),
    openings: {
      get isDue() {
        return isPrepared;
      },
      async apply() {
        isPrepared = false;
        return null;
      },
    },
    async requireRoom() {
      if (isPrepared) throw new BaseError("disk-full", "The disk is full.");
    },
  });
  await indexer.run();
  expect(indexer.counters.pauses).toBe(0);
});

it("commits a block at the head without waiting for the next one", async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const prompt = { ...chain, name: "prompt" };
  const blocks = [genesis()];
  for (let number = 1; number <= 4; number++)
    blocks.push(childOf(blocks[number - 1] ?? first, { number, salt: "prompt" }));
  const heads = [1, 2, 4];
  const clock = new ManualClock();
  const late = new AbortController();
  const store = await openChainStore(engine, prompt.name);
  const followed: Source = {
    ...steadySource(blocks),
    async head() {
      const { number, hash } = (blocks[heads.shift() ?? 4] ?? first).block;
      return { number, hash };
    },
    nextHead: async () => {},
    async *blocks({ from, to }) {
      for (const { block } of blocks.slice(from, to + 1)) {
        if (block.number === 4) await aborted(late.signal);
        yield block;
      }
    },
  };
  const logger = { info() {}, warn() {} };
  const indexer = new Indexer({
    ...{ chain: prompt, source: followed, store, engine, from: 0, to: 4, signal, logger, clock },
  });
  const running = indexer.run();
  const committed = async () => {
    await clock.advance(0);
    return (await store.committed())?.blockNumber;
  };
  await expect.poll(committed, { timeout: 10_000 }).toBe(3);
  late.abort();
  await running;
  expect(indexer.ages.recent.committed.summary()?.count).toBe(3);
});

it("resolves callers that wait for the head when it is stopped first", async () => {
  const stop = new AbortController();
  const indexer = await indexerUntil(stop.signal, null);
  const caughtUp = indexer.caughtUp();
  const running = indexer.run();
  stop.abort();
  await caughtUp;
  await running;
});

it("rejects callers that wait for the head with the error that ends it first", async () => {
  const { signal } = new AbortController();
  const indexer = await indexerUntil(signal, null, {
    ...source,
    head: () => Promise.reject(new Error("the source is gone")),
  });
  const caughtUp = expect(indexer.caughtUp()).rejects.toThrow("the source is gone");
  await expect(indexer.run()).rejects.toThrow("the source is gone");
  await caughtUp;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
