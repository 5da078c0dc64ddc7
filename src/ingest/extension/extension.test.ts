import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropChain } from "../../../test/support/engine/drop-chain.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { checksums } from "../../../test/support/processes/index-runs.ts";
import { childOf, type FakeBlock, fakeChainFacts, genesis } from "../../../test/support/simulation/fake-chain.ts";
import { steadySource } from "../../../test/support/simulation/fake-source.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import { storedExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { Engine } from "../../storage/store.ts";
import { Indexer } from "../indexer.ts";
import { Extension } from "./extension.ts";

const chain = fakeChainFacts("extended", { kind: "depth", blocks: 12 });
const logger = { info() {}, warn() {} };
let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Adds blocks to a chain. */
function grow(blocks: FakeBlock[], upTo: number, salt = "a"): FakeBlock[] {
  while (blocks.length <= upTo) {
    const number = blocks.length;
    blocks.push(
      number === 0 ? genesis() : childOf(blocks[number - 1] ?? null, { number, salt, probabilities: { empty: 0.1, failed: 0.1 } }),
    );
  }
  return blocks;
}

async function indexed(name: string, blocks: readonly FakeBlock[], from: number): Promise<void> {
  const store = await openChainStore(engine, name);
  await new Indexer({
    ...{ chain: { ...chain, name }, source: steadySource(blocks), store, engine, logger, from },
    to: blocks.length - 1,
    pollMs: 1,
    signal: new AbortController().signal,
  }).run();
}

/** Follows a chain and extends it at the same time; returns when it is extended. */
async function extended(name: string, blocks: FakeBlock[], from: number, during: () => Promise<void> = async () => {}) {
  const stop = new AbortController();
  const store = await openChainStore(engine, name);
  const firstStored = (await store.committed())?.firstBlock ?? 0;
  await writeExtension(engine, name, { firstBlock: from, state: "building", tables: [] });
  const copy = await openChainStore(engine, copyOf(name));
  const options = { chain: { ...chain, name }, source: steadySource(blocks), engine, logger, store, pollMs: 5 };
  const indexer = new Indexer({ ...options, from: firstStored, to: null, signal: stop.signal });
  const extension = new Extension({
    ...{ ...options, indexer, copy, from, firstStored, signal: stop.signal, settleMs: 0, batchBlocks: 5 },
  });
  const running = indexer.run();
  const extending = extension.run();
  await during();
  await extending;
  const head = blocks.length - 1;
  await expect.poll(async () => (await store.committed())?.blockNumber).toBe(head);
  stop.abort();
  await running;
  return store;
}

async function tablesFrom(blocks: readonly FakeBlock[], from: number) {
  await indexed("fresh", blocks, from);
  const tables = await checksums(engine, "fresh");
  await dropChain(engine, "fresh");
  return tables;
}

it("gives the tables of an index from the lower block, while the head grows", async () => {
  const blocks = grow([], 60);
  await indexed(chain.name, blocks, 40);
  const before = await checksums(engine, chain.name);
  const store = await extended(chain.name, blocks, 3, async () => {
    for (let i = 0; i < 20; i++) {
      grow(blocks, blocks.length);
      await sleep(20);
    }
  });
  expect(before).not.toEqual(await checksums(engine, chain.name));
  expect(await checksums(engine, chain.name)).toEqual(await tablesFrom(blocks, 3));
  expect(await store.committed()).toMatchObject({ firstBlock: 3, blockNumber: blocks.length - 1 });
  expect((await storedExtension(engine, chain.name))?.state).toBe("exchanged");
  await openChainStore(engine, chain.name);
  expect(await storedExtension(engine, chain.name)).toBeNull();
});
