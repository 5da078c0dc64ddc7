import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropChain } from "../../../test/support/engine/drop-chain.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { checksums } from "../../../test/support/engine/table-checksums.ts";
import { seeded } from "../../../test/support/seeded.ts";
import { type FakeBlock, fakeChainFacts, grow } from "../../../test/support/simulation/fake-chain.ts";
import { steadySource } from "../../../test/support/simulation/fake-source.ts";
import { ReaderLoop } from "../../../test/support/simulation/reader-loop.ts";
import { sql } from "../../engine-sql/sql-text.ts";
import { toUnits } from "../../lib/units.ts";
import { checkServing } from "../../reads/served/self-check.ts";
import { ServingState } from "../../serving/serving-state.ts";
import type { Source } from "../../sources/source.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import { storedExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { ChainStore, Engine } from "../../storage/store.ts";
import { Indexer } from "../indexer.ts";
import { Extension } from "./extension.ts";
import { rebuiltFee } from "./rebuilt-block.ts";
import { requireLinked } from "./require-linked.ts";

const chain = fakeChainFacts("extended", { kind: "depth", blocks: 12 });
const logger = { info() {}, warn() {} };
let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

async function indexed(name: string, blocks: readonly FakeBlock[], from: number): Promise<void> {
  const store = await openChainStore(engine, name);
  await new Indexer({
    ...{ chain: { ...chain, name }, source: steadySource(blocks), store, engine, logger, from },
    to: blocks.length - 1,
    pollMs: 1,
    signal: new AbortController().signal,
  }).run();
}

interface Hooks {
  onOpen?(store: ChainStore): void;
  onFetch?: (number: number) => void;
  during?(): Promise<void>;
}

/** Wraps a source to report the blocks that are fetched from it. */
function noting(source: Source, onFetch: (number: number) => void = () => {}): Source {
  return {
    ...source,
    async *blocks(range, signal) {
      for await (const block of source.blocks(range, signal)) {
        onFetch(block.number);
        yield block;
      }
    },
  };
}

