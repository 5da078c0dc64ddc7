import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { BaseError } from "../../../src/lib/error.ts";
import { openEraSource } from "../../../src/sources/files/era-source.ts";
import { localFiles } from "../../../src/sources/files/local-files.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { open, replay } from "../../../src/sources/support/rpc-endpoints.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { openFreshEngine } from "../../support/engine/fresh-engine.ts";
import { wholeBlocks, writeBundle } from "../../support/era-files/whole-blocks.ts";
import { writeEre } from "../../support/era-files/write-era.ts";
import { MAINNET } from "../../support/nodes/bundles.ts";
import { startFakeNode } from "../../support/nodes/fake-node.ts";
import { temporaryFolder } from "../../support/processes/processes.ts";
import { type FakeBlock, fakeChainFacts, grow } from "../../support/simulation/fake-chain.ts";

const FINAL_DEPTH = 12;
const TIP = 30;
/** The last block that the two forks share; it is final. */
const SHARED = 5;

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Starts a node for the current test, which may replace the node's chain. */
async function nodeOf(first: readonly FakeBlock[]) {
  const chain = {
    blocks: first,
    get head() {
      const { number, hash } = (this.blocks.at(-1) as FakeBlock).block;
      return { number, hash };
    },
    get final() {
      return this.head.number - FINAL_DEPTH;
    },
    at(number: number) {
      return this.blocks[number];
    },
  };
  const { url, stop } = await startFakeNode(chain, 77);
  onTestFinished(async () => void (await stop()));
  return { url, chain };
}

/** Indexes up to a block, and returns the hash of the newest stored block. */
async function indexed(name: string, nodes: { url: string }[], to: number) {
  const chain = fakeChainFacts(name, { kind: "depth", blocks: FINAL_DEPTH });
  const { signal } = new AbortController();
  const limits = { minRetryDelayMs: 2, maxRetryDelayMs: 20 };
  const source = await openRpcSource({ urls: nodes.map(({ url }) => url), chain, verify: false, limits });
  onTestFinished(() => source.close());
  const store = await openChainStore(engine, name);
  const logger = { info() {}, warn() {} };
  const options = { chain, source, store, engine, from: 0, to, pollMs: 1, retryWaitsMs: [1], signal, logger };
  await new Indexer(options).run();
  return (await store.committed())?.blockHash;
}

const fork = (blocks: readonly FakeBlock[], from: number, upTo: number, salt: string) =>
  grow(blocks.slice(0, from), upTo, salt);

it("survives a small reorg although another endpoint is on a fork below finality", async () => {
  const honest = await nodeOf(grow([], TIP));
  const forked = await nodeOf(fork(honest.chain.blocks, SHARED + 1, TIP + 1, "b"));
  expect(await indexed("one_forked", [honest], TIP)).toBe(honest.chain.head.hash);
  honest.chain.blocks = fork(honest.chain.blocks, TIP, TIP + 1, "c");
  expect(await indexed("one_forked", [forked, honest], TIP + 1)).toBe(honest.chain.head.hash);
});

it("stops if all endpoints are on a fork below finality", async () => {
  const first = await nodeOf(grow([], TIP));
  const second = await nodeOf(first.chain.blocks);
  expect(await indexed("all_forked", [first, second], TIP)).toBe(first.chain.head.hash);
  first.chain.blocks = fork(first.chain.blocks, SHARED + 1, TIP + 1, "b");
  second.chain.blocks = first.chain.blocks;
  const error = await indexed("all_forked", [first, second], TIP + 1).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BaseError);
  expect(error).toMatchObject({
    code: "reorg-too-deep",
    message: expect.stringContaining("quarry rewind 5"),
  });
});

it("does not keep files from being confirmed by the other endpoint", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const blocks = wholeBlocks(3);
  const [forked, honest] = [await replay(MAINNET), await replay(writeBundle(folder.path, blocks))];
  const path = join(folder.path, "files");
  mkdirSync(path);
  writeFileSync(join(path, "all.ere"), writeEre(blocks.map(({ encoded }) => encoded)));
  const numbers = blocks.map(({ encoded }) => encoded.number);
  const { signal } = new AbortController();
  const { source } = await open([forked, honest]);
  const places = await localFiles(path);
  const files = await openEraSource({ places, chainId: 1, node: source, anchor: null, stored: null, signal });
  const read: number[] = [];
  const range = { from: Math.min(...numbers), to: Math.max(...numbers) };
  for await (const { number } of files.blocks(range, signal)) read.push(number);
  expect(read).toEqual(numbers);
});
