import { afterAll, beforeAll, expect, it } from "vitest";
import type { FillSource } from "../../src/reads/served/fill-misses.ts";
import { loadRecent } from "../../src/reads/served/load-recent.ts";
import { checkServing } from "../../src/reads/served/self-check.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import type { Engine } from "../../src/storage/store.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain } from "./random-chain.ts";

const STEPS = 8;
const BYTES = 64 * 2 ** 20;
/** Enough memory for about forty pools. */
const FEW_BYTES = 100_000;

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Makes an empty serving state for a chain of a few blocks. */
async function stateOf(name: string, bytes: number) {
  const chain = { ...ETH, name };
  const store = await openChainStore(engine, name);
  const blocks = new RandomChain(store, new Random(1));
  for (let i = 0; i < STEPS; i++) await blocks.step();
  const serving = new ServingState(bytes);
  serving.startAt(await store.committed());
  const readable = { chain, store, serving };
  const source: FillSource = { reader: { engine, chains: [readable] }, readable, limits: {} };
  const { pools, newestRecords, wallets } = serving.parts;
  return { source, readable, caches: [pools, newestRecords, wallets] };
}

it("loads the pools, trades and wallets of the newest trades as the store has them", async () => {
  const { source, readable, caches } = await stateOf("whole", BYTES);
  const keys = await loadRecent(source);
  for (const { use } of caches) expect(use.entries).toBeGreaterThan(5);
  expect(keys).toBe(caches.reduce((sum, { use }) => sum + use.entries, 0));
  expect(await checkServing(source.reader, readable, {})).toEqual([]);
  // The second time, everything is already loaded.
  expect(await loadRecent(source)).toBe(0);
});

it("evicts nothing that questions asked for if there is little room", async () => {
  const { source, caches } = await stateOf("small", FEW_BYTES);
  for (const cache of caches) {
    const fill = cache.startFill(["asked"]);
    while (cache.use.bytes < 0.8 * cache.maxBytes) {
      const key = `asked ${cache.use.entries}`;
      cache.startFill([key]).complete(new Map(), 1);
    }
    fill.complete(new Map(), 1);
  }
  expect(await loadRecent(source)).toBe(0);
  for (const cache of caches) expect([cache.get("asked"), cache.use.evictions]).toEqual([null, 0]);
});

it("ends when it is aborted", async () => {
  const { source, caches } = await stateOf("aborted", BYTES);
  const stop = new AbortController();
  const loading = loadRecent({ ...source, limits: { signal: stop.signal } });
  stop.abort(new Error("stopped"));
  await expect(loading).rejects.toThrow("stopped");
  for (const { use } of caches) expect(use.entries).toBe(0);
});
