import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import type { Commit, Engine } from "../../src/storage/store.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { allTimePrices, latestPrices } from "./questions/price-questions.ts";
import { walletBatch } from "./questions/wallet-questions.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain } from "./random-chain.ts";

const READERS = 8;
const STEPS = 16;
/**
 * Number of answers to wait for after each commit. Otherwise, on a busy machine, commits would leave the
 * readers no time.
 */
const ANSWERS_PER_STEP = 16;

/** Number of answers to compare with the engine, which takes a few seconds. */
const COMPARED = 60;

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

interface Seen {
  url: string;
  answer: { status: number; body: string; commit: unknown; block: unknown; etag: unknown };
}

function urlOf(random: Random): string {
  const { path, body = {} } = random.pick([latestPrices, allTimePrices, walletBatch])(random, 0);
  const values = Object.entries(body).map(([name, value]) => [name, String(value)]);
  return `${path}?${new URLSearchParams(Object.fromEntries(values))}`;
}

async function get(app: FastifyInstance, url: string): Promise<Seen["answer"]> {
  const { statusCode, body, headers } = await app.inject({ url });
  const { "x-commit": commit, "x-indexed-block": block, etag } = headers;
  return { status: statusCode, body, commit, block, etag };
}

it("no answer mixes two commits while eight clients read during commits and rollbacks", {
  timeout: 180_000,
}, async () => {
  const store = await openChainStore(engine, ETH.name, { checkpointBlocks: 1_000_000 });
  const serving = new ServingState(64 * 2 ** 20);
  store.follow(serving);
  const app = await createServer({ engine, chains: [{ chain: ETH, store, serving }] });
  const seen: Seen[] = [];
  const commits: Commit[] = [];
  let isOver = false;
  const readers = Array.from({ length: READERS }, async (_, seed) => {
    const random = new Random(seed);
    while (!isOver) {
      const url = urlOf(random);
      if (commits.length > 0) seen.push({ url, answer: await get(app, url) });
      // Yields to the event loop, which the writer needs. Answers from memory do not yield.
      await new Promise(setImmediate);
    }
  });
  const blocks = new RandomChain(store, new Random(8));
  for (let step = 0; step < STEPS; step++) {
    commits.push(await blocks.step());
    const enough = seen.length + ANSWERS_PER_STEP;
    while (seen.length < enough) await new Promise(setImmediate);
  }
  isOver = true;
  await Promise.all(readers);
  await expectEngineAnswers(seen, commits);
  expect(serving.counters.memory).toBeGreaterThan(COMPARED);
  await app.close();
});

/**
 * Compares answers with the engine's. The engine can still answer as of a commit if none of its blocks was
 * rolled back later.
 */
async function expectEngineAnswers(seen: readonly Seen[], commits: readonly Commit[]): Promise<void> {
  let pinned = commits[0] as Commit;
  const store = { chain: ETH.name, committed: async () => pinned };
  const engineAlone = await createServer({ engine, chains: [{ chain: ETH, store }] });
  const answerable = new Map(
    commits
      .filter((commit, i) => commits.slice(i).every(({ blockNumber }) => blockNumber >= commit.blockNumber))
      .map((commit) => [String(commit.sequence), commit]),
  );
  const comparable = seen.filter(({ answer }) => answerable.has(String(answer.commit)));
  const stride = Math.ceil(comparable.length / COMPARED);
  const compared = comparable.filter((_, i) => i % stride === 0);
  for (const { url, answer } of compared) {
    pinned = answerable.get(String(answer.commit)) as Commit;
    expect(answer, url).toEqual(await get(engineAlone, url));
  }
  const named = new Set(compared.map(({ answer }) => answer.commit));
  expect(named.size).toBeGreaterThan(2);
  await engineAlone.close();
}
