import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commitTrades, ETH, hashOf, hexOf, type Trade } from "../../src/reads/support/market.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { openEvents } from "./support/event-reader.ts";
import { type StreamService, serveFollower, serveWriter, Writer } from "./support/stream-service.ts";

const AT = 1_700_000_040;
const TOKEN = hexOf(9);
const OTHER = hexOf(10);
const POOL = hexOf(0xb00);
const FIRST = 1000;

let folder: string;
let engine: Engine;
let store: ChainStore;
let service: StreamService;
let follower: StreamService;
const writer = new Writer();
let next = FIRST;
let fork = 0;

const trade = (token: typeof TOKEN, price: number, more: Partial<Trade> = {}): Trade => ({
  token,
  at: AT + 12 * (next - FIRST),
  price,
  ...more,
});

async function commit(trades: Trade[], finalized: number | null = null) {
  const made = await commitTrades(store, trades, { firstBlock: next, fork, finalized });
  next = made.blockNumber + 1;
  return made;
}

async function rollback(number: number) {
  next = number + 1;
  const made = await store.rollback({
    number,
    hash: hashOf(number, fork),
    timestamp: AT + 12 * (number - FIRST),
  });
  fork++;
  return made;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-streams-"));
  engine = await openEmbeddedEngine({ path: folder });
  store = await openChainStore(engine, ETH.name, {});
  store.follow(writer);
  await commit([trade(TOKEN, 2), trade(OTHER, 3)]);
  service = await serveWriter(engine, store, writer);
  follower = await serveFollower(engine);
});

