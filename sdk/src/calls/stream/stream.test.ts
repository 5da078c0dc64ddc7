import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { recordPrinter } from "../../../../src/engine-sql/record-printer.ts";
import {
  commitTrades,
  hashOf,
  hexOf,
  type Market,
  openMarket,
  type Trade,
} from "../../../../src/reads/support/market.ts";
import { poolMetadata } from "../../../../src/schema/tables/pool-metadata.ts";
import { tokenMetadata } from "../../../../src/schema/tables/token-metadata.ts";
import { type StreamService, serveWriter, Writer } from "../../../../test/streams/support/stream-service.ts";
import {
  type Client,
  createClient,
  type LatestPrice,
  type PoolRecord,
  type StreamCandle,
  type StreamFrame,
  type StreamOptions,
  type TokenRecord,
} from "../../index.ts";

const AT = 1_704_412_800;
const FIRST = 1000;
const TOKEN = hexOf(0xa1);
const OTHER = hexOf(0xa2);

let market: Market;
let service: StreamService;
let quarry: Client;
const writer = new Writer();
/** Number of connections that the client has opened. */
let requests = 0;
let next = FIRST;
let fork = 0;

async function commit(price: number, more: Partial<Trade> = {}) {
  const trade = { token: TOKEN, at: AT + 12 * (next - FIRST), price, ...more };
  next = (await commitTrades(market.store, [trade], { firstBlock: next, fork })).blockNumber + 1;
}

async function rollback(number: number) {
  const timestamp = AT + 12 * (number - FIRST);
  await market.store.rollback({ number, hash: hashOf(number, fork), timestamp });
  next = number + 1;
  fork++;
}

const portOf = ({ url }: StreamService) => Number(new URL(url).port);

/** Kills or stops the service, and starts it again at the same address after `meanwhile`. */
async function restart(end: "kill" | "stop", meanwhile: () => Promise<void>) {
  const port = portOf(service);
  await service[end]();
  await meanwhile();
  service = await serveWriter(market.engine, market.store, writer, { port });
}

beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: AT, price: 1 }]);
  market.store.follow(writer);
  next = FIRST + 1;
  service = await serveWriter(market.engine, market.store, writer);
  quarry = createClient({
    url: service.url,
    fetch(url, init) {
      requests++;
      return fetch(url, init);
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await market?.close();
});

const TRADES = { type: "trades", token_address: [TOKEN] } as const;

type Frame = StreamFrame<{ trades?: { price_token_usd_tick_1: number | null }[] }>;

/** Opens a stream of trades that the test reads frame by frame. */
function open(options: { after?: string } & StreamOptions = {}) {
  const { after, ...call } = options;
  const frames = quarry.stream({ subscriptions: [TRADES], after }, call);
  return {
    frames,
    async next(count: number): Promise<Frame[]> {
      const seen: Frame[] = [];
      while (seen.length < count) {
        const { value, done } = await frames.next();
        if (done) break;
        seen.push(value);
      }
      return seen;
    },
  };
}

/** Returns the event, block and prices of each frame. */
const outline = (frames: Frame[]) =>
  frames.map((frame) =>
    "data" in frame
      ? [frame.event, frame.block, frame.data.trades?.map((one) => one.price_token_usd_tick_1) ?? []]
      : [frame.event],
  );

/** Reads frames until the next block and candles have arrived, and returns the candles and the blocks. */
async function restOf<D extends { candles?: StreamCandle[] }>(
  frames: AsyncIterable<StreamFrame<D>>,
  known: StreamCandle[] | undefined,
) {
  let data = known;
  const blocks: number[] = [];
  for await (const frame of frames) {
    // Candles that were not read before the next block come with that block.
    if (frame.event === "state" || frame.event === "block") data ??= frame.data.candles;
    if (frame.event === "block") blocks.push(frame.block);
    if (data !== undefined && blocks.length > 0) return { data, blocks };
  }
  throw new Error("the stream ended");
}

describe("stream", () => {
  it("begins with a snapshot, and yields one typed frame for each block", async () => {
    const frames = quarry.stream({
      subscriptions: [
        TRADES,
        { type: "prices", id: "p", token_address: [TOKEN] },
        { type: "candles", token_address: TOKEN, interval: "1m", history: 2 },
      ],
    });
    const { value: snapshot } = await frames.next();
    if (snapshot?.event !== "snapshot") throw new Error(`not a snapshot: ${JSON.stringify(snapshot)}`);
    expect(snapshot).toMatchObject({
      chain: "eth",
      block: next - 1,
      hash: hashOf(next - 1),
      finalized: null,
    });
    expect(snapshot.id).toBe(`${snapshot.commit}:${next - 1}:${hashOf(next - 1)}`);
    expectTypeOf(snapshot.data.p).toEqualTypeOf<LatestPrice[] | undefined>();
    expectTypeOf(snapshot.data.candles).toEqualTypeOf<StreamCandle[] | undefined>();
    expect(snapshot.data.p).toMatchObject([{ token_address: TOKEN }]);
    const at = next;
    await commit(2);
    await commit(3, { token: OTHER });
    const { value: block } = await frames.next();
    if (block?.event !== "block") throw new Error(`not a block: ${JSON.stringify(block)}`);
    expect(block).toMatchObject({
      block: at,
      parent_hash: hashOf(at - 1),
      timestamp: AT + 12 * (at - FIRST),
    });
    expect(block.data.trades?.[0]).toMatchObject({ token_address: TOKEN, price_token_usd_tick_1: 2 });
    // Candles that have to be read from the store come in a later frame, as of its block.
    const { data, blocks } = await restOf(frames, block.data.candles);
    expect(blocks).toEqual([at + 1]);
    expect(data[0]?.price_close).toBe(2);
  });

  it("resumes after a cut connection without loss or repetition", async () => {
    const stream = open();
    await stream.next(1);
    const at = next;
    await commit(4);
    expect(outline(await stream.next(1))).toEqual([["block", at, [4]]]);
    const before = requests;
    service.app.server.closeAllConnections();
    await commit(5);
    await commit(6);
    expect(outline(await stream.next(2))).toEqual([
      ["block", at + 1, [5]],
      ["block", at + 2, [6]],
    ]);
    expect(requests).toBe(before + 1);
    await commit(7);
    expect(outline(await stream.next(1))).toEqual([["block", at + 3, [7]]]);
    await stream.frames.return();
  });

  it.each(["kill", "stop"] as const)("outlives a restart of the service (%s)", async (end) => {
    const stream = open();
    await stream.next(1);
    const at = next;
    await commit(8);
    await stream.next(1);
    await restart(end, () => commit(9));
    await commit(10);
    expect(outline(await stream.next(2))).toEqual([
      ["block", at + 1, [9]],
      ["block", at + 2, [10]],
    ]);
    await stream.frames.return();
  });

  it("reports a reorg that happened while it was disconnected", async () => {
    const stream = open();
    await stream.next(1);
    const at = next;
    await commit(11);
    await commit(12);
    await stream.next(2);
    await restart("kill", async () => {
      await rollback(at);
      await commit(13);
    });
    await commit(14);
    const seen = await stream.next(3);
    expect(outline(seen)).toEqual([
      ["rollback", at, []],
      ["block", at + 1, [13]],
      ["block", at + 2, [14]],
    ]);
    expect(seen[1]).toMatchObject({ parent_hash: hashOf(at, fork) });
    await stream.frames.return();
  });

  it("resumes after the id of a frame, or begins again if the service cannot go back to a final block", async () => {
    const stream = open();
    const [snapshot] = await stream.next(1);
    await stream.frames.return();
    const at = next;
    await commit(15);
    const id = snapshot?.event === "snapshot" ? snapshot.id : "";
    const resumed = open({ after: id });
    expect(outline(await resumed.next(1))).toEqual([["block", at, [15]]]);
    await resumed.frames.return();
    const unknown = open({ after: `1:${at}:${hexOf(0xbad, 32)}` });
    expect((await unknown.next(2)).map(({ event }) => event)).toEqual(["reset", "snapshot"]);
    await unknown.frames.return();
  });

  it("ends with the service's error if it refuses, with the signal's reason, and when the loop is left", async () => {
    const wrong = { type: "trades", token_address: ["0x12"] } as const;
    await expect(quarry.stream({ subscriptions: [wrong] }).next()).rejects.toMatchObject({
      name: "QuarryError",
      code: "bad-input",
      status: 400,
      message: expect.stringContaining("subscription 1 of 1 (trades)"),
    });
    await expect(open({ silenceMs: 0 }).next(1)).rejects.toMatchObject({ code: "bad-options" });
    const stop = new AbortController();
    const stream = open({ signal: stop.signal });
    await stream.next(1);
    const waiting = stream.next(1);
    stop.abort(new RangeError("enough"));
    await expect(waiting).rejects.toThrow("enough");
    const left = open();
    for await (const _ of left.frames) break;
    const openStreams = async () => (await fetch(`${service.url}/metrics`)).text();
    await expect.poll(openStreams, { timeout: 10_000 }).toMatch(/^quarry_streams 0$/m);
  });
});

it("types of pools and tokens have the columns of their tables", () => {
  const pool: Record<keyof PoolRecord, null> = {
    block_number_created: null,
    pool_address: null,
    protocol: null,
    timestamp_created: null,
    token_0_address: null,
    token_1_address: null,
    token_addresses: null,
    underlying_token_addresses: null,
    fee: null,
    hooks_address: null,
    hooks_flags: null,
    factory_address: null,
    record_index: null,
  };
  const token: Record<keyof TokenRecord, null> = {
    token_address: null,
    token_symbol: null,
    token_name: null,
    decimals: null,
    first_seen_block_number: null,
    record_index: null,
  };
  for (const [table, expected] of [
    [poolMetadata, pool],
    [tokenMetadata, token],
  ] as const) {
    const empty = Object.fromEntries(Object.keys(table.columns).map((name) => [name, null]));
    expect(JSON.parse(recordPrinter(table)(empty))).toEqual(expected);
  }
});
