import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket, type Trade } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get } from "../../support/http.ts";

const [TOKEN, QUIET, UNPRICED] = [hexOf(0xa1), hexOf(0xa2), hexOf(0xa3)];
const [POOL, OTHER] = [hexOf(0xb1), hexOf(0xb2, 32)];
const DAY = 86_400;
const time = (text: string) => Date.parse(`${text}Z`) / 1000;
/** Time of the first trade, a Thursday. */
const START = time("2023-11-30T10:00:00");
const END = time("2024-03-05T12:00:00");

/** Makes a trade of the token every two hours, with rejected prices in between. */
function trades(): Trade[] {
  const list: Trade[] = [];
  for (let at = START, i = 0; at <= END; at += 7_200, i++) {
    const pool = i % 3 === 0 ? OTHER : POOL;
    list.push({ token: TOKEN, at, price: 100 + (i % 17), usd: 10 + (i % 5), pool });
    if (i % 4 === 0) list.push({ token: TOKEN, at: at + 61, price: 9_999, robust: null, usd: 1, pool });
  }
  list.push({ token: QUIET, at: time("2023-12-02T00:00:30"), price: 1e-12, usd: 3 });
  list.push({ token: QUIET, at: time("2023-12-02T00:02:10"), price: 3e-12, usd: 4 });
  list.push({ token: QUIET, at: time("2024-02-10T00:00:00"), price: 2e-12, usd: 5 });
  list.push({ token: UNPRICED, at: END, price: null, usd: null });
  return list.sort((a, b) => a.at - b.at);
}

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket(trades(), { named: [TOKEN, QUIET, UNPRICED], summarized: true });
  app = await createServer(market);
}, 60_000);
afterAll(async () => {
  await app.close();
  await market.close();
});

interface Columns {
  s: string;
  t: number[];
  o: number[];
  h: number[];
  l: number[];
  c: number[];
  v: number[];
  nextTime?: number;
}

async function history(symbol: string, resolution: string, more: Record<string, number>): Promise<Columns> {
  const { status, body } = await get(app, "/udf/history", { symbol, resolution, ...more });
  expect([status, body.errmsg]).toEqual([200, undefined]);
  return body;
}

/** Returns the candles of the OHLC endpoint that have a price, as columns. */
async function candles(
  token: string,
  interval: string,
  more: Record<string, string | number>,
): Promise<Columns> {
  const given = {
    token_address: token,
    interval,
    fill: false,
    with_volume: true,
    order: "desc",
    max_size: 2500,
  };
  const { body } = await get(app, "/v1/price/historical/ohlc", { ...given, ...more });
  // biome-ignore lint/suspicious/noExplicitAny: candles of the endpoint
  const priced = body.data.filter(({ price_close }: any) => price_close !== null).reverse();
  // biome-ignore lint/suspicious/noExplicitAny: candles of the endpoint
  const column = (name: string) => priced.map((candle: any) => candle[name]);
  return {
    ...{ s: "ok", t: column("timestamp_open"), o: column("price_open"), h: column("price_high") },
    ...{ l: column("price_low"), c: column("price_close"), v: column("volume") },
  };
}

const newest = (columns: Columns, count: number) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [
      name,
      Array.isArray(values) ? values.slice(-count) : values,
    ]),
  );