/** Follows a chain while extending it, until the extension is complete. */
async function extended(name: string, blocks: FakeBlock[], from: number, hooks: Hooks = {}) {
  const stop = new AbortController();
  const store = await openChainStore(engine, name);
  hooks.onOpen?.(store);
  const firstStored = (await store.committed())?.firstBlock ?? 0;
  await writeExtension(engine, name, { firstBlock: from, state: "building", tables: [] });
  const copy = await openChainStore(engine, copyOf(name));
  const options = { chain: { ...chain, name }, engine, logger, store, pollMs: 5 };
  const indexer = new Indexer({
    ...options,
    source: steadySource(blocks),
    from: firstStored,
    to: null,
    signal: stop.signal,
  });
  const extension = new Extension({
    source: noting(steadySource(blocks), hooks.onFetch),
    ...{ ...options, indexer, copy, from, firstStored, signal: stop.signal, settleMs: 0, batchBlocks: 5 },
  });
  const running = indexer.run();
  const extending = extension.run();
  try {
    await hooks.during?.();
    await extending;
  } catch (error) {
    stop.abort();
    await running;
    throw error;
  }
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

it("gives the tables of an index from the lower block while the head advances, with no mixed reads", async () => {
  const blocks = grow([], 24);
  await indexed(chain.name, blocks, 14);
  const before = await checksums(engine, chain.name);
  const serving = new ServingState(2 ** 24);
  // Reads the chain as another process does.
  const outside = { chain, store: chainCommits(engine, chain.name) };
  const readers = [outside].map(
    (readable) => new ReaderLoop({ reader: { engine, chains: [readable] }, chain: chain.name, pauseMs: 5 }),
  );
  const store = await extended(chain.name, blocks, 3, {
    onOpen: (opened) => opened.follow(serving),
    during: async () => {
      for (let i = 0; i < 8; i++) {
        grow(blocks, blocks.length);
        await sleep(50);
      }
    },
  });
  for (const reader of readers) {
    await reader.stop();
    expect(reader.violations).toEqual([]);
    expect(reader.answers).toBeGreaterThan(3);
  }
  expect(before).not.toEqual(await checksums(engine, chain.name));
  expect(await checksums(engine, chain.name)).toEqual(await tablesFrom(blocks, 3));
  expect(await store.committed()).toMatchObject({ firstBlock: 3, blockNumber: blocks.length - 1 });
  expect(serving.commit).toEqual(await store.committed());
  const readable = { chain, store, serving };
  expect(await checkServing({ engine, chains: [readable] }, readable, {})).toEqual([]);
  expect((await storedExtension(engine, chain.name))?.state).toBe("exchanged");
  await openChainStore(engine, chain.name);
  expect(await storedExtension(engine, chain.name)).toBeNull();
});

it("follows reorgs at the head, including one below the first stored block", async () => {
  const name = "forked";
  const blocks = grow([], 22);
  await indexed(name, blocks, 18);
  await extended(name, blocks, 2, {
    during: async () => {
      await sleep(300);
      // The fork begins below the first stored block, 18, and above the final ones.
      blocks.splice(16);
      grow(blocks, 25, "b");
      await sleep(300);
      blocks.splice(24);
      grow(blocks, 27, "c");
    },
  });
  expect(await checksums(engine, name)).toEqual(await tablesFrom(blocks, 2));
});

it("also replaces values that an earlier version stored in the blocks", async () => {
  const name = "earlier";
  const blocks = grow([], 14);
  await indexed(name, blocks, 8);
  await engine.execute(
    sql`ALTER TABLE earlier_blocks UPDATE logged_singletons = 'other' WHERE 1 SETTINGS mutations_sync = 1`,
  );
  await extended(name, blocks, 5);
  expect(await checksums(engine, name)).toEqual(await tablesFrom(blocks, 5));
});

it("fetches blocks again if their stored rows are incomplete, and rebuilds all others", async () => {
  const name = "damaged";
  const blocks = grow([], 16);
  await indexed(name, blocks, 8);
  await engine.execute(
    sql`ALTER TABLE damaged_logs DELETE WHERE block_number = 11 SETTINGS mutations_sync = 2`,
  );
  await engine.execute(
    sql`ALTER TABLE damaged_blocks DELETE WHERE block_number = 13 SETTINGS mutations_sync = 2`,
  );
  const fetched: number[] = [];
  await extended(name, blocks, 4, { onFetch: (number) => fetched.push(number) });
  expect(await checksums(engine, name)).toEqual(await tablesFrom(blocks, 4));
  expect(fetched).toEqual([4, 5, 6, 7, 11, 13]);
});

it("fails if the earlier blocks belong to another chain, and leaves the index as it was", async () => {
  const name = "foreign";
  const blocks = grow([], 24);
  await indexed(name, blocks, 4);
  const others = grow([], 8, "other").concat(blocks.slice(9));
  const before = await checksums(engine, name);
  await expect(extended(name, others, 1)).rejects.toThrow("the earlier blocks belong to another chain");
  expect(await checksums(engine, name)).toEqual(before);
});

it("asks all endpoints before it concludes that the earlier blocks belong to another chain", async () => {
  const name = "doubted";
  const blocks = grow([], 24);
  await indexed(name, blocks, 4);
  const commit = await (await openChainStore(engine, name)).committed();
  if (commit === null) throw new Error("nothing is stored");
  const parent = blocks[3]?.block;
  const first = { number: 3, hash: blocks[2]?.block.hash ?? "0x" } as const;
  const linked = (hasBlock: Source["hasBlock"]) =>
    requireLinked(engine, name, commit, { blockRef: async () => first, hasBlock });
  await linked(async ({ number, hash }) => number === 3 && hash === parent?.hash);
  await expect(linked(async () => false)).rejects.toThrow("the earlier blocks belong to another chain");
});

it("rebuilds fees with the stored values", () => {
  const random = seeded(5);
  const fees = Array.from(
    { length: 2_000 },
    (_, i) => BigInt(Math.floor(random() * 2 ** 53)) * 10n ** BigInt(i % 8) + 1n,
  );
  for (const fee of [0n, 1n, 21_000n * 10n ** 9n, 10n ** 18n, 10n ** 23n, ...fees]) {
    const feeEth = toUnits(fee, 18);
    const rebuilt = rebuiltFee(feeEth);
    expect(rebuilt === null ? null : toUnits(rebuilt, 18)).toBe(feeEth);
  }
  expect(rebuiltFee(Number.NaN)).toBeNull();
  expect(rebuiltFee(1.5e-19)).toBeNull();
});
