import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createServer } from "../../api/http/server.ts";
import type { Logger } from "../../lib/log.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { ETH, hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import type { Engine } from "../../storage/store.ts";
import { keepServing, withServing } from "./serving-states.ts";

const TOKEN = hexOf(0xa1);
const AT = 1_700_000_000;
const TICKS = `/v1/price/historical/tick?token_address=${TOKEN}&until_timestamp=${AT}`;

/** Allows for an engine that is slow on a busy machine. */
const PATIENCE = { timeout: 50_000 };

let market: Market;

beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: AT, price: 1 }]);
});
afterAll(() => market.close());

const [info, warn] = [vi.fn(), vi.fn()];
const logger = { info, warn } as unknown as Logger;

beforeEach(() => {
  vi.clearAllMocks();
});

/** An engine that, if `refuses` is set, rejects queries or only loads of the newest trades. */
class RefusingEngine implements Engine {
  refuses: "query" | "load" | null = null;
  refused = 0;

  query<R>(...given: Parameters<Engine["query"]>): Promise<R[]> {
    this.#refuse("query");
    return market.engine.query<R>(...given);
  }

  stream(...given: Parameters<Engine["stream"]>): AsyncIterable<Uint8Array> {
    if (given[1] === "RowBinary") this.#refuse("load");
    return market.engine.stream(...given);
  }

  execute: Engine["execute"] = (...given) => market.engine.execute(...given);
  insert: Engine["insert"] = (...given) => market.engine.insert(...given);
  close: Engine["close"] = () => Promise.resolve();

  #refuse(kind: "query" | "load"): void {
    if (this.refuses !== kind) return;
    this.refused++;
    throw new Error("the engine is out of memory");
  }
}

interface Service {
  app: FastifyInstance;
  clock: ManualClock;
  engine: RefusingEngine;
  serving: ServingState;
  close(): Promise<void>;
}

async function start(refuses: "query" | "load"): Promise<Service> {
  const engine = new RefusingEngine();
  engine.refuses = refuses;
  const clock = new ManualClock();
  const chains = await withServing([{ chain: ETH, store: market.store }], 2 ** 24, market.store);
  const stop = new AbortController();
  await keepServing({ engine, chains }, { logger, signal: stop.signal, clock });
  const app = await createServer({ engine, chains });
  const close = () => {
    stop.abort();
    return app.close();
  };
  return { app, clock, engine, serving: chains[0]?.serving as ServingState, close };
}

/**
 * Waits until the loader pauses before the next load. Then two timers are pending: the pause, and the next
 * comparison with the store.
 */
const paused = (clock: ManualClock) => expect.poll(() => clock.pending, PATIENCE).toBe(2);

it("repeats a load that fails less and less often, however many questions need it", async () => {
  const { app, clock, engine, serving, close } = await start("load");
  const loads: number[] = [];
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    await paused(clock);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject(TICKS)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    loads.push(engine.refused);
    await clock.advance(pauseMs);
  }
  await paused(clock);
  expect([...loads, engine.refused]).toEqual([1, 2, 3, 4]);
  expect([serving.window.rows, serving.counters.failedLoads]).toEqual([null, 4]);
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { chain: "eth", reason: "the engine is out of memory" },
  ]);
  engine.refuses = null;
  await clock.advance(8_000);
  await expect.poll(() => serving.loadSeconds, PATIENCE).not.toBe(null);
  expect(serving.window.rows?.next).toBe(1);
  const { memory } = serving.counters;
  await app.inject(TICKS);
  expect(serving.counters.memory).toBe(memory + 1);
  await close();
});

it("loads prices that could not be loaded at the start, and the newest trades again after they were lost", async () => {
  const { app, clock, engine, serving, close } = await start("query");
  await paused(clock);
  expect(serving.parts.tickPrices.use.entries).toBe(0);
  engine.refuses = null;
  await clock.advance(1_000);
  await expect.poll(() => serving.loadSeconds, PATIENCE).not.toBe(null);
  expect(serving.parts.tickPrices.use.entries).toBe(1);
  serving.startAt(serving.position);
  await app.inject(TICKS);
  await expect.poll(() => serving.window.rows?.next, PATIENCE).toBe(1);
  await close();
  await expect.poll(() => clock.pending, PATIENCE).toBe(0);
});
