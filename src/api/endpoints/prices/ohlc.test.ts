import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { ohlc } from "./ohlc.ts";

const PATH = "/v1/price/historical/ohlc";
const [TOKEN, UNPRICED, OTHER, LATE] = [hexOf(0xa1), hexOf(0xa2), hexOf(0xa3), hexOf(0xa4)];
const [DEEP, SHALLOW, V4] = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3, 32)];
const DAY = 86_400;
/** Midnight, where intervals of minutes, hours and days all start. */
const START = 1_704_412_800;

const trade = (at: number, price: number | null, more = {}) => ({
  token: TOKEN,
  at: START + at,
  price,
  pool: DEEP,
  ...more,
});

interface Candle {
  timestamp_open: number;
}

const byNumber = (a: number, b: number) => a - b;

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([
    trade(60, 10),
    trade(70, 12, { usd: 50 }),
    trade(70, 9),
    trade(119, 11),
    trade(245, 20, { robust: null, usd: 5 }),
    trade(246, 13),
    trade(300, 14, { pool: SHALLOW }),
    trade(360, null, { usd: null, pool: V4 }),
    trade(3 * DAY, 15),
    { token: UNPRICED, at: START + 60, price: null, usd: null },
    { token: OTHER, at: START, price: 1e-7 },
    { token: LATE, at: START + 60, price: null, pool: SHALLOW },
    { token: LATE, at: START + 180, price: 7, robust: null, pool: SHALLOW },
    { token: LATE, at: START + 240, price: null, pool: DEEP },
    { token: LATE, at: START + 300, price: 8, pool: SHALLOW },
  ]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const base = {
  token_address: TOKEN,
  interval: "1m",
  from_timestamp: START,
  until_timestamp: START + 360,
  order: "asc",
};

async function candles(query: Record<string, string | number | boolean>) {
  const { status, body } = await get(app, PATH, query);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(() => ohlc.answer.parse(body)).not.toThrow();
  return body.data;
}

async function prices(query: Record<string, string | number | boolean>) {
  const data = await candles(query);
  return data.map((candle: Record<string, unknown>) => [
    Number(candle.timestamp_open) - START,
    candle.price_open,
    candle.price_high,
    candle.price_low,
    candle.price_close,
  ]);
}

describe("price history", () => {
  it("returns one candle for each interval from the first trade to the one that contains until", async () => {
    expect(await prices(base)).toEqual([
      [60, 10, 12, 9, 11],
      [120, 11, 11, 11, 11],
      [180, 11, 11, 11, 11],
      [240, 11, 13, 11, 13],
      [300, 13, 14, 13, 14],
      [360, 14, 14, 14, 14],
    ]);
  });

  it("has both ends of a candle, in seconds and as dates", async () => {
    const { body } = await get(app, PATH, { ...base, max_size: 1 });
    expect(body).toEqual({
      token_address: TOKEN,
      data: [
        {
          timestamp_open: START + 60,
          timestamp_close: START + 119,
          date_open: "2024-01-05T00:01:00Z",
          date_close: "2024-01-05T00:01:59Z",
          price_open: 10,
          price_high: 12,
          price_low: 9,
          price_close: 11,
        },
      ],
    });
  });

  it("orders the trades of one moment by the chain", async () => {
    expect(await prices({ ...base, until_timestamp: START + 60, open_method: "first_trade" })).toEqual([
      [60, 10, 12, 9, 11],
    ]);
    const [before, after] = [
      { ...base, max_size: 1 },
      { ...base, max_size: 1, from_timestamp: START + 120 },
    ];
    expect([(await prices(before))[0][4], (await prices(after))[0][1]]).toEqual([11, 11]);
  });

  it("counts all trades into volume, priced or not", async () => {
    const data = await candles({ ...base, with_volume: "True" });
    expect(data.map(({ volume, num_trades }: Record<string, unknown>) => [volume, num_trades])).toEqual([
      [350, 4],
      [0, 0],
      [0, 0],
      [105, 2],
      [100, 1],
      [0, 1],
    ]);
  });

  it("uses the requested price type", async () => {
    const robust = { ...base, from_timestamp: START + 240, max_size: 1, open_method: "first_trade" };
    expect(await prices(robust)).toEqual([[240, 13, 13, 13, 13]]);
    expect(await prices({ ...robust, price_type: "price_token_usd_tick_1" })).toEqual([
      [240, 20, 20, 13, 13],
    ]);
  });

  it("includes intervals without trades, without prices, when fill is false", async () => {
    expect((await prices({ ...base, fill: "FALSE" })).map(([, ...ohlc]: number[]) => ohlc)).toEqual([
      [10, 12, 9, 11],
      [null, null, null, null],
      [null, null, null, null],
      [11, 13, 11, 13],
      [13, 14, 13, 14],
      [null, null, null, null],
    ]);
  });

  it("finds the previous close before the window", async () => {
    expect(await prices({ ...base, from_timestamp: START + 120, max_size: 1 })).toEqual([
      [120, 11, 11, 11, 11],
    ]);
    const behind = { ...base, from_timestamp: START + 240, max_size: 1 };
    expect(await prices(behind)).toEqual([[240, 11, 13, 11, 13]]);
  });

  it("uses one pool's trades, by address or by id", async () => {
    expect(await prices({ ...base, pool_address: SHALLOW })).toEqual([
      [300, 14, 14, 14, 14],
      [360, 14, 14, 14, 14],
    ]);
    expect(await prices({ ...base, pool_address: V4, fill: false })).toEqual([[360, null, null, null, null]]);
    expect(await candles({ ...base, pool_address: V4 })).toEqual([]);
    expect(await candles({ ...base, pool_address: hexOf(0xdead) })).toEqual([]);
    expect(await prices({ ...base, pool_address: "all" })).toEqual(await prices(base));
  });

  it("keeps the newest candles when descending, the oldest when ascending", async () => {
    const all = await candles(base);
    expect(await candles({ ...base, max_size: "2" })).toEqual(all.slice(0, 2));
    expect(await candles({ ...base, max_size: 2, order: "desc" })).toEqual(all.slice(-2).reverse());
    expect(await candles({ ...base, order: "desc" })).toEqual(all.toReversed());
  });

  it("has the same answer for its defaults as for the same values given", async () => {
    const now = Math.floor(Date.now() / 1000);
    const given = {
      token_address: TOKEN,
      pool_address: "all",
      chain: "eth",
      price_type: "price_token_usd_robust_tick_1",
      interval: "1d",
      from_timestamp: 0,
      until_timestamp: now,
      max_size: 100,
      order: "desc",
      fill: true,
      with_volume: false,
      open_method: "prev_close",
    };
    const byDefault = await candles({ token_address: TOKEN });
    expect(byDefault).toEqual(await candles(given));
    expect(byDefault).toHaveLength(100);
    expect(byDefault[0].timestamp_open).toBe(now - (now % DAY));
    expect(byDefault[99].price_close).toBe(15);
  });

  it.each([
    ["in the future", START + 10 * DAY],
    ["in milliseconds", (START + 300) * 1000],
    ["beyond the engine's range", 4_294_967_296],
    ["as large as possible", Number.MAX_SAFE_INTEGER],
  ])("invents nothing after now when until is %s", async (_, until) => {
    const early = await createServer({ ...market, clock: new ManualClock((START + 300) * 1000) });
    const given = { token_address: TOKEN, interval: "1m", with_volume: true, fill: false };
    for (const order of ["asc", "desc"]) {
      const { body } = await get(early, PATH, { ...given, order, until_timestamp: until });
      expect(body).toEqual((await get(early, PATH, { ...given, order })).body);
      const opens = body.data.map((candle: Candle) => candle.timestamp_open - START);
      expect(Math.max(...opens)).toBe(300);
    }
    await early.close();
  });

  it("has no candles from a time beyond the engine's range on", async () => {
    for (const from of [4_294_967_295, 4_294_967_296, START * 1000, Number.MAX_SAFE_INTEGER]) {
      const range = { from_timestamp: from, until_timestamp: Number.MAX_SAFE_INTEGER };
      for (const pool of ["all", DEEP])
        expect(await candles({ ...base, ...range, pool_address: pool })).toEqual([]);
    }
  });

  it("has nothing before the first trade and for tokens without trades", async () => {
    expect(await candles({ ...base, until_timestamp: START + 59 })).toEqual([]);
    expect(await candles({ ...base, token_address: hexOf(0xffff) })).toEqual([]);
  });

  it("begins at the first price of the type when filling, at the first trade when not", async () => {
    const never = { ...base, token_address: UNPRICED };
    expect(await candles(never)).toEqual([]);
    expect(await prices({ ...never, fill: false, max_size: 1 })).toEqual([[60, null, null, null, null]]);
    const late = { ...base, token_address: LATE };
    for (const order of ["asc", "desc"]) {
      for (const pool of ["all", SHALLOW]) {
        const given = { ...late, order, pool_address: pool };
        const starts = async (more: object) =>
          (await prices({ ...given, ...more })).map(([start]: number[]) => start).sort(byNumber);
        expect(await starts({})).toEqual([300, 360]);
        expect(await starts({ price_type: "price_token_usd_tick_1" })).toEqual([180, 240, 300, 360]);
        expect(await starts({ fill: false })).toEqual([60, 120, 180, 240, 300, 360]);
        expect(await starts({ from_timestamp: START + 301 })).toEqual([360]);
        expect(await starts({ until_timestamp: START + 299 })).toEqual([]);
      }
    }
    expect(await prices({ ...late, max_size: 1 })).toEqual([[300, 8, 8, 8, 8]]);
    expect(await candles({ ...late, pool_address: DEEP })).toEqual([]);
  });

  it("aligns long intervals to the epoch and aggregates fine ones", async () => {
    const [day] = await candles({ ...base, interval: "1d", max_size: 1, with_volume: true });
    expect(day).toMatchObject({
      timestamp_open: START,
      price_open: 10,
      price_high: 14,
      price_low: 9,
      price_close: 14,
    });
    expect(day).toMatchObject({ volume: 555, num_trades: 8 });
    const [fiveDays] = await candles({ ...base, from_timestamp: 0, interval: "5d", max_size: 1 });
    expect(fiveDays.timestamp_open % (5 * DAY)).toBe(0);
  });

  it("keeps very small prices exactly", async () => {
    const { body } = await get(app, PATH, { ...base, token_address: OTHER, max_size: 1 });
    expect(body.data[0].price_close).toBe(1e-7);
  });

  it("is the same by POST, with numbers as text, and names its commit", async () => {
    const { body, headers } = await post(app, PATH, {
      ...base,
      max_size: "3",
      fill: "True",
      skip_null: true,
    });
    expect(body.data).toEqual(await candles({ ...base, max_size: 3 }));
    expect(headers["x-indexed-block"]).toBe("1010");
    expect(headers["x-indexed-timestamp"]).toBe(String(START + 3 * DAY));
  });

  it("has no candles from a future time until now", async () => {
    const soon = Math.floor(Date.now() / 1000) + 3600;
    const { status, body } = await get(app, PATH, { token_address: TOKEN, from_timestamp: soon });
    expect([status, body]).toEqual([200, { token_address: TOKEN, data: [] }]);
  });

  it.each([
    [{ token_address: "" }, "Missing required parameter: token_address"],
    [{ token_address: "0x12" }, "Invalid parameter token_address"],
    [{ interval: "1w" }, "Invalid parameter interval"],
    [{ max_size: 0 }, "Invalid parameter max_size: got 0, expected an integer from 1 to 2500."],
    [{ max_size: 2501 }, "Invalid parameter max_size"],
    [{ order: "up" }, 'Invalid parameter order: got "up", expected desc or asc.'],
    [{ fill: "maybe" }, "Invalid parameter fill"],
    [{ chain: "doge" }, "expected one of the configured chains: eth"],
    [{ price_type: "price" }, "Invalid parameter price_type"],
    [{ open_method: "x" }, "Invalid parameter open_method"],
    [{ pool_address: "some" }, "Invalid parameter pool_address"],
    [{ from_timestamp: START + 361 }, "Invalid parameter from_timestamp"],
  ])("rejects %o", async (wrong, message) => {
    const { status, body } = await post(app, PATH, { ...base, ...wrong });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(["error"]);
    expect(body.error).toContain(message);
  });
});
