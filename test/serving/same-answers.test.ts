import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { type Clock, systemClock } from "../../src/lib/async/clock.ts";
import { checkServing } from "../../src/reads/served/self-check.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { poolTvls } from "./questions/pool-questions.ts";
import {
  allTimePrices,
  bars,
  candles,
  latestPrices,
  priceChanges,
  ticks,
} from "./questions/price-questions.ts";
import type { AskAtRandom, Question } from "./questions/question.ts";
import { newestRecords } from "./questions/record-questions.ts";
import { screens } from "./questions/screener-questions.ts";
import { status } from "./questions/status-questions.ts";
import { walletBatch, walletPerToken, walletTotals } from "./questions/wallet-questions.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain, TOKENS } from "./random-chain.ts";

/** Every kind of request that the serving state answers. */
const KINDS: Record<string, AskAtRandom> = {
  latestPrices,
  allTimePrices,
  walletBatch,
  walletTotals,
  walletPerToken,
  newestRecords,
  poolTvls,
  status,
  priceChanges,
  candles,
  bars,
  ticks,
  screens,
};

/**
 * For a longer run: `QUARRY_QUESTIONS=50000 QUARRY_FIRST_SEED=1`. Each seed gives a different chain and
 * different requests.
 */
const { QUARRY_QUESTIONS, QUARRY_FIRST_SEED = 0 } = process.env;
const QUESTIONS = Number(QUARRY_QUESTIONS ?? 200);
/** Number of requests after each commit. The self-check after each commit takes as long as 20 requests. */
const QUESTIONS_PER_COMMIT = QUARRY_QUESTIONS === undefined ? 20 : 60;

/** Timeout: on a busy machine, a commit and its requests take a second. */
const LONG = { timeout: 180_000 + QUESTIONS * 200 };

/** Sizes of memory: enough for everything, and enough for about a tenth of it. */
const SIZES = { "with room for everything": 64 * 2 ** 20, "with too little room": 40_000 };

let engine: Engine;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-serving-"));
  engine = await openEmbeddedEngine({ path: folder });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(Object.entries(SIZES))("the serving state %s", (title, bytes) => {
  it("gives the same bytes as the engine, at every commit of a chain with reorgs", LONG, async () => {
    const chain = { ...ETH, name: `c${bytes}`, stableCoins: TOKENS.slice(4, 6) };
    const store = await openChainStore(engine, chain.name, { checkpointBlocks: 8 });
    const serving = new ServingState(bytes);
    store.follow(serving);
    const readable = { chain, store, serving };
    const random = new Random(bytes + Number(QUARRY_FIRST_SEED));
    const blocks = new RandomChain(store, random);
    let now = 0;
    const clock = { ...systemClock, now: () => now * 1000 };
    const fromMemory = await serverOver(chain, { store, clock, serving });
    const fromEngine = await serverOver(chain, { store, clock });
    for (let asked = 0; asked < QUESTIONS; asked += QUESTIONS_PER_COMMIT) {
      await blocks.step();
      expect(await checkServing({ engine, chains: [readable] }, readable, {})).toEqual([]);
      for (let i = 0; i < QUESTIONS_PER_COMMIT; i++) {
        // Some requests arrive long after the newest block.
        now = blocks.now + random.below(3) * 40;
        const kind = random.pick(Object.keys(KINDS));
        const question = KINDS[kind]?.(random, blocks.now) as Question;
        const answers = [
          await ask(fromMemory, question, chain.name),
          await ask(fromEngine, question, chain.name),
        ];
        expect(answers[0], `${kind} ${JSON.stringify(question)}`).toEqual(answers[1]);
      }
    }
    const { memory, filled, engine: byEngine } = serving.counters;
    if (title === "with room for everything") expect(memory).toBeGreaterThan(filled + byEngine);
    else expect(filled + byEngine).toBeGreaterThan(0);
    await Promise.all([fromMemory.close(), fromEngine.close()]);
  });
});

interface ServerOptions {
  store: ChainStore;
  clock: Clock;
  serving?: ServingState;
}

function serverOver(chain: typeof ETH, { clock, ...options }: ServerOptions): Promise<FastifyInstance> {
  return createServer({ engine, clock, chains: [{ chain, ...options }] });
}

async function ask(app: FastifyInstance, { path, body }: Question, chain: string) {
  const response = await (body === undefined
    ? app.inject(path)
    : app.inject({ method: "POST", url: path, payload: { ...body, chain } }));
  const { "x-commit": commit, "x-indexed-block": block } = response.headers;
  return { status: response.statusCode, body: withoutAges(response.body), commit, block };
}

/**
 * Removes the ages of blocks from a status. Only a process with a serving state sends frames of streams, so
 * only its status has these ages.
 */
function withoutAges(body: string): string {
  return body.replace(/"block_age":\{.*?"sent":(null|\{.*?\})\},/g, "");
}
