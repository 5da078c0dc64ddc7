import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { commitTrades, ETH, hashOf, hexOf } from "../../src/reads/support/market.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { openEvents, type ServerEvent } from "./support/event-reader.ts";
import { type StreamService, serveWriter, Writer } from "./support/stream-service.ts";

const AT = 1_700_000_040;
const FIRST = 100;
const DEPTH = 3;
const CHAIN: Chain = { ...ETH, finality: { kind: "depth", blocks: DEPTH } };
const TRADES = "type=trades";
/** The token that was traded in the first block alone. */
const EARLY = hexOf(8);
const TOKEN = hexOf(9);
const PRICES = `type=prices&token_address=${EARLY},${TOKEN}`;

let close = async () => {};

afterEach(() => close());

/** Blocks of a fork, each in its own commit or all in one, or a rollback to a block of fork 0. */
type Step = { upTo: number; fork: number; inOneCommit?: boolean } | { rollbackTo: number };

const timeOf = (block: number) => AT + 60 * (block - FIRST);

/** Serves a new database, in place of the previous one. Its blocks have one trade each. */
async function serveBlocks(steps: Step[]) {
  await close();
  const folder = await mkdtemp(join(tmpdir(), "quarry-other-"));
  const engine = await openEmbeddedEngine({ path: folder });
  const store = await openChainStore(engine, CHAIN.name, {});
  const writer = new Writer();
  store.follow(writer);
  let next = FIRST;
  for (const step of steps) {
    if ("rollbackTo" in step) {
      const number = step.rollbackTo;
      await store.rollback({ number, hash: hashOf(number), timestamp: timeOf(number) });
      next = number + 1;
      continue;
    }
    while (next <= step.upTo) {
      const count = step.inOneCommit ? step.upTo - next + 1 : 1;
      const trades = Array.from({ length: count }, (_, i) => ({
        token: next + i === FIRST ? EARLY : TOKEN,
        at: timeOf(next + i),
        price: next + i + step.fork / 10,
      }));
      await commitTrades(store, trades, { firstBlock: next, fork: step.fork });
      next += count;
    }
  }
  const service = await serveWriter(engine, store, writer, { chain: CHAIN });
  close = async () => {
    close = async () => {};
    await service.stop();
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  };
  return service;
}

async function framesUpTo(service: StreamService, query: string, block: number): Promise<ServerEvent[]> {
  const stream = openEvents(`${service.url}/v1/stream?${query}`, {});
  const frames: ServerEvent[] = [];
  for (let isThere = false; !isThere; ) {
    const frame = await stream.next();
    frames.push(frame);
    isThere = frame.data.block === block && frame.event !== "final";
  }
  stream.close();
  return frames;
}

const idOf = (block: number, fork: number) => `1:${block}:${hashOf(block, fork)}`;
const outline = (frames: ServerEvent[]) => frames.map(({ event, data }) => [event, data.block, data.hash]);
const rows = (frames: ServerEvent[]) =>
  frames.flatMap(
    ({ data }) => (data.data as { trades?: { block_number: number }[] } | undefined)?.trades ?? [],
  );

it("goes back to a final block if the client's block was never on the chain, and sends the blocks above it", async () => {
  const service = await serveBlocks([{ upTo: 108, fork: 0 }]);
  const frames = await framesUpTo(service, `${TRADES}&after=${idOf(107, 1)}`, 108);
  expect(outline(frames)).toEqual([
    ["rollback", 104, hashOf(104)],
    ...[105, 106, 107, 108].map((block) => ["block", block, hashOf(block)]),
  ]);
  expect(rows(frames).map(({ block_number }) => block_number)).toEqual([105, 106, 107, 108]);
});

