import { setMaxListeners } from "node:events";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { CommitFollower } from "../../src/cli/serving/commit-follower.ts";
import { StateLoader } from "../../src/cli/serving/state-loader.ts";
import { systemClock } from "../../src/lib/async/clock.ts";
import { createLogger } from "../../src/lib/log.ts";
import { ManualClock } from "../../src/lib/support/manual-clock.ts";
import { loadTokens } from "../../src/reads/served/load-tokens.ts";
import { checkServing } from "../../src/reads/served/self-check.ts";
import { commitTrades } from "../../src/reads/support/market.ts";
import { MAX_AGE_MS, ServingState } from "../../src/serving/serving-state.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { connectServerEngine } from "../../src/storage/engines/server/server-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { type ClickHouseServer, startClickHouse } from "../support/engine/clickhouse-server.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { poolTvls } from "./questions/pool-questions.ts";
import { allTimePrices, candles, latestPrices, priceChanges, ticks } from "./questions/price-questions.ts";
import { newestRecords } from "./questions/record-questions.ts";
import { status } from "./questions/status-questions.ts";
import { walletBatch } from "./questions/wallet-questions.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain, TOKENS } from "./random-chain.ts";

const ROUNDS = 8;
const QUESTIONS_PER_ROUND = 8;

/** Kinds of requests, one for each part of the state. */
const KINDS = [
  ...[latestPrices, allTimePrices, priceChanges, candles, ticks],
  ...[walletBatch, newestRecords, poolTvls, status],
];

const CLOCK = { ...systemClock, now: () => 1_800_000_000_000 };
const BYTES = 64 * 2 ** 20;

const folder = temporaryFolder();
let server: ClickHouseServer;
let engine: Engine;

beforeAll(async () => {
  server = await startClickHouse(folder.path);
  engine = await connectServerEngine(server);
});
afterAll(async () => {
  await engine?.close();
  await server?.stop();
  folder.remove();
});

/** Makes a serving state that follows a chain of the server, as another process would. */
function follow(name: string) {
  const broken = { reason: null as string | null };
  const failing: Engine = {
    query: (statement, limits) =>
      broken.reason === null ? engine.query(statement, limits) : Promise.reject(new Error(broken.reason)),
    stream: (...given) => engine.stream(...given),
    execute: (statement) => engine.execute(statement),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
  };
  const clock = new ManualClock();
  const chain = { ...ETH, name };
  const log = chainCommits(failing, name);
  const serving = new ServingState(BYTES);
  const readable = { chain, store: log, serving };
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const limits = { signal: stop.signal };
  const source = { reader: { engine: failing, chains: [readable] }, readable, limits };
  const logger = createLogger("silent");
  const follower = new CommitFollower(source, serving, log, { logger, clock });
  const loader = new StateLoader(source, serving, { logger, clock });
  return { broken, clock, follower, loader, serving, readable, source, stop };
}

/** Sends a random request about the chain. */
async function ask(app: FastifyInstance, random: Random, { chain, now }: { chain: string; now: number }) {
  const { path, body } = random.pick(KINDS)(random, now);
  const response = await (body === undefined
    ? app.inject(path)
    : app.inject({ method: "POST", url: path, payload: { ...body, chain } }));
  const { "x-commit": commit, "x-indexed-block": block } = response.headers;
  return { status: response.statusCode, body: response.body, commit, block };
}

/** Removes all rows of a block, like a repair that finds the block to be empty. */
async function emptyOneBlock(store: ChainStore, random: Random): Promise<void> {
  const newest = await store.committed();
  if (newest === null || newest.blockNumber < newest.firstBlock) return;
  const block = Math.max(newest.firstBlock, newest.blockNumber - random.below(3));
  await store.replace({ first: block, last: block }, {});
}

