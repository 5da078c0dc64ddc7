import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { batchLatestPriceChange } from "./batch-latest-price-change.ts";

const PATH = "/v1/price-api/batch-latest-price-change";
const HOUR = 3600;
const NOW = Math.floor(Date.now() / 1000);
const AT = NOW - 40 * 24 * HOUR;
const [TOKEN, YOUNG, IDLE, UNPRICED, UNKNOWN, FREE, HUGE] = [1, 2, 3, 4, 5, 6, 7].map((number) =>
  hexOf(0xabcdef00 + number),
);
const many = (count: number) => Array.from({ length: count }, (_, i) => hexOf(i + 1));

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([
    { token: IDLE, at: AT - 900 * HOUR, price: 4 },
    { token: TOKEN, at: AT, price: 10 },
    { token: TOKEN, at: AT, price: 20 },
    { token: TOKEN, at: AT + HOUR, price: 40 },
    { token: TOKEN, at: AT + 2 * HOUR, price: 500, robust: null },
    { token: TOKEN, at: AT + 3 * HOUR, price: 5 },
    { token: YOUNG, at: AT + HOUR, price: 2 },
    { token: YOUNG, at: AT + 2 * HOUR, price: 3 },
    { token: UNPRICED, at: AT, price: null },
    { token: FREE, at: AT - HOUR, price: 0, usd: null },
    { token: FREE, at: AT + HOUR, price: 1 },
    { token: HUGE, at: AT - HOUR, price: 1e-300 },
    { token: HUGE, at: AT + HOUR, price: 1e300 },
    { token: TOKEN, at: NOW - 2 * HOUR, price: 6 },
    ...many(300).map((token, i) => ({ token, at: AT + 4 * HOUR + i, price: i + 1 })),
  ] as Parameters<typeof openMarket>[0]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function changes(token_address: unknown, more = {}) {
  const { status, body } = await post(app, PATH, { token_address, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(() => batchLatestPriceChange.answer.parse(body)).not.toThrow();
  return body;
}

async function ends(query: object) {
  const [{ price_open, price_close }] = await changes([TOKEN], query);
  return [price_open, price_close];
}

describe("price changes of many tokens", () => {
  it("go from the price in force at the start to the one at the end", async () => {
    const query = { token_address: String(TOKEN), timestamp: AT + HOUR + 60, lookback: "1h" };
    expect((await get(app, PATH, query)).body).toEqual([
      {
        token_address: TOKEN,
        timestamp_open: AT + 60,
        timestamp_close: AT + HOUR + 60,
        price_open: 20,
        price_close: 40,
        change_pct: 100,
        change_abs: 20,
      },
    ]);
    const [fallen] = await changes([TOKEN], { timestamp: AT + 4 * HOUR, lookback: "3h" });
    expect(fallen).toMatchObject({ price_open: 40, price_close: 5, change_pct: -87.5, change_abs: -35 });
  });

  it("count trades at both ends, the last of a moment", async () => {
    expect(await ends({ timestamp: AT + HOUR, lookback: "1h" })).toEqual([20, 40]);
    expect(await ends({ timestamp: AT + HOUR - 1, lookback: "3599s" })).toEqual([20, 20]);
    expect(await ends({ timestamp: AT + HOUR - 1, lookback: "60m" })).toEqual([10, 20]);
  });

  it("open with the first trade inside the period without one before", async () => {
    const [young] = await changes([YOUNG], { timestamp: AT + 3 * HOUR, lookback: "1d" });
    expect(young).toMatchObject({ price_open: 2, price_close: 3, change_pct: 50, change_abs: 1 });
  });

  it("are zero, not null, for a token not traded in the period", async () => {
    const [idle] = await changes([IDLE], { timestamp: AT });
    expect(idle).toEqual({
      token_address: IDLE,
      timestamp_open: AT - 24 * HOUR,
      timestamp_close: AT,
      price_open: 4,
      price_close: 4,
      change_pct: 0,
      change_abs: 0,
    });
  });

  it("use the requested price type", async () => {
    const query = { timestamp: AT + 2 * HOUR, lookback: "30m" };
    expect(await ends(query)).toEqual([40, 500]);
    expect(await ends({ ...query, price_type: "price_token_usd_robust_tick_1" })).toEqual([40, 40]);
  });

  it("are null in percent of zero, and beyond the range of doubles", async () => {
    const [free, huge] = await changes([FREE, HUGE], { timestamp: AT + 2 * HOUR });
    expect(free).toMatchObject({ price_open: 0, price_close: 1, change_pct: null, change_abs: 1 });
    expect(huge).toMatchObject({ change_pct: null, change_abs: 1e300 });
  });

  it("are one item for each address, in order, with nulls where no price was known yet", async () => {
    const items = await changes([UNKNOWN, TOKEN, UNPRICED, TOKEN], { timestamp: AT });
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual([
      UNKNOWN,
      TOKEN,
      UNPRICED,
    ]);
    const [before] = await changes([TOKEN], { timestamp: AT - 1 });
    for (const { token_address: _, ...rest } of [items[0], items[2], before]) {
      expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    }
  });

  it("are null at the beginning of time, and use the newest price in the future", async () => {
    expect(await ends({ timestamp: 0 })).toEqual([null, null]);
    expect(await ends({ timestamp: NOW + HOUR, lookback: "4h" })).toEqual([5, 6]);
    for (const timestamp of [2 ** 32, 2 ** 32 + AT, NOW * 1000, Number.MAX_SAFE_INTEGER]) {
      const [change] = await changes([TOKEN], { timestamp, lookback: "1h" });
      expect(change).toMatchObject({
        timestamp_open: timestamp - HOUR,
        timestamp_close: timestamp,
        price_open: change?.price_close,
      });
      expect([change?.price_close, change?.change_abs]).toEqual([(await ends({}))[1], 0]);
    }
  });

  it("accept 10,000 by POST, and no more", async () => {
    const tokens = many(10_000).reverse();
    const items = await changes(tokens, { timestamp: AT + 24 * HOUR });
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual(tokens);
    const known = items.filter((item: { price_close: number | null }) => item.price_close !== null);
    expect(known.map((item: { price_close: number }) => item.price_close)).toEqual(
      many(300).map((_, i) => 300 - i),
    );
    const { status, body } = await post(app, PATH, { token_address: many(10_001) });
    expect([status, body.error]).toEqual([400, expect.stringContaining("a list of 10001")]);
  });

  it("accept 25 by GET, and advise POST for more", async () => {
    expect((await get(app, PATH, { token_address: many(25).join() })).body).toHaveLength(25);
    const { status, body } = await get(app, PATH, { token_address: many(26).join() });
    expect([status, body.error]).toEqual([400, expect.stringContaining("POST a JSON body for up to 10000")]);
  });

  it("are the same for the defaults as for the same values given", async () => {
    const [byDefault] = await changes([TOKEN]);
    const timestamp = byDefault.timestamp_close;
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(60);
    expect(byDefault).toMatchObject({ price_open: 5, price_close: 6 });
    const given = { chain: "eth", price_type: "price_token_usd_tick_1", lookback: "24h", timestamp };
    expect(await changes([TOKEN], given)).toEqual([byDefault]);
  });

  it.each([
    [{ token_address: "" }, "Missing required parameter: token_address"],
    [{ lookback: "31d" }, "expected <number><unit> with the unit s, m, h or d, from 1s to 30d."],
    [{ lookback: "0h" }, 'Invalid parameter lookback: got "0h"'],
    [{ lookback: "1w" }, "Invalid parameter lookback"],
    [{ lookback: 24 }, "Invalid parameter lookback"],
    [{ timestamp: "now" }, "a time in unix seconds"],
    [{ price_type: "tick" }, "Invalid parameter price_type"],
    [{ chain: "doge" }, "expected one of the configured chains: eth"],
  ])("reject %o", async (wrong, message) => {
    const { status, body } = await post(app, PATH, { token_address: [TOKEN], ...wrong });
    expect([status, Object.keys(body)]).toEqual([400, ["error"]]);
    expect(body.error).toContain(message);
  });
});
