import { getEventListeners } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { childOf, fakeChainFacts, genesis } from "../../test/support/simulation/fake-chain.ts";
import { steadySource } from "../../test/support/simulation/fake-source.ts";
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