describe("GET /udf/history", () => {
  it.each([
    ["60", "1h"],
    ["240", "4h"],
    ["7", "7m"],
    ["1D", "1d"],
    ["D", "1d"],
    ["5D", "5d"],
  ])("of resolution %s has the numbers of the OHLC endpoint", async (resolution, interval) => {
    const wanted = await candles(TOKEN, interval, { until_timestamp: END });
    expect(wanted.t.length).toBeGreaterThan(15);
    expect(await history(`eth:${TOKEN}`, resolution, { to: END + 1, countback: wanted.t.length })).toEqual(
      wanted,
    );
    const from = wanted.t[3] ?? 0;
    expect(await history(`eth:${TOKEN}`, resolution, { from, to: END + 1 })).toEqual(
      newest(wanted, wanted.t.length - 3),
    );
    // `to` is exclusive, and bars begin at or after `from`.
    const some = await history(`eth:${TOKEN}`, resolution, { from: from + 1, to: wanted.t[9] ?? 0 });
    expect(some.t).toEqual(wanted.t.slice(4, 9));
  });

  it("shows a token in one pool", async () => {
    for (const pool of [POOL, OTHER]) {
      const wanted = await candles(TOKEN, "1h", { until_timestamp: END, pool_address: pool });
      const symbol = `ETH:${TOKEN.toUpperCase()}@${pool.toUpperCase()}`;
      expect(await history(symbol, "60", { to: END + 1, countback: 300 })).toEqual(newest(wanted, 300));
    }
  });

  it("of countback bars wins over from, and reaches back over gaps of any length", async () => {
    const [first, second, third] = ["2023-12-02T00:00", "2023-12-02T00:02", "2024-02-10T00:00"].map(time);
    const symbol = `eth:${QUIET}`;
    const empty = { from: END - 600, to: END };
    expect((await history(symbol, "1", { ...empty, countback: 1 })).t).toEqual([third]);
    expect((await history(symbol, "1", { ...empty, countback: 2 })).t).toEqual([second, third]);
    const all = await history(symbol, "1", { ...empty, countback: 300 });
    expect(all).toMatchObject({
      t: [first, second, third],
      c: [1e-12, 3e-12, 2e-12],
      o: [1e-12, 1e-12, 3e-12],
    });
    expect((await history(symbol, "5S", { ...empty, countback: 2 })).t).toEqual([
      time("2023-12-02T00:02:10"),
      third,
    ]);
    expect((await history(symbol, "1", { from: 0, to: third ?? 0, countback: 9 })).t).toEqual([
      first,
      second,
    ]);
  });

  it("has no_data only if nothing older exists, and otherwise nextTime", async () => {
    const symbol = `eth:${QUIET}`;
    const second = time("2023-12-02T00:02:00");
    const gap = { from: time("2024-01-01T00:00:00"), to: time("2024-01-02T00:00:00") };
    expect(await history(symbol, "1", gap)).toEqual({ s: "no_data", nextTime: second });
    expect(await history(symbol, "1D", gap)).toEqual({ s: "no_data", nextTime: time("2023-12-02T00:00:00") });
    for (const more of [{ from: 0 }, { from: -99_999_999 }, { countback: 10 }, { from: 7, countback: 10 }]) {
      expect(await history(symbol, "1", { to: second - 120, ...more })).toEqual({ s: "no_data" });
    }
    expect(await history(`eth:${UNPRICED}`, "1D", { to: END + DAY, countback: 5 })).toEqual({ s: "no_data" });
    expect(await history(`eth:${hexOf(0xdead)}`, "1D", { to: END + DAY })).toEqual({ s: "no_data" });
  });

  it("aligns weeks to Monday and months to the 1st, in UTC", async () => {
    const days = await candles(TOKEN, "1d", { until_timestamp: END });
    const mondayOf = (at: number) => {
      const date = new Date(at * 1000);
      return at - ((date.getUTCDay() + 6) % 7) * DAY - (at % DAY);
    };
    const monthOf = (at: number) =>
      Date.UTC(new Date(at * 1000).getUTCFullYear(), new Date(at * 1000).getUTCMonth()) / 1000;
    const quarterOf = (at: number) => {
      const date = new Date(at * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % 3)) / 1000;
    };
    for (const [resolution, startOf] of [
      ["1W", mondayOf],
      ["M", monthOf],
      ["3M", quarterOf],
    ] as const) {
      const bars = await history(`eth:${TOKEN}`, resolution, { to: END + 1, countback: 100 });
      const wanted = new Map<number, number[]>();
      for (const [i, at] of days.t.entries())
        wanted.set(startOf(at), [...(wanted.get(startOf(at)) ?? []), i]);
      expect(bars.t).toEqual([...wanted.keys()]);
      for (const [n, of] of [...wanted.values()].entries()) {
        const [first = 0, last = 0] = [of[0], of.at(-1)];
        expect([bars.o[n], bars.h[n], bars.l[n], bars.c[n]]).toEqual([
          days.o[first],
          Math.max(...of.map((i) => days.h[i] ?? 0)),
          Math.min(...of.map((i) => days.l[i] ?? 0)),
          days.c[last],
        ]);
        expect(bars.v[n]).toBeCloseTo(
          of.reduce((sum, i) => sum + (days.v[i] ?? 0), 0),
          6,
        );
      }
      const partly = await history(`eth:${TOKEN}`, resolution, { to: END + 1, countback: 2 });
      expect(partly).toEqual(newest(bars, 2));
      const before = await history(`eth:${TOKEN}`, resolution, { to: bars.t.at(-1) ?? 0, countback: 1 });
      expect(before.t).toEqual([bars.t.at(-2)]);
    }
    expect(
      new Date((await history(`eth:${TOKEN}`, "W", { to: END, countback: 1 })).t[0]! * 1000).getUTCDay(),
    ).toBe(1);
  });

  it("has errors in the form of UDF", async () => {
    const refusals = [
      [{}, 400, "Missing required parameter: symbol"],
      [{ symbol: "WETH", resolution: "1" }, 400, "expected <chain>:<token address>"],
      [{ symbol: `doge:${TOKEN}`, resolution: "1" }, 400, "with a configured chain (eth)"],
      [{ symbol: `eth:${TOKEN}`, resolution: "1h" }, 400, "resolution: got"],
      [{ symbol: `eth:${TOKEN}`, resolution: "13M" }, 400, "M (months, up to 12)"],
      [{ symbol: `eth:${TOKEN}`, resolution: "1", countback: "0" }, 400, "countback: got"],
      [
        { symbol: `eth:${TOKEN}`, resolution: "1", from: "9", to: "8" },
        400,
        "from: got 9, expected a time no later than `to` (8)",
      ],
    ] as const;
    for (const [given, status, message] of refusals) {
      const answer = await get(app, "/udf/history", given);
      expect(answer).toMatchObject({
        status,
        body: { s: "error", errmsg: expect.stringContaining(message) },
      });
      expect(answer.headers).toMatchObject({ "x-error-code": "bad-input", "cache-control": "no-store" });
    }
    const posted = await app.inject({ method: "POST", url: "/udf/history" });
    expect([posted.statusCode, posted.json().s, posted.headers.allow]).toEqual([
      405,
      "error",
      "GET, HEAD, OPTIONS",
    ]);
  });
});