it("answers like the engine after commits, rollbacks and replaced blocks", { timeout: 180_000 }, async () => {
  const { follower, loader, serving, readable, stop } = follow("followed");
  const loading = loader.run();
  const store = await openChainStore(engine, "followed", { checkpointBlocks: 8 });
  const fromMemory = await createServer({ engine, chains: [readable], clock: CLOCK });
  const fromEngine = await createServer({ engine, chains: [{ chain: readable.chain, store }], clock: CLOCK });
  const random = new Random(16);
  const blocks = new RandomChain(store, random);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = random.below(3); i >= 0; i--) await blocks.step();
    if (round % 4 === 3) await emptyOneBlock(store, random);
    await follower.step();
    expect(serving.commit).toEqual(await store.committed());
    const at = { chain: "followed", now: blocks.now };
    for (let i = 0; i < QUESTIONS_PER_ROUND; i++) {
      const seed = random.below(1_000_000);
      const answers = [fromMemory, fromEngine].map((app) => ask(app, new Random(seed), at));
      const [known, stored] = await Promise.all(answers);
      expect(known).toEqual(stored);
    }
  }
  const { memory, filled, engine: byEngine } = serving.counters;
  expect(memory + filled).toBeGreaterThan(byEngine);
  stop.abort();
  await Promise.all([loading, fromMemory.close(), fromEngine.close()]);
});

it("is not used once the store has failed for two seconds, and continues where it was", async () => {
  const { broken, clock, follower, serving, source } = follow("outage");
  await follower.step();
  expect(serving.commit).toBeNull();
  const store = await openChainStore(engine, "outage");
  const trade = (at: number) => [{ token: TOKENS[0] as `0x${string}`, at, price: 1 }];
  await commitTrades(store, trade(1_700_000_000), { firstBlock: 1000 });
  await follower.step();
  expect(await loadTokens(source)).toBe(1);
  broken.reason = "connection refused";
  const newest = await commitTrades(store, trade(1_700_000_012), { firstBlock: 1001 });
  await clock.advance(MAX_AGE_MS);
  await follower.step();
  expect(serving.commit?.blockNumber).toBe(1000);
  await clock.advance(1);
  expect(serving.commit).toBeNull();
  broken.reason = null;
  await follower.step();
  expect(serving.commit).toEqual(newest);
  expect(serving.parts.tickPrices.get(TOKENS[0] as string)?.closed.blockNumber).toBe(1001);
});

it("follows from the first commit on, until it is stopped", async () => {
  const { clock, follower, serving, stop } = follow("new");
  let starts = 0;
  const following = follower.run(() => starts++);
  const store = await openChainStore(engine, "new");
  for (const number of [1000, 1001]) {
    const trades = [{ token: TOKENS[0] as `0x${string}`, at: 1_700_000_000 + number, price: 1 }];
    const commit = await commitTrades(store, trades, { firstBlock: number });
    const followed = expect.poll(async () => {
      await clock.advance(50);
      return serving.commit;
    });
    await followed.toEqual(commit);
  }
  stop.abort();
  await following;
  expect([starts, clock.pending]).toEqual([1, 0]);
});

it("starts again with everything unknown when it is too far behind", async () => {
  const { follower, serving, source } = follow("backfilled");
  const store = await openChainStore(engine, "backfilled");
  const trades = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({ token: TOKENS[0] as `0x${string}`, at: from + i, price: 1 }));
  await commitTrades(store, trades(1, 1_700_000_000), { firstBlock: 1000 });
  await follower.step();
  await loadTokens(source);
  expect(serving.parts.tickPrices.use.entries).toBe(1);
  const newest = await commitTrades(store, trades(501, 1_700_000_001), { firstBlock: 1001 });
  await follower.step();
  expect([serving.commit, serving.parts.tickPrices.use.entries]).toEqual([newest, 0]);
});

it("knows only what the store holds when blocks are replaced and rolled back during loading", async () => {
  const { follower, serving, readable, source } = follow("loading");
  const store = await openChainStore(engine, "loading");
  const random = new Random(5);
  const blocks = new RandomChain(store, random);
  for (let i = 0; i < 10; i++) await blocks.step();
  await follower.step();
  for (let round = 0; round < 4; round++) {
    const loading = loadTokens(source).catch(() => 0);
    await (round % 2 === 0 ? emptyOneBlock(store, random) : blocks.step());
    await follower.step();
    await loading;
    expect(await checkServing(source.reader, readable, {})).toEqual([]);
  }
  await loadTokens(source);
  expect(serving.parts.tickPrices.use.entries).toBeGreaterThan(0);
});
