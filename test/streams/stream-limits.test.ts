import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { commitTrades, ETH, hashOf, hexOf } from "../../src/reads/support/market.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { openEvents } from "./support/event-reader.ts";
import { type StreamService, serveFollower } from "./support/stream-service.ts";

const TOKEN = hexOf(9);
const OTHER = hexOf(10);

const folder = temporaryFolder();
let engine: Engine;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: folder.path });
  const store = await openChainStore(engine, ETH.name, {});
  await commitTrades(store, [{ token: TOKEN, at: 1_700_000_040, price: 2 }], { firstBlock: 1000 });
});

afterAll(async () => {
  await engine?.close();
  folder.remove();
});

const open = (query: string, { from }: { from: StreamService }) =>
  openEvents(`${from.url}/v1/stream?${query}`, {});

it("limits the addresses in the filters of a client's streams, and of all", async () => {
  const trades = (count: number) => `type=trades&token_address=${[TOKEN, OTHER].slice(0, count).join(",")}`;
  for (const [limits, status, reason] of [
    [{ clientFilters: 3 }, 429, "the filters of its streams have 2 addresses, 4 with this one"],
    [{ streamFilters: 3 }, 503, "the filters of all streams have 2 addresses, 4 with this one"],
  ] as const) {
    const limited = await serveFollower(engine, { limits });
    const stream = open(trades(2), { from: limited });
    await stream.next();
    const refused = await fetch(`${limited.url}/v1/stream?${trades(2)}`);
    expect([refused.status, await refused.json()]).toEqual([
      status,
      { error: expect.stringContaining(reason) },
    ]);
    // A stream without filters does not count towards the limit.
    const others = [open(trades(1), { from: limited }), open("type=trades", { from: limited })];
    for (const one of others) expect(await one.next()).toMatchObject({ event: "snapshot" });
    for (const one of [stream, ...others]) one.close();
    await expect.poll(async () => (await fetch(`${limited.url}/v1/stream?${trades(2)}`)).status).toBe(200);
    await limited.stop();
  }
});

it("limits the subscriptions of a client's streams, and of all", async () => {
  const types = (count: number) =>
    `subscriptions=${JSON.stringify(["trades", "blocks", "transfers"].slice(0, count).map((type) => ({ type })))}`;
  for (const [limits, status, reason] of [
    [{ clientSubscriptions: 3 }, 429, "its streams have 2 subscriptions, 4 with this one"],
    [{ streamSubscriptions: 3 }, 503, "all streams have 2 subscriptions, 4 with this one"],
  ] as const) {
    const limited = await serveFollower(engine, { limits });
    const stream = open(types(2), { from: limited });
    await stream.next();
    const refused = await fetch(`${limited.url}/v1/stream?${types(2)}`);
    expect([refused.status, await refused.json()]).toEqual([
      status,
      { error: expect.stringContaining(reason) },
    ]);
    const third = open(types(1), { from: limited });
    expect(await third.next()).toMatchObject({ event: "snapshot" });
    for (const one of [stream, third]) one.close();
    await expect.poll(async () => (await fetch(`${limited.url}/v1/stream?${types(2)}`)).status).toBe(200);
    await limited.stop();
  }
});

it("limits the prices, candles and pools that all streams follow", async () => {
  const limited = await serveFollower(engine, { limits: { streamStates: 3 } });
  const prices = (count: number) => `type=prices&token_address=${[TOKEN, OTHER].slice(0, count).join(",")}`;
  const stream = open(prices(2), { from: limited });
  await stream.next();
  const refused = await fetch(`${limited.url}/v1/stream?${prices(2)}`);
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: expect.stringContaining("all streams follow 2 prices, candles and pools, 4 with this one") },
  ]);
  const others = [open(prices(1), { from: limited }), open("type=trades", { from: limited })];
  for (const one of others) expect(await one.next()).toMatchObject({ event: "snapshot" });
  for (const one of [stream, ...others]) one.close();
  await expect.poll(async () => (await fetch(`${limited.url}/v1/stream?${prices(2)}`)).status).toBe(200);
  await limited.stop();
});

it("waits for the client's turn with every statement, even for an unknown position", async () => {
  const users: unknown[] = [];
  const watched: Engine = {
    query: (statement, limits) => {
      users.push(limits?.user?.name);
      return engine.query(statement, limits);
    },
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: async () => {},
  };
  const store = chainCommits(watched, ETH.name);
  const serving = new ServingState(2 ** 20);
  const newest = (await store.committed()) ?? expect.fail("nothing is committed");
  serving.startAt(newest);
  const app = await createServer({ engine: watched, chains: [{ chain: ETH, store, serving }] });
  await app.listen({ port: 0, host: "127.0.0.1" });
  users.length = 0;
  const stream = openEvents(`${app.listeningOrigin}/v1/stream?type=trades`, {
    "last-event-id": `${newest.sequence}:999999999:${hashOf(1)}`,
  });
  expect((await stream.next()).event).toBe("reset");
  expect(users.length).toBeGreaterThan(2);
  expect(new Set(users)).toEqual(new Set(["127.0.0.1"]));
  stream.close();
  await app.close();
});
