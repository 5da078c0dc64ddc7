import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { CommitFollower } from "../../src/cli/serving/commit-follower.ts";
import { createLogger } from "../../src/lib/log.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { connectServerEngine } from "../../src/storage/engines/server/server-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { type ClickHouseServer, startClickHouse } from "../support/engine/clickhouse-server.ts";
import { startSource, temporaryFolder } from "../support/processes/processes.ts";
import { allTimePrices, latestPrices } from "./questions/price-questions.ts";
import { walletBatch } from "./questions/wallet-questions.ts";
import { Random } from "./random.ts";
import { ETH } from "./random-chain.ts";

const KILLS = Number(process.env.QUARRY_KILLS ?? 100);
const QUESTIONS_PER_KILL = 10;
const LONGEST_LIFE_MS = 800;

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

async function ask(app: FastifyInstance, random: Random) {
  const { path, body = {} } = random.pick([latestPrices, allTimePrices, walletBatch])(random, 0);
  const { statusCode, body: text, headers } = await app.inject({ method: "POST", url: path, payload: body });
  return { statusCode, text, commit: headers["x-commit"], block: headers["x-indexed-block"] };
}

it("follows a writer that is killed again and again", { timeout: 120_000 + KILLS * 20_000 }, async () => {
  const log = chainCommits(engine, ETH.name);
  const serving = new ServingState(64 * 2 ** 20);
  const readable = { chain: ETH, store: log, serving };
  const stop = new AbortController();
  const limits = { signal: stop.signal };
  const source = { reader: { engine, chains: [readable] }, readable, limits };
  const follower = new CommitFollower(source, serving, log, { logger: createLogger("silent") });
  const following = follower.run(() => undefined);
  const fromMemory = await createServer({ engine, chains: [readable] });
  const fromEngine = await createServer({ engine, chains: [{ chain: ETH, store: log }] });
  const random = new Random(100);
  for (let kill = 0; kill < KILLS; kill++) {
    const writer = startSource("test/serving/support/market-loop.ts", [server.url, ETH.name]);
    await writer.printed(/done/);
    const lifeMs = random.below(LONGEST_LIFE_MS);
    for (const end = Date.now() + lifeMs; Date.now() < end; ) {
      const { statusCode, commit } = await ask(fromMemory, random);
      expect([200, 503]).toContain(statusCode);
      if (statusCode === 200) expect(Number(commit)).toBeGreaterThan(0);
    }
    await writer.stop("SIGKILL");
    await expectSameAnswers(fromMemory, fromEngine, random);
  }
  expect(serving.counters.memory).toBeGreaterThan(KILLS);
  stop.abort();
  await following;
  await Promise.all([fromMemory.close(), fromEngine.close()]);
});

async function expectSameAnswers(
  fromMemory: FastifyInstance,
  fromEngine: FastifyInstance,
  random: Random,
): Promise<void> {
  for (let i = 0; i < QUESTIONS_PER_KILL; i++) {
    const seed = random.below(1_000_000);
    const askBoth = async () => [
      await ask(fromMemory, new Random(seed)),
      await ask(fromEngine, new Random(seed)),
    ];
    const [known, stored] = await untilAtOneCommit(askBoth);
    expect(known).toEqual(stored);
  }
}

/**
 * Waits until both answers are of the same commit. Statements of the killed writer may still reach the
 * server, and then the follower needs a moment.
 */
async function untilAtOneCommit<T extends { commit: unknown }>(askBoth: () => Promise<T[]>): Promise<T[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answers = await askBoth();
    if (answers[0]?.commit === answers[1]?.commit) return answers;
    await sleep(100);
  }
  throw new Error("the state stays behind the store");
}
