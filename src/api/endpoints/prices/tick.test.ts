import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexBytes, integer, join, sql } from "../../../engine-sql/sql-text.ts";
import { hashOf, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";
import { tickPrices } from "./tick.ts";

const PATH = "/v1/price/historical/tick";
const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);
const [TOKEN, OTHER, UNKNOWN] = [hexOf(0xa1), hexOf(0xa2), hexOf(0xa3)];
const [DEEP, SHALLOW, V4] = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3, 32)];

const trade = (ago: number, price: number | null, more = {}) => ({
  token: TOKEN,
  at: NOW - ago,
  price,
  pool: DEEP,
  ...more,
});

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([
    trade(11 * DAY, 1),
    trade(9 * DAY, 2),
    trade(3000, 3, { pool: SHALLOW }),
    trade(2000, 400, { robust: null }),
    trade(1000, 5, { pool: V4 }),
    trade(1000, 6),
    trade(900, null, { usd: null }),
    { token: OTHER, at: NOW - 800, price: 1e-7, priceEth: null },
  ]);
  await market.store.commit({
    firstBlock: 1007,
    lastBlock: { number: 1007, hash: hashOf(1007), timestamp: NOW - 700 },
    rows: {
      token_metadata: [
        {
          token_address: TOKEN,
          token_symbol: 'T"1',
          token_name: "Token\n1 é",
          decimals: 18,
          first_seen_block_number: 1007,
          record_index: recordIndexOf("wide", 1007, 0),
          is_born: 0,
        },
      ],
    },
  });
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function request(parameters: Record<string, unknown>) {
  const { status, body } = await post(app, PATH, parameters);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(() => tickPrices.answer.parse(body)).not.toThrow();
  return body;
}

async function prices(parameters: Record<string, unknown>) {
  const { data } = await request({ token_address: TOKEN, ...parameters });
  return data.map((one: { price_usd: number }) => one.price_usd);
}

/**
 * Times beyond the range of the engine's times, which are seconds in 32 bits. Some clients send milliseconds.
 */
const FAR_TIMES = [2 ** 32, 2 ** 32 + 5, NOW * 1000, Number.MAX_SAFE_INTEGER];

