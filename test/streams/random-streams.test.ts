import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { Random } from "../serving/random.ts";
import { ETH, POOLS, RandomChain, TOKENS, TRADERS } from "../serving/random-chain.ts";
import { apiAt } from "../support/processes/processes.ts";
import { RandomClient } from "./support/random-client.ts";
import { randomSubscriptions, type Subjects } from "./support/random-subscriptions.ts";
import { type StreamService, serveFollower, serveWriter, Writer } from "./support/stream-service.ts";

/** Set QUARRY_STREAM_CLIENTS and QUARRY_STREAM_STEPS for a longer run. */
const CLIENTS = Number(process.env.QUARRY_STREAM_CLIENTS ?? 60);
const STEPS = Number(process.env.QUARRY_STREAM_STEPS ?? 40);
/** After this many steps, the next step waits for all clients. */
const STEPS_TOGETHER = 5;
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

const SUBJECTS: Subjects = {
  tokens: TOKENS,
  pools: POOLS,
  traders: TRADERS,
  wallets: TRADERS,
  tradeUsd: 5_000,
  transferUsd: 5_000,
  intervals: ["1h", "1d"],
};

let folder: string;
let engine: Engine;
let store: ChainStore;
const writer = new Writer();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-streams-"));
  engine = await openEmbeddedEngine({ path: folder });
  store = await openChainStore(engine, ETH.name, {});
  store.follow(writer);
});

afterAll(async () => {
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

it("clients reconstruct the tables while the chain reorganizes, servers restart and connections break", async () => {
  const random = new Random(SEED);
  const chain = new RandomChain(store, random);
  for (let i = 0; i < 5; i++) await chain.step();
  const limits = { clientStreams: 10_000, streamBufferBytes: 256 * 1024 };
  const start = [
    () => serveWriter(engine, store, writer, { limits }),
    () => serveFollower(engine, { limits }),
  ];
  const services: StreamService[] = await Promise.all(start.map((one) => one()));
  const urls = () => services.map(({ url }) => url);
  const clients = Array.from(
    { length: CLIENTS },
    (_, i) => new RandomClient(randomSubscriptions(random, SUBJECTS), { seed: SEED + i, urls }),
  );
  const running = clients.map((client) => client.run());
  for (let step = 0; step < STEPS; step++) {
    await chain.step();
    if (random.below(10) === 0) await restart(random.below(services.length), random.below(2) === 0);
    for (const client of clients) if (random.below(20) === 0) client.disconnect();
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
    // Waits for slow clients. Otherwise they would miss most reorgs on a busy machine, and get snapshots.
    if (step % STEPS_TOGETHER === 0) await allReachNewest();
  }

  async function allReachNewest(): Promise<void> {
    const newest = await store.committed();
    if (newest === null) throw new Error("nothing was committed");
    await Promise.all(clients.map((client) => client.reaches(newest.blockHash)));
  }

  async function restart(at: number, isKilled: boolean): Promise<void> {
    const old = services[at] as StreamService;
    await (isKilled ? old.kill() : old.stop());
    services[at] = await (start[at] as (typeof start)[0])();
  }

  await allReachNewest();
  const api = apiAt((services[0] as StreamService).url);
  for (const client of clients) expect(await client.lastingDifferences(api)).toEqual([]);
  const resumes = clients.reduce((sum, { resumes }) => sum + resumes, 0);
  const rollbacks = clients.reduce((sum, one) => sum + one.reconstruction.rollbacks, 0);
  expect([resumes > CLIENTS / 2, rollbacks > CLIENTS]).toEqual([true, true]);
  for (const client of clients) client.end();
  await Promise.all(running);
  await Promise.all(services.map((service) => service.stop()));
}, 600_000);
