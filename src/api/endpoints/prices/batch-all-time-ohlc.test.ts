import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { batchAllTimeOhlc } from "./batch-all-time-ohlc.ts";

const PATH = "/v1/price-api/batch-all-time-ohlc";
const AT = 1_704_412_800;
const [TOKEN, SINGLE, UNPRICED, UNKNOWN] = [1, 2, 3, 4].map((number) => hexOf(0xabcdef00 + number));
const [DEEP, V4] = [hexOf(0xb1), hexOf(0xb3, 32)];
const many = (count: number) => Array.from({ length: count }, (_, i) => hexOf(i + 1));

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  const trade = (seconds: number, price: number | null, more = {}) => ({
    token: TOKEN,
    at: AT + seconds,
    price,
    pool: DEEP,
    ...more,
  });
  market = await openMarket([
    trade(0, 5),
    trade(10, 9, { pool: V4 }),
    trade(10, 3, { pool: V4 }),
    trade(20, 3),
    trade(20, 9),
    trade(30, 900, { robust: null }),
    trade(40, 7),
    trade(50, null),
    { token: SINGLE, at: AT + 60, price: 1e-30 },
    { token: UNPRICED, at: AT + 60, price: null },
    ...many(300).map((token, i) => ({ token, at: AT + 100 + i, price: i + 1 })),
  ] as Parameters<typeof openMarket>[0]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function allTime(token_address: unknown, more = {}) {
  const { status, body } = await post(app, PATH, { token_address, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(() => batchAllTimeOhlc.answer.parse(body)).not.toThrow();
  return body;
}

/** Makes the transaction hash of a trade from its block and its index in the block. */
const transaction = (block: number, place: number) => hexOf(block * 1000 + place, 32);

describe("all-time prices of many tokens", () => {
  it("are the first, highest, lowest and newest price with time and transaction; the first of equal ones", async () => {
    const { body } = await get(app, PATH, { token_address: String(TOKEN).toUpperCase() });
    expect(body).toEqual([
      {
        token_address: TOKEN,
        price_open: 5,
        price_high: 9,
        price_low: 3,
        price_close: 7,
        timestamp_open: AT,
        timestamp_high: AT + 10,
        timestamp_low: AT + 10,
        timestamp_close: AT + 40,
        transaction_hash_open: transaction(1000, 0),
        transaction_hash_high: transaction(1001, 0),
        transaction_hash_low: transaction(1001, 1),
        transaction_hash_close: transaction(1004, 0),
      },
    ]);
  });

  it("use the requested price type and pool", async () => {
    const [single] = await allTime([TOKEN], { price_type: "price_token_usd_tick_1" });
    expect(single).toMatchObject({ price_high: 900, transaction_hash_high: transaction(1003, 0) });
    const [deep] = await allTime([TOKEN], { pool_address: DEEP });
    expect(deep).toMatchObject({ price_high: 9, timestamp_high: AT + 20, timestamp_low: AT + 20 });
    const [v4] = await allTime([TOKEN], { pool_address: V4.toUpperCase() });
    expect(v4).toMatchObject({
      price_open: 9,
      price_close: 3,
      timestamp_open: AT + 10,
      timestamp_close: AT + 10,
    });
  });

  it("are all the same for a single trade", async () => {
    const [single] = await allTime([SINGLE]);
    expect([single.price_open, single.price_high, single.price_low, single.price_close]).toEqual(
      Array(4).fill(1e-30),
    );
  });

  it("are one item for each address, in order, with nulls for unknown tokens", async () => {
    const items = await allTime([UNKNOWN, TOKEN, UNPRICED, TOKEN]);
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual([
      UNKNOWN,
      TOKEN,
      UNPRICED,
    ]);
    for (const { token_address: _, ...rest } of [items[0], items[2]]) {
      expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    }
  });

  it("accept 10,000 by POST, and no more", async () => {
    const tokens = many(10_000).reverse();
    const items = await allTime(tokens);
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual(tokens);
    const known = items.filter((item: { price_open: number | null }) => item.price_open !== null);
    expect(known.map((item: { price_high: number }) => item.price_high)).toEqual(
      many(300).map((_, i) => 300 - i),
    );
    expect(items[0].timestamp_low).toBeNull();
    const { status, body } = await post(app, PATH, { token_address: many(10_001) });
    expect([status, body.error]).toEqual([400, expect.stringContaining("a list of 10001")]);
  });

  it("accept 25 by GET, and advise POST for more", async () => {
    expect((await get(app, PATH, { token_address: many(25).join() })).body).toHaveLength(25);
    const { status, body } = await get(app, PATH, { token_address: many(26).join() });
    expect([status, body.error]).toEqual([400, expect.stringContaining("POST a JSON body for up to 10000")]);
  });

  it("are the same for the defaults as for the same values given", async () => {
    const given = { pool_address: "all", chain: "eth", price_type: "price_token_usd_robust_tick_1" };
    expect(await allTime([TOKEN])).toEqual(await allTime([TOKEN], given));
  });

  it.each([
    [{ token_address: undefined }, "Missing required parameter: token_address"],
    [{ token_address: [] }, "Invalid parameter token_address: got []"],
    [{ pool_address: `${DEEP},${V4}` }, "expected all, or one pool"],
    [{ price_type: "robust" }, "Invalid parameter price_type"],
    [{ chain: "doge" }, "expected one of the configured chains: eth"],
  ])("reject %o", async (wrong, message) => {
    const { status, body } = await post(app, PATH, { token_address: [TOKEN], ...wrong });
    expect([status, Object.keys(body)]).toEqual([400, ["error"]]);
    expect(body.error).toContain(message);
  });
});