describe("tick prices", () => {
  it("are the priced trades of ten days, newest first, with the names of the token", async () => {
    const { body, headers } = await get(app, PATH, { token_address: TOKEN.toUpperCase() });
    expect(body).toEqual({
      token_address: TOKEN,
      token_symbol: 'T"1',
      token_name: "Token\n1 é",
      data: [6, 5, 3, 2].map((price) => expect.objectContaining({ price_usd: price })),
    });
    expect(body.data[0]).toEqual({
      block_number: 1004,
      timestamp: NOW - 1000,
      transaction_hash: hexOf(1_004_001, 32),
      price_usd: 6,
      price_eth: 6 / 2000,
      amount_token: 100 / 6,
    });
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-indexed-block": "1007",
      "x-indexed-timestamp": String(NOW - 700),
    });
  });

  it("start ten days before until by default", async () => {
    expect(await prices({ until_timestamp: NOW - 9 * DAY })).toEqual([2, 1]);
    expect(await prices({ until_timestamp: NOW - 9 * DAY, from_timestamp: NOW - 9 * DAY })).toEqual([2]);
    expect(await prices({ from_timestamp: 0 })).toEqual([6, 5, 3, 2, 1]);
    expect(await prices({ until_timestamp: 5 })).toEqual([]);
  });

  it("include both ends, and accept an until in the future", async () => {
    const only = { from_timestamp: NOW - 3000, until_timestamp: NOW - 3000 };
    expect(await prices(only)).toEqual([3]);
    expect(await prices({ from_timestamp: NOW - 2999, until_timestamp: NOW + DAY })).toEqual([6, 5]);
  });

  it.each(FAR_TIMES)("accept the time %d", async (until_timestamp) => {
    expect(await prices({ from_timestamp: 0, until_timestamp })).toEqual([6, 5, 3, 2, 1]);
    expect(await prices({ from_timestamp: until_timestamp, until_timestamp })).toEqual([]);
    expect(await prices({ until_timestamp })).toEqual([]);
  });

  it("use the requested price type", async () => {
    expect(await prices({ price_type: "price_token_usd_tick_1" })).toEqual([6, 5, 400, 3, 2]);
  });

  it("keep the newest ticks", async () => {
    expect(await prices({ size: "2" })).toEqual([6, 5]);
    expect(await prices({ size: 100_000 })).toHaveLength(4);
  });

  it("use the trades of one pool, of several or of all", async () => {
    expect(await prices({ pool_address: SHALLOW })).toEqual([3]);
    expect(await prices({ pool_address: [V4, SHALLOW] })).toEqual([5, 3]);
    expect(await prices({ pool_address: `${V4},${DEEP}` })).toEqual([6, 5, 2]);
    expect(await prices({ pool_address: "all" })).toEqual([6, 5, 3, 2]);
    expect(await prices({ pool_address: UNKNOWN })).toEqual([]);
  });

  it("of several tokens are an array in the requested order, each token once", async () => {
    const { body } = await get(app, PATH, { token_address: [UNKNOWN, OTHER, TOKEN, OTHER].join(), size: 1 });
    expect(body).toEqual([
      { token_address: UNKNOWN, token_symbol: null, token_name: null, data: [] },
      {
        token_address: OTHER,
        token_symbol: null,
        token_name: null,
        data: [expect.objectContaining({ price_usd: 1e-7, price_eth: null })],
      },
      expect.objectContaining({ token_address: TOKEN, data: [expect.objectContaining({ price_usd: 6 })] }),
    ]);
    expect(await request({ token_address: [TOKEN, TOKEN] })).toEqual(await request({ token_address: TOKEN }));
  });

  it("are the same for the defaults as for the same values given", async () => {
    const until = NOW + 3600;
    const given = {
      token_address: TOKEN,
      pool_address: "all",
      chain: "eth",
      price_type: "price_token_usd_robust_tick_1",
      from_timestamp: until - 10 * DAY,
      until_timestamp: until,
      size: 100,
    };
    expect(await request({ token_address: TOKEN, until_timestamp: until })).toEqual(await request(given));
    expect(await request({ token_address: TOKEN })).toEqual(
      await request({ ...given, until_timestamp: NOW }),
    );
  });

  it("are empty from a future time until now", async () => {
    expect(await prices({ from_timestamp: NOW + 3600 })).toEqual([]);
  });

  it.each([
    [{ token_address: "" }, "Missing required parameter: token_address"],
    [{ token_address: [TOKEN, "0x12"] }, 'got "0x12" (item 2 of 2)'],
    [
      { token_address: Array.from({ length: 101 }, (_, i) => hexOf(i + 1)) },
      "a list of 1 to 100 addresses (0x and 40 hex digits each).",
    ],
    [{ pool_address: ["all", DEEP] }, 'Invalid parameter pool_address: got "all" (item 1 of 2)'],
    [{ pool_address: "some" }, "expected all, or a list of 1 to 100 pools"],
    [{ size: 0 }, "Invalid parameter size: got 0, expected an integer from 1 to 100000."],
    [{ size: 100_001 }, "Invalid parameter size"],
    [
      { token_address: Array.from({ length: 11 }, (_, i) => hexOf(i + 1)), size: 100_000 },
      "Invalid parameter size: got 100000; for 11 tokens, expected an integer from 1 to 90909.",
    ],
    [{ from_timestamp: 10, until_timestamp: 9 }, "Invalid parameter from_timestamp: got 10"],
    [{ from_timestamp: "yesterday" }, "a time in unix seconds"],
    [{ chain: "doge" }, "expected one of the configured chains: eth"],
    [{ price_type: "price_token_usd_wavg_1h" }, "Invalid parameter price_type"],
  ])("reject %o", async (wrong, message) => {
    const { status, body } = await post(app, PATH, { token_address: TOKEN, ...wrong });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(["error"]);
    expect(body.error).toContain(message);
  });

  it("accept 25 tokens by GET, and advise POST for more", async () => {
    const tokens = Array.from({ length: 26 }, (_, i) => hexOf(i + 1));
    expect((await get(app, PATH, { token_address: tokens.slice(1).join() })).body).toHaveLength(25);
    const { status, body } = await get(app, PATH, { token_address: tokens.join() });
    expect([status, body.error]).toEqual([400, expect.stringContaining("POST a JSON body for up to 100")]);
  });

  it.skipIf(!canListOpenFiles)("are not held in memory, and leave no file", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 50 } });
    const { body } = await post(small, PATH, { token_address: [TOKEN, OTHER] });
    expect(body).toEqual(await request({ token_address: [TOKEN, OTHER] }));
    await small.close();
    await expect.poll(bufferFiles).toBe(0);
  });
});

describe("100,000 tick prices", () => {
  const COUNT = 120_000;
  const BUSY = hexOf(0xb5);

  beforeAll(async () => {
    const table = engineTable("eth", "dex_trades");
    const columns = join([
      sql`${hexBytes(BUSY)} AS token_address`,
      sql`record_index + number AS record_index`,
      sql`1. + number AS price_token_usd_robust_tick_1`,
      sql`reinterpretAsFixedString(toUInt256(number)) AS transaction_hash`,
    ]);
    const one = sql`SELECT * FROM ${table} WHERE token_address = ${hexBytes(OTHER)}`;
    const copies = sql`SELECT * REPLACE (${columns}) FROM (${one}) AS one CROSS JOIN numbers(${integer(COUNT)}) AS copies`;
    await market.engine.execute(sql`INSERT INTO ${table} SELECT * EXCEPT number FROM (${copies})`);
  });

  it("are complete, newest first, in limited memory", async () => {
    const limits = { queryMemoryBytes: 128 * 1024 * 1024, answerMemoryBytes: 1024 * 1024 };
    const service = await createServer({ ...market, limits });
    const { status, body } = await post(service, PATH, { token_address: BUSY, size: 100_000 });
    await service.close();
    expect([status, body.error]).toEqual([200, undefined]);
    const found = body.data.map((one: { price_usd: number }) => one.price_usd);
    expect(found).toEqual(Array.from({ length: 100_000 }, (_, i) => COUNT - i));
    const hashes = body.data.map((one: { transaction_hash: string }) => one.transaction_hash);
    expect(new Set(hashes).size).toBe(100_000);
  });
});
