import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  commitTrades,
  hashOf,
  hexOf,
  type Market,
  openMarket,
  type Trade,
} from "../../../../src/reads/support/market.ts";
import { all } from "../../../support/all.ts";
import { type Listening, serveLive } from "../../../support/service.ts";
import { type Client, createClient, type Tick, type TickEvent } from "../../index.ts";

const AT = 1_704_412_800;
const A = hexOf(1);
const B = hexOf(2);

let market: Market;
let service: Listening;
let quarry: Client;
let requests = 0;

/** Seconds with one, seven, two and thirty trades, in turn. */
const trades: Trade[] = Array.from({ length: 20 }, (_, second) =>
  Array.from({ length: [1, 7, 2, 30][second % 4] ?? 0 }, (_, i) => ({
    token: i % 3 === 2 ? B : A,
    at: AT + second,
    price: 1 + second + i / 100,
  })),
).flat();

const pricesOf = (token: string) =>
  trades
    .filter((trade) => trade.token === token)
    .map(({ price }) => price)
    .reverse();

beforeAll(async () => {
  market = await openMarket(trades);
  service = await serveLive(market);
  quarry = createClient({
    url: service.url,
    fetch(url, init) {
      requests++;
      return fetch(url, init);
    },
  });
});
afterAll(async () => {
  await service.close();
  await market.close();
});

const prices = (ticks: Tick[]) => ticks.map(({ price_usd }) => price_usd);

describe("tickStream", () => {
  it.each([1, 2, 5, 7, 20, 21, 10_000])("yields every tick once, %i at a time", async (pageSize) => {
    const { ticks, asOf } = await quarry.tickStream(
      { token_address: [A, B, A.toUpperCase().replace("0X", "0x")] },
      { pageSize },
    );
    const found = await all(ticks);
    expect(prices(found)).toEqual([...pricesOf(A), ...pricesOf(B)]);
    expect(new Set(found.map(({ token_address }) => token_address))).toEqual(new Set([A, B]));
    expect(asOf.block).toBe(1019);
  });

  it("stays within the period, and can be left early", async () => {
    const period = { from_timestamp: AT + 4, until_timestamp: AT + 5 };
    const { ticks } = await quarry.tickStream({ token_address: [A], ...period }, { pageSize: 2 });
    expect(new Set((await all(ticks)).map(({ timestamp }) => timestamp - AT))).toEqual(new Set([5, 4]));
    requests = 0;
    const left = await quarry.tickStream({ token_address: [A] }, { pageSize: 2 });
    for await (const _ of left.ticks) break;
    expect(requests).toBeLessThan(4);
  });

  it("is as of its first page while blocks are indexed, and ends at a reorg", async () => {
    const { ticks, asOf } = await quarry.tickStream({ token_address: [A, B] }, { pageSize: 3 });
    const first = await ticks.next();
    await commitTrades(market.store, [{ token: B, at: AT + 19, price: 99 }], { firstBlock: 1020 });
    const found = [first.value as Tick, ...(await all(ticks))];
    expect(prices(found)).toEqual([...pricesOf(A), ...pricesOf(B)]);
    expect(asOf.block).toBe(1019);

    const again = await quarry.tickStream({ token_address: [A] }, { pageSize: 3 });
    await again.ticks.next();
    await market.store.rollback({ number: 1019, hash: hashOf(1019), timestamp: AT + 19 });
    await commitTrades(market.store, [{ token: B, at: AT + 20, price: 98 }], { firstBlock: 1020, fork: 1 });
    await expect(all(again.ticks)).rejects.toMatchObject({ name: "QuarryError", code: "chain-changed" });
  });

  it("rejects an invalid page size, and what the service rejects", async () => {
    await expect(quarry.tickStream({ token_address: [A] }, { pageSize: 0 })).rejects.toMatchObject({
      code: "bad-options",
    });
    await expect(quarry.tickStream({ token_address: [] })).rejects.toMatchObject({ code: "bad-input" });
  });
});