afterAll(async () => {
  await service?.stop();
  await follower?.stop();
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (
  query: string,
  { from = service, headers = {} }: { from?: StreamService; headers?: Record<string, string> } = {},
) => openEvents(`${from.url}/v1/stream?${query}`, headers);

const STATES = [
  { id: "p", type: "prices", token_address: [TOKEN, OTHER] },
  { id: "c", type: "candles", token_address: TOKEN, interval: "1m", history: 3 },
  { id: "s", type: "pool_state", pool_address: [POOL] },
];

const CANDLES = `type=candles&token_address=${TOKEN}&interval=1m`;

const PRICES = `/v1/price-api/batch-latest-token-prices?token_address=${TOKEN},${OTHER}`;
const candlesUntil = (until: number) =>
  `/v1/price/historical/ohlc?token_address=${TOKEN}&interval=1m&max_size=3&order=asc&with_volume=true` +
  `&from_timestamp=${Math.floor(until / 60) * 60 - 120}&until_timestamp=${until}`;

const answerOf = async ({ app }: StreamService, url: string) => (await app.inject(url)).json();

/** Waits for the writer's blocks, which reach other processes a moment later. */
const caughtUp = ({ serving }: StreamService) =>
  vi.waitUntil(() => serving.position?.blockNumber === next - 1, { timeout: 10_000 });

/** Reads the frames up to a block. Returns all values in them, by subscription. */
async function statesUpTo(stream: ReturnType<typeof open>, block: number) {
  const seen: Record<string, Record<string, unknown>[]> = {};
  for (let event = await stream.next(); ; event = await stream.next()) {
    for (const [id, values] of Object.entries((event.data.data ?? {}) as typeof seen)) {
      seen[id] = [...(seen[id] ?? []), ...values];
    }
    if (event.data.block === block) return seen;
  }
}

const problem = async (query: string) => {
  const response = await fetch(`${service.url}/v1/stream?${query}`);
  return [response.status, ((await response.json()) as { error: string }).error];
};

describe("a stream", () => {
  it("begins with a snapshot, and sends one frame for each block, with the rows that match", async () => {
    const stream = open(`type=trades&token_address=${TOKEN}`);
    const snapshot = await stream.next();
    expect(snapshot).toMatchObject({ event: "snapshot", data: { chain: "eth", block: next - 1, data: {} } });
    expect(snapshot.id).toBe(`${snapshot.data.commit}:${next - 1}:${hashOf(next - 1, fork)}`);
    const first = next;
    await commit([trade(TOKEN, 4), trade(OTHER, 5)]);
    await commit([trade(OTHER, 6)]);
    const block = await stream.next();
    const { trades } = block.data.data as { trades: Record<string, unknown>[] };
    expect(block).toMatchObject({
      event: "block",
      data: { block: first, parent_hash: hashOf(first - 1, fork) },
    });
    const answer = await service.app.inject(`/v1/topk-api/dex-trades?groupby=token_address&eq=${TOKEN}`);
    expect(trades).toEqual(Object.values(answer.json())[0]);
    expect(await stream.next()).toMatchObject({ event: "block", data: { block: first + 1, data: {} } });
    stream.close();
  });

  it("reports a reorg, then sends the new blocks; finality moves in frames of their own", async () => {
    const stream = open("type=trades");
    await stream.next();
    const at = next;
    await commit([trade(TOKEN, 4)]);
    await commit([trade(TOKEN, 5)]);
    await rollback(at);
    await commit([trade(TOKEN, 7)], at - 1);
    const seen = [];
    for (let i = 0; i < 5; i++) seen.push(await stream.next());
    expect(seen.map(({ event, data }) => [event, data.block])).toEqual([
      ["block", at],
      ["block", at + 1],
      ["rollback", at],
      ["block", at + 1],
      ["final", at - 1],
    ]);
    stream.close();
  });

  it("resumes without loss or repetition, even on another process and across a reorg", async () => {
    const stream = open("type=trades");
    await stream.next();
    const at = next;
    await commit([trade(TOKEN, 4)]);
    await commit([trade(TOKEN, 5)]);
    const first = await stream.next();
    const last = await stream.next();
    stream.close();
    await rollback(at);
    await commit([trade(TOKEN, 8)]);
    await commit([trade(TOKEN, 9)]);
    for (const from of [service, follower]) {
      const resumed = open("type=trades", { from, headers: { "last-event-id": last.id ?? "" } });
      const seen = [await resumed.next(), await resumed.next(), await resumed.next()];
      expect(seen.map(({ event, data }) => [event, data.block])).toEqual([
        ["rollback", at],
        ["block", at + 1],
        ["block", at + 2],
      ]);
      expect(
        seen.map(
          ({ data }) =>
            (data.data as { trades?: { price_token_usd_tick_1: number }[] }).trades?.[0]
              ?.price_token_usd_tick_1,
        ),
      ).toEqual([undefined, 8, 9]);
      resumed.close();
      const earlier = open(`type=trades&after=${first.id}`, { from });
      expect(await earlier.next()).toMatchObject({ event: "block", data: { block: at + 1 } });
      earlier.close();
    }
  });

  it("continues where it was when balances from before the first block are found", async () => {
    const stream = open(
      `subscriptions=${encodeURIComponent(JSON.stringify([{ id: "t", type: "trades" }, STATES[2]]))}`,
    );
    const { id } = await stream.next();
    const at = next;
    const commitBefore = await store.committed();
    await store.amend(async () => async () => {});
    expect(await stream.next()).toMatchObject({
      event: "state",
      data: {
        block: at - 1,
        commit: (commitBefore?.sequence ?? 0) + 1,
        data: { s: [{ pool_address: POOL }] },
      },
    });
    await commit([trade(TOKEN, 4)]);
    expect(await stream.next()).toMatchObject({ event: "block", data: { block: at } });
    stream.close();
    for (const from of [service, follower]) {
      await caughtUp(from);
      const resumed = open(`type=trades&after=${id}`, { from });
      expect(await resumed.next()).toMatchObject({ event: "block", data: { block: at } });
      resumed.close();
    }
  });

  it("sends the candles of a commit whose last block a client did not get, when it resumes", async () => {
    const times = Array.from({ length: 12 }, (_, i) => AT + 12 * (next + i - FIRST));
    const stream = open(CANDLES);
    await stream.next();
    await commit(times.map((at, i) => trade(TOKEN, 40 + i, { at })));
    for (let i = 0; i < 7; i++) await stream.next();
    const { id } = await stream.next();
    stream.close();
    const minutes = new Set(times.map((at) => Math.floor(at / 60) * 60));
    for (const from of [service, follower]) {
      await caughtUp(from);
      const resumed = open(`${CANDLES}&after=${id}`, { from });
      let event = await resumed.next();
      while (event.event !== "state") event = await resumed.next();
      const { candles } = event.data.data as { candles: { timestamp_open: number }[] };
      const sent = new Set(candles.map(({ timestamp_open: open }) => open));
      expect([...minutes].filter((minute) => !sent.has(minute))).toEqual([]);
      resumed.close();
    }
  });

  it("begins again from a snapshot after an unknown block if no final block below it is stored", async () => {
    await commit([trade(TOKEN, 4)], next - 2);
    await rollback(next - 2);
    await commit([trade(TOKEN, 4)]);
    await commit([trade(TOKEN, 4)]);
    for (const block of [next - 1, next - 2, next + 5]) {
      const lost = open(`type=trades&after=1:${block}:${hexOf(0xbad, 32)}`);
      expect(await lost.next()).toMatchObject({
        event: "reset",
        data: { reason: expect.stringContaining("is not known") },
      });
      expect(await lost.next()).toMatchObject({ event: "snapshot" });
      lost.close();
    }
  });

  it("is reset when blocks were repaired", async () => {
    const stream = open("type=trades");
    await stream.next();
    await commit([trade(TOKEN, 4)]);
    expect(await stream.next()).toMatchObject({ event: "block" });
    const repaired = next - 1;
    await store.replace({ first: repaired, last: repaired }, {});
    const reason = expect.stringContaining("repaired");
    expect(await stream.next()).toMatchObject({ event: "reset", data: { reason } });
    expect(await stream.next()).toMatchObject({ event: "snapshot", data: { block: repaired } });
    stream.close();
    await rollback(repaired - 1);
  });

  it("sends prices, candles and pools as the endpoints return them", async () => {
    for (const from of [service, follower]) {
      await caughtUp(from);
      const stream = open(`subscriptions=${encodeURIComponent(JSON.stringify(STATES))}`, { from });
      const { data: snapshot } = await stream.next();
      const known = snapshot.data as Record<string, Record<string, unknown>[]>;
      const until = Number(snapshot.timestamp);
      expect(known.p).toEqual(await answerOf(from, PRICES));
      expect(known.c?.map(({ closed, ...candle }) => candle)).toEqual(
        (await answerOf(from, candlesUntil(until))).data,
      );
      expect(known.c?.map(({ closed }) => closed)).toEqual(
        [true, true, false].slice(-(known.c?.length ?? 0)),
      );
      expect(known.s).toHaveLength(1);
      for (let i = 0; i < 6; i++) await commit([trade(TOKEN, 20 + i)]);
      const seen = await statesUpTo(stream, next - 1);
      expect(seen.p?.at(-1)).toEqual((await answerOf(from, PRICES))[0]);
      const minutes = Math.floor((AT + 12 * (next - 1 - FIRST)) / 60) - Math.floor(until / 60);
      expect(seen.c?.filter(({ closed }) => closed === true)).toHaveLength(minutes);
      stream.close();
    }
  });

  it("refuses what cannot be streamed, and says why", async () => {
    expect(await problem("")).toEqual([
      400,
      expect.stringContaining("neither type nor subscriptions is given"),
    ]);
    expect(await problem("type=trade")).toEqual([400, expect.stringContaining("expected trades, transfers")]);
    expect(await problem("type=trades&tokenaddress=0x1")).toEqual([
      400,
      expect.stringContaining('unknown filter "tokenaddress"'),
    ]);
    expect(await problem("type=candles&token_address=0x12")).toEqual([
      400,
      expect.stringContaining("subscription 1 of 1 (candles): Invalid parameter token_address"),
    ]);
    expect(await problem("type=transfers&standard=erc721&min_usd=5")).toEqual([
      400,
      "Cannot subscribe: subscription 1 of 1 (transfers): Invalid parameter min_usd: got 5; for " +
        "standard=erc721, expected no minimum, because these transfers have no value in USD.",
    ]);
    expect(await problem("type=trades&after=12")).toEqual([
      400,
      expect.stringContaining("Invalid parameter after"),
    ]);
    expect(await problem("type=trades&chain=moon")).toEqual([
      400,
      expect.stringContaining("Invalid parameter chain"),
    ]);
    expect(
      await problem(`subscriptions=${encodeURIComponent('[{"type":"blocks"},{"type":"blocks"}]')}`),
    ).toEqual([400, expect.stringContaining('the id "blocks" is taken')]);
  });

  it("reports to its clients that the service stops", async () => {
    const short = await serveFollower(engine, { limits: { streamBufferBytes: 16 * 1024 } });
    const stream = open("type=blocks", { from: short });
    await stream.next();
    await short.stop();
    expect(await stream.next()).toMatchObject({
      event: "shutdown",
      data: { resume_after: expect.stringContaining(":") },
    });
    expect((await stream.events.next()).done).toBe(true);
  });

  it("limits the streams of a client", async () => {
    const limited = await serveFollower(engine, { limits: { clientStreams: 1 } });
    const stream = open("type=blocks", { from: limited });
    await stream.next();
    const refused = await fetch(`${limited.url}/v1/stream?type=blocks`);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: expect.stringContaining("open streams per client is 1") },
    ]);
    stream.close();
    await limited.stop();
  });

  it("limits the prices, candles and pools that the streams of a client follow together", async () => {
    const limited = await serveFollower(engine, { limits: { clientStates: 3 } });
    const prices = (count: number) => `type=prices&token_address=${[TOKEN, OTHER].slice(0, count).join(",")}`;
    const stream = open(prices(2), { from: limited });
    await stream.next();
    const refused = await fetch(`${limited.url}/v1/stream?${prices(2)}`);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: expect.stringContaining("its streams follow 2 prices, candles and pools, 4 with this one") },
    ]);
    // A stream of rows does not follow prices, candles or pools, so it does not count towards the limit.
    const others = [open(prices(1), { from: limited }), open("type=blocks", { from: limited })];
    for (const one of others) expect(await one.next()).toMatchObject({ event: "snapshot" });
    for (const one of [stream, ...others]) one.close();
    await limited.stop();
  });
});
