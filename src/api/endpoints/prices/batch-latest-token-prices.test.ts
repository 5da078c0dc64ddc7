import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { batchLatestTokenPrices } from "./batch-latest-token-prices.ts";

const PATH = "/v1/price-api/batch-latest-token-prices";
const NOW = 1_704_412_800;
const DAY = 86_400;
const [BUSY, OLD, OUTLIER, UNPRICED, UNKNOWN] = [1, 2, 3, 4, 5].map((number) => hexOf(0xabcdef00 + number));
const many = (count: number) => Array.from({ length: count }, (_, i) => hexOf(i + 1));

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket(
    [
      { token: OLD, at: NOW - 400 * DAY, price: 2 },
      { token: OLD, at: NOW - 399 * DAY, price: 3, priceEth: null },
      { token: OUTLIER, at: NOW - 20 * DAY, price: 5 },
      { token: OUTLIER, at: NOW - 10, price: 500, robust: null },
      { token: UNPRICED, at: NOW - 10, price: null },
      { token: BUSY, at: NOW, price: 7 },
      { token: BUSY, at: NOW, price: 8 },
      ...many(300).map((token, i) => ({ token, at: NOW - i * DAY, price: i + 1 })),
    ] as Parameters<typeof openMarket>[0],
    { named: [BUSY, UNPRICED] as Hex[] },
  );
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function latest(token_address: unknown, more = {}) {
  const { status, body } = await post(app, PATH, { token_address, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(() => batchLatestTokenPrices.answer.parse(body)).not.toThrow();
  return body;
}

describe("latest prices of many tokens", () => {
  it("returns the last trade of a moment, in chain order", async () => {
    const { body, headers } = await get(app, PATH, { token_address: String(BUSY).toUpperCase() });
    expect(body).toEqual([
      {
        token_address: BUSY,
        token_symbol: `T${Number(BUSY)}`,
        token_name: `Token ${Number(BUSY)}`,
        block_number: Number(headers["x-indexed-block"]),
        timestamp: NOW,
        transaction_hash: hexOf(Number(headers["x-indexed-block"]) * 1000 + 1, 32),
        price_eth: 8 / 2000,
        price_usd: 8,
      },
    ]);
  });

  it("finds the newest price, however old, of the requested type", async () => {
    const [old, outlier] = await latest([OLD, OUTLIER]);
    expect(old).toMatchObject({ price_usd: 3, price_eth: null, timestamp: NOW - 399 * DAY });
    expect(outlier).toMatchObject({ price_usd: 5, timestamp: NOW - 20 * DAY });
    const [single] = await latest([OUTLIER], { price_type: "price_token_usd_tick_1" });
    expect(single).toMatchObject({ price_usd: 500, timestamp: NOW - 10 });
  });

  it("returns one item for each address, in order, with nulls for what is unknown", async () => {
    const items = await latest([UNKNOWN, BUSY, UNPRICED, BUSY]);
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual([
      UNKNOWN,
      BUSY,
      UNPRICED,
    ]);
    const { token_address: _, ...rest } = items[0];
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    expect(items[2]).toEqual({
      ...rest,
      token_address: UNPRICED,
      token_symbol: `T${Number(UNPRICED)}`,
      token_name: `Token ${Number(UNPRICED)}`,
    });
  });

  it("accepts 10,000 by POST, and no more", async () => {
    const tokens = many(10_000).reverse();
    const items = await latest(tokens);
    expect(items.map((item: { token_address: string }) => item.token_address)).toEqual(tokens);
    const priced = items.filter((item: { price_usd: number | null }) => item.price_usd !== null);
    expect(priced.map((item: { price_usd: number }) => item.price_usd)).toEqual(
      many(300).map((_, i) => 300 - i),
    );
    expect(await latest(tokens.join())).toEqual(items);
    const { status, body } = await post(app, PATH, { token_address: many(10_001) });
    expect([status, body.error]).toEqual([400, expect.stringContaining("a list of 10001")]);
  });

  it("accepts 25 by GET, and advises POST for more", async () => {
    expect((await get(app, PATH, { token_address: many(25).join() })).body).toHaveLength(25);
    const { status, body } = await get(app, PATH, { token_address: many(26).join() });
    expect([status, body.error]).toEqual([400, expect.stringContaining("POST a JSON body for up to 10000")]);
  });

  it("has the same answer for its defaults as for the same values given", async () => {
    const given = { chain: "eth", price_type: "price_token_usd_robust_tick_1" };
    expect(await latest([BUSY, OUTLIER])).toEqual(await latest([BUSY, OUTLIER], given));
  });

  it("joins a repeated query key", async () => {
    const response = await app.inject(`${PATH}?token_address=${BUSY}&token_address=${OLD}`);
    expect(response.json().map((item: { token_address: string }) => item.token_address)).toEqual([BUSY, OLD]);
  });

  it("fails as a whole for one malformed address", async () => {
    const { status, body } = await post(app, PATH, { token_address: [BUSY, "0xzz"] });
    expect([status, body.error]).toEqual([400, expect.stringContaining('"0xzz" (item 2 of 2)')]);
  });
});