it("continues on another database whose chain has another fork", async () => {
  const one = await serveBlocks([
    { upTo: 105, fork: 0 },
    { upTo: 107, fork: 1 },
  ]);
  const received = await framesUpTo(one, `${TRADES}&after=${idOf(100, 0)}`, 107);
  const other = await serveBlocks([{ upTo: 109, fork: 0 }]);
  const id = received.at(-1)?.id ?? "";
  const [rollback, ...more] = await framesUpTo(other, `${TRADES}&after=${id}`, 109);
  expect(rollback).toMatchObject({ event: "rollback", data: { block: 104 } });
  const kept = rows(received).filter(({ block_number }) => block_number <= Number(rollback?.data.block));
  const all = await framesUpTo(other, `${TRADES}&after=${idOf(100, 0)}`, 109);
  expect([...kept, ...rows(more)]).toEqual(rows(all));
  expect(rows(all)).toHaveLength(9);
});

it("goes back from the newest block if the client's block is above it", async () => {
  const service = await serveBlocks([{ upTo: 108, fork: 0 }]);
  const frames = await framesUpTo(service, `${TRADES}&after=${idOf(999, 0)}`, 108);
  expect(outline(frames)[0]).toEqual(["rollback", 105, hashOf(105)]);
  expect(frames).toHaveLength(4);
});

it("sends all states again, also those of blocks that stay", async () => {
  const service = await serveBlocks([{ upTo: 108, fork: 0 }]);
  const stream = openEvents(`${service.url}/v1/stream?${PRICES}&after=${idOf(107, 1)}`, {});
  let frame = await stream.next();
  while (frame.event !== "state") frame = await stream.next();
  stream.close();
  expect(frame.data.data).toMatchObject({
    prices: [
      { token_address: EARLY, price_usd: 100 },
      { token_address: TOKEN, price_usd: 108 },
    ],
  });
});

it("is reset if no final block below the client's block is stored", async () => {
  const service = await serveBlocks([{ upTo: 108, fork: 0 }]);
  const frames = await framesUpTo(service, `${TRADES}&after=${idOf(102, 1)}`, 108);
  expect(frames.map(({ event }) => event)).toEqual(["reset", "snapshot"]);
  expect(frames[0]?.data.reason).toBe(
    `block 102 with hash ${hashOf(102, 1)} is not known, and block 99, from which the stream could continue, is not stored`,
  );
});

it("goes back to a final block although a block of that height was rolled back", async () => {
  const service = await serveBlocks([
    { upTo: 101, fork: 0 },
    { upTo: 108, fork: 0, inOneCommit: true },
    { rollbackTo: 106 },
    { upTo: 108, fork: 2 },
  ]);
  const [first] = await framesUpTo(service, `${TRADES}&after=${idOf(107, 1)}`, 108);
  expect(first).toMatchObject({ event: "rollback", data: { block: 104, hash: hashOf(104) } });
});

it.each([
  ["of a commit that this database also has", 8, null],
  ["of such a commit, if the connection is cut before the states", 8, 106],
  ["of a commit that this database does not have", 9_000, 106],
])("sends all candles after an id %s", async (_, commit, cutAt) => {
  const service = await serveBlocks([{ upTo: 109, fork: 0 }]);
  const candles = new Map<number, { timestamp_open: number; timestamp_close: number; price_close: number }>();
  let id = `${commit}:107:${hashOf(107, 1)}`;
  const take = ({ event, data, ...frame }: ServerEvent) => {
    id = frame.id ?? id;
    for (const [opened, { timestamp_close: closed }] of candles)
      if (event === "rollback" && closed >= Number(data.timestamp)) candles.delete(opened);
    const values = data.data as { candles?: { timestamp_open: number }[] } | undefined;
    for (const candle of values?.candles ?? []) candles.set(candle.timestamp_open, candle as never);
  };
  const readUntil = async (isLast: (frame: ServerEvent) => boolean) => {
    const url = `${service.url}/v1/stream?type=candles&token_address=${TOKEN}&interval=1m&after=${id}`;
    const stream = openEvents(url, {});
    for (let frame = await stream.next(); ; frame = await stream.next()) {
      take(frame);
      if (isLast(frame)) break;
    }
    stream.close();
  };
  if (cutAt !== null) await readUntil(({ data }) => data.block === cutAt);
  await readUntil(({ event }) => event === "state");
  const blocks = [101, 102, 103, 104, 105, 106, 107, 108, 109];
  expect([...candles.values()].map(({ price_close }) => price_close).sort()).toEqual(blocks);
});