describe("followTicks", () => {
  it("yields new ticks once, reports rollbacks, and ends at its signal", async () => {
    const start = (await quarry.tickStream({ token_address: [A] })).asOf;
    const stop = new AbortController();
    const events: TickEvent[] = [];
    const next = async (iterator: AsyncGenerator<TickEvent, void>) => {
      const { value } = await iterator.next();
      if (value) events.push(value);
      return value;
    };
    const followed = quarry.followTicks({ token_address: [A, B] }, { after: start, signal: stop.signal });
    // More than a page of trades within one second. The previous block has the same second.
    const many = Array.from({ length: 1_200 }, (_, i) => ({
      token: i % 3 ? A : B,
      at: AT + 20,
      price: 100 + i,
    }));
    await commitTrades(market.store, many, { firstBlock: 1021 });
    const first = await next(followed);
    const expected = (token: string) => many.filter((one) => one.token === token).map(({ price }) => price);
    expect(first).toMatchObject({ kind: "ticks", asOf: { block: 1021 } });
    expect(first?.kind === "ticks" && prices(first.ticks)).toEqual([...expected(A), ...expected(B)]);

    await commitTrades(market.store, [{ token: A, at: AT + 21, price: 7 }], { firstBlock: 1022 });
    expect(await next(followed)).toMatchObject({ ticks: [{ price_usd: 7, block_number: 1022 }] });
    await market.store.rollback({ number: 1021, hash: hashOf(1021), timestamp: AT + 20 });
    const forked = [
      { token: B, at: AT + 21, price: 8 },
      { token: A, at: AT + 22, price: 9 },
    ];
    await commitTrades(market.store, forked, { firstBlock: 1022, fork: 2 });
    expect(await next(followed)).toMatchObject({ kind: "rollback", block: 1021 });
    expect(await next(followed)).toMatchObject({ ticks: [{ price_usd: 8, block_number: 1022 }] });
    expect(await next(followed)).toMatchObject({ ticks: [{ price_usd: 9, block_number: 1023 }] });
    const { ticks } = await quarry.tickStream({ token_address: [A, B], from_timestamp: AT + 20 });
    const delivered = events.flatMap((event) => (event.kind === "ticks" ? event.ticks : []));
    const kept = delivered.filter(({ price_usd: price }) => price !== 7);
    const inOrder = (some: Tick[]) => some.sort((a, b) => a.price_usd - b.price_usd);
    const found = (await all(ticks)).filter(({ block_number: block }) => block > start.block);
    expect(inOrder(kept)).toEqual(inOrder(found));

    const waiting = followed.next();
    stop.abort(new RangeError("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("refuses to start at a block that is not on the chain", async () => {
    const start = (await quarry.tickStream({ token_address: [A] })).asOf;
    const after = { ...start, hash: `0x${"f".repeat(64)}`, commit: 0 };
    await expect(quarry.followTicks({ token_address: [A] }, { after }).next()).rejects.toMatchObject({
      code: "chain-changed",
      message: `The ticks cannot be followed further, because block ${after.block} with hash ${after.hash} is not known: start again.`,
    });
  });

  it("rejects exclude_wash, which only other calls have, and passes max_lag", async () => {
    for (const exclude_wash of [true, false, "true"]) {
      const params = { token_address: [A], exclude_wash };
      await expect(quarry.followTicks(params).next()).rejects.toMatchObject({
        code: "bad-options",
        message: expect.stringContaining("exclude_wash"),
      });
    }
    // The newest block is from 2024.
    await expect(quarry.followTicks({ token_address: [A], max_lag: 60 }).next()).rejects.toMatchObject({
      status: 503,
      code: "stale",
    });
  });
});

describe("candlePages", () => {
  it.each([1, 3, 100])("yield the candles of one response, %i at a time", async (max_size) => {
    const question = { token_address: A, interval: "1m", with_volume: true, until_timestamp: AT + 600 };
    const whole = await quarry.ohlc({ ...question, max_size: 2_500 });
    const pages = await all(quarry.candlePages({ ...question, max_size }));
    expect(whole.data.length).toBeGreaterThan(9);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
    expect(pages.every(({ data }) => data.length <= max_size && data.length > 0)).toBe(true);
  });

  it("stay within the period, and are empty for a token that never traded", async () => {
    const question = { token_address: A, interval: "1m", from_timestamp: AT + 60, until_timestamp: AT + 240 };
    const pages = await all(quarry.candlePages({ ...question, max_size: 2 }));
    expect(pages.map(({ data }) => data.map(({ timestamp_open }) => timestamp_open - AT))).toEqual([
      [240, 180],
      [120, 60],
    ]);
    expect(await all(quarry.candlePages({ token_address: hexOf(77) }))).toEqual([]);
  });

  it("go on while an index that is behind catches up", async () => {
    const question = { token_address: A, interval: "1m", fill: false };
    const pages = quarry.candlePages({ ...question, until_timestamp: AT + 600, max_size: 2 });
    // The index ends in the first minute. The first page is later than that.
    expect((await pages.next()).value?.data.at(-1)?.timestamp_open).toBe(AT + 540);
    await commitTrades(market.store, [{ token: A, at: AT + 420, price: 5 }], { firstBlock: 1024 });
    expect((await pages.next()).value).toMatchObject({
      data: [{ price_close: null }, { timestamp_open: AT + 420, price_close: 5 }],
      asOf: { block: 1024 },
    });
    await commitTrades(market.store, [{ token: A, at: AT + 430, price: 6 }], { firstBlock: 1025 });
    const whole = await quarry.ohlc({ ...question, until_timestamp: AT + 419, max_size: 2_500 });
    expect((await all(pages)).flatMap(({ data }) => data)).toEqual(whole.data);
    await market.store.rollback({ number: 1023, hash: hashOf(1023, 2), timestamp: AT + 22 });
  });

  it("end when the chain was reorganized", async () => {
    const pages = quarry.candlePages({
      token_address: A,
      interval: "1m",
      until_timestamp: AT + 600,
      max_size: 9,
    });
    await pages.next();
    await market.store.rollback({ number: 1021, hash: hashOf(1021), timestamp: AT + 20 });
    await commitTrades(market.store, [{ token: A, at: AT + 21, price: 3 }], { firstBlock: 1022, fork: 3 });
    await expect(pages.next()).rejects.toMatchObject({ code: "chain-changed" });
  });
});
