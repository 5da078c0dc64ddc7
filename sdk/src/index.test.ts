import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints/endpoints.ts";
import { openApiDocument } from "../../src/api/openapi/openapi.ts";
import { hashOf, hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { type Listening, serve } from "../support/service.ts";
import { MAX_WALLETS_PER_REQUEST } from "./calls/wallets.ts";
import { MAX_TOKENS_PER_REQUEST } from "./connection/parts.ts";
import { type Client, createClient, QuarryError, type SqlValue } from "./index.ts";

const A = hexOf(0xa1);
const B = hexOf(0xb2);
const DAY = 86_400;
const AT = 20_000 * DAY;

const NEWEST = { block: 1002, timestamp: AT + DAY, hash: hashOf(1002), commit: 1 };

let market: Market;
let service: Listening;
let quarry: Client;
const asked: string[] = [];

beforeAll(async () => {
  const trades = [
    { token: A, at: AT, price: 5 },
    { token: B, at: AT + 10, price: 7, usd: 30 },
    { token: A, at: AT + DAY, price: 6 },
  ];
  market = await openMarket(trades);
  service = await serve(market);
  quarry = createClient({
    url: `${service.url}/`,
    fetch: (url, init) => {
      asked.push(`${init?.method ?? "GET"} ${String(url).slice(service.url.length)}`);
      return fetch(url, init);
    },
  });
});
afterEach(() => asked.splice(0));
afterAll(async () => {
  await service.close();
  await market.close();
});

const failure = async (call: Promise<unknown>): Promise<QuarryError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(QuarryError);
  return error as QuarryError;
};

describe("ohlc", () => {
  it("returns candles and the block they are as of", async () => {
    const question = {
      token_address: A,
      until_timestamp: AT + DAY,
      order: "asc",
      with_volume: true,
    } as const;
    const { token_address, data, asOf } = await quarry.ohlc(question);
    expect(token_address).toBe(A);
    expect(data.map((candle) => [candle.timestamp_open, candle.price_close, candle.volume])).toEqual([
      [AT, 5, 100],
      [AT + DAY, 6, 100],
    ]);
    expect(asOf).toEqual(NEWEST);
  });

  it("omits undefined parameters", async () => {
    const question = { token_address: A, ...({ interval: undefined } as object) };
    await quarry.ohlc(question);
    expect(asked).toEqual([`GET /v1/price/historical/ohlc?token_address=${A}`]);
  });
});

describe("latestPrices", () => {
  it("returns a price for each token, in their order", async () => {
    const { prices, asOf } = await quarry.latestPrices({ token_address: [B, hexOf(0xc3), A] });
    expect(prices.map((price) => [price.token_address, price.price_usd])).toEqual([
      [B, 7],
      [hexOf(0xc3), null],
      [A, 6],
    ]);
    expect(asOf?.block).toBe(1002);
  });

  it("requests long lists in parts, and keeps order and distinctness across them", async () => {
    const unknown = Array.from({ length: 2 * MAX_TOKENS_PER_REQUEST }, (_, i) => hexOf(0x1000 + i));
    const upper = `0x${B.slice(2).toUpperCase()}`;
    const { prices, asOf } = await quarry.latestPrices({ token_address: [B, ...unknown, A, upper, B] });
    expect(asked).toHaveLength(3);
    expect(prices.map((price) => price.token_address)).toEqual([B, ...unknown, A]);
    expect([prices.at(0)?.price_usd, prices.at(-1)?.price_usd]).toEqual([7, 6]);
    expect(asOf).toEqual(NEWEST);
  });

  it("splits lists that the service would reject", () => {
    const schemas = openApiDocument(ENDPOINTS).components.schemas;
    const bodies = [
      "GetBatchLatestTokenPricesBody",
      "GetBatchAllTimeOHLCBody",
      "GetBatchLatestPriceChangeBody",
    ];
    expect(bodies.map((body) => schemas?.[body])).toMatchObject(
      bodies.map(() => ({ properties: { token_address: { maxItems: MAX_TOKENS_PER_REQUEST } } })),
    );
  });

  it("lets the service reject an empty list", async () => {
    const { status, message } = await failure(quarry.latestPrices({ token_address: [] }));
    expect([status, message.startsWith("Invalid parameter token_address")]).toEqual([400, true]);
  });
});

describe("ticks", () => {
  it("are a list of tokens, for one and for several", async () => {
    const question = { until_timestamp: AT + DAY, size: 1 };
    const { tokens, asOf } = await quarry.ticks({ token_address: [A], ...question });
    expect(tokens).toMatchObject([{ token_address: A, data: [{ price_usd: 6, timestamp: AT + DAY }] }]);
    expect(asOf?.block).toBe(1002);
    const both = await quarry.ticks({ token_address: [B, A], ...question, pool_address: "all" });
    expect(both.tokens.map((one) => [one.token_address, one.data[0]?.price_usd])).toEqual([
      [B, 7],
      [A, 6],
    ]);
  });
});

describe("allTimePrices", () => {
  it("return an item for each token, in their order, in parts if the list is long", async () => {
    const unknown = Array.from({ length: MAX_TOKENS_PER_REQUEST }, (_, i) => hexOf(0x1000 + i));
    const { prices, asOf } = await quarry.allTimePrices({ token_address: [B, ...unknown, A] });
    expect(asked).toHaveLength(2);
    expect(prices.map((price) => price.token_address)).toEqual([B, ...unknown, A]);
    expect(prices.at(-1)).toMatchObject({ price_open: 5, price_high: 6, price_low: 5, price_close: 6 });
    expect(asOf?.block).toBe(1002);
  });
});

describe("priceChanges", () => {
  it("return an item for each token, in their order", async () => {
    const question = { token_address: [hexOf(0xc3), A], timestamp: AT + DAY, lookback: "1d" };
    const { changes, asOf } = await quarry.priceChanges(question);
    expect(changes.map((change) => [change.price_open, change.price_close, change.change_abs])).toEqual([
      [null, null, null],
      [5, 6, 1],
    ]);
    expect(asOf?.block).toBe(1002);
  });

  it("cover one period, even in parts", async () => {
    const unknown = Array.from({ length: MAX_TOKENS_PER_REQUEST }, (_, i) => hexOf(0x1000 + i));
    const ends: unknown[] = [];
    const watched = createClient({
      url: service.url,
      fetch: (url, init) => {
        const { searchParams } = new URL(String(url));
        const body =
          init?.body === undefined ? Object.fromEntries(searchParams) : JSON.parse(String(init.body));
        ends.push(body.timestamp === undefined ? undefined : Number(body.timestamp));
        return fetch(url, init);
      },
    });
    await watched.priceChanges({ token_address: [A, ...unknown] });
    expect(ends).toEqual([undefined, expect.any(Number), ends[1]]);
    await watched.priceChanges({ token_address: [A], lookback: "1h" });
    expect(ends.slice(3)).toEqual([undefined]);
  });
});

describe("poolTvls", () => {
  it("return an item for each pool, in their order", async () => {
    const pools = [hexOf(0xc4), hexOf(0xc3, 32)];
    const { pools: found, asOf } = await quarry.poolTvls({ pool_address: pools });
    expect(found.map(({ pool_address, tvl_usd }) => [pool_address, tvl_usd])).toEqual([
      [pools[0], null],
      [pools[1], null],
    ]);
    expect(asOf?.block).toBe(1002);
  });

  it("have a history, which is empty for an unknown pool", async () => {
    const params = { pool_address: hexOf(0xc4), interval: "1h", order: "asc" } as const;
    const { asOf, ...history } = await quarry.poolTvlHistory(params);
    expect(history).toMatchObject({ pool_address: hexOf(0xc4), token_0_address: null, data: [] });
    expect(asOf?.block).toBe(1002);
  });
});

describe("screener", () => {
  it("lists up to 100 given tokens", async () => {
    const unknown = Array.from({ length: 25 }, (_, i) => hexOf(0x1000 + i));
    for (const tokens of [[A], [A, ...unknown]]) {
      const { tokens: found, asOf } = await quarry.screener({ chain: "eth", token_address: tokens });
      expect(found.map(({ token_address }) => token_address)).toEqual([A]);
      expect(asOf?.block).toBe(1002);
    }
    expect(asked.map((one) => one.split("?")[0])).toEqual(["GET /v1/screener", "POST /v1/screener"]);
  });
});

describe("wallets", () => {
  const TRADER = hexOf(0xabc);

  it("are returned in their order, in parts if the list is long", async () => {
    const unknown = Array.from({ length: MAX_WALLETS_PER_REQUEST }, (_, i) => hexOf(0x1000 + i));
    const upper = `0x${TRADER.slice(2).toUpperCase()}`;
    const question = { wallet_address: [...unknown, TRADER, upper], total_exclude: true };
    const { wallets, remainder, asOf } = await quarry.walletsPerformance(question);
    expect(asked).toHaveLength(2);
    expect(wallets.map(({ wallet_address }) => wallet_address)).toEqual([...unknown, TRADER]);
    expect(wallets.at(-1)).toMatchObject({
      total_trades: 3,
      total_tokens_traded: 2,
      excluded: { total: [] },
    });
    expect([remainder, asOf?.block]).toEqual([[], 1002]);
  });

  it("are requested again while responses reduce the remainder", async () => {
    const answers = [
      { data: { [A]: {} }, remainder: [B, hexOf(0xc3)] },
      { data: { [hexOf(0xc3)]: {} }, remainder: [B] },
      { data: {}, remainder: [B] },
    ];
    const lists: string[][] = [];
    const scripted = createClient({
      url: service.url,
      fetch: async (url) => {
        lists.push((new URL(String(url)).searchParams.get("wallet_address") ?? "").split(","));
        return Response.json(answers[lists.length - 1]);
      },
    });
    const { wallets, remainder } = await scripted.walletsPerformance({ wallet_address: [A, B, hexOf(0xc3)] });
    expect(lists).toEqual([[A, B, hexOf(0xc3)], [B, hexOf(0xc3)], [B]]);
    expect([wallets.length, remainder]).toEqual([2, [B]]);
  });

  it("are returned one by one, and token by token", async () => {
    const { performance, asOf } = await quarry.walletPerformance({ wallet_address: TRADER });
    expect(performance).toMatchObject({ wallet_address: TRADER, total_buys: 3 });
    expect(asOf?.block).toBe(1002);
    const { tokens } = await quarry.walletTokens({ wallet_address: TRADER });
    expect(tokens.map(({ token_address }) => token_address)).toEqual([A, B]);
  });
});

describe("sql", () => {
  it("returns rows of the given type", async () => {
    const answer = await quarry.sql<{ token: string; n: number }>(
      "SELECT token_address AS token, COUNT(*) AS n FROM eth_dex_trades GROUP BY token ORDER BY n DESC",
    );
    expectTypeOf(answer.rows).toEqualTypeOf<{ token: string; n: number }[]>();
    expect(answer).toEqual({
      rows: [
        { token: A, n: 2 },
        { token: B, n: 1 },
      ],
      truncated: false,
      rowLimit: 10_000,
      asOf: NEWEST,
      elapsedMs: expect.any(Number),
      rowsRead: null,
    });
  });

  it("returns the limit of the query, and no block for rows that read no chain", async () => {
    const { rows, truncated, rowLimit } = await quarry.sql("SELECT * FROM eth_dex_trades LIMIT 2");
    expectTypeOf(rows).toEqualTypeOf<Record<string, SqlValue>[]>();
    expect([rows.length, truncated, rowLimit]).toEqual([2, false, 2]);
    expect((await quarry.sql("SHOW TABLES")).asOf).toBeNull();
  });
});

describe("status and ready", () => {
  it("report what is indexed", async () => {
    const { chains } = await quarry.status();
    expect(chains.map(({ chain, indexed_block }) => [chain, indexed_block])).toEqual([["eth", 1002]]);
    expect(await quarry.ready()).toEqual({ ready: true });
  });

  it("say why the service is not ready, without retries", async () => {
    const indexing = () => ({
      head: 9,
      finalized: 3,
      ready: false,
      message: "backfilling",
      outage: null,
      stalled: null,
      endpoints: [],
      ages: { seen: null, committed: null },
      rollbacks: { count: 0, deepest: 0, lastAt: null },
      extension: null,
    });
    const early = await serve(market, { indexing });
    expect(await createClient({ url: early.url }).ready()).toEqual({
      ready: false,
      reason: "Chain eth is not ready: backfilling.",
    });
    await early.close();
  });
});

describe("errors of the service", () => {
  it("carry its message, status and request id", async () => {
    const error = await failure(quarry.ohlc({ token_address: "0x12" }));
    expect(error.message).toBe(
      'Invalid parameter token_address: got "0x12", expected an address, 0x and 40 hex digits.',
    );
    expect([error.status, error.retryAfterSeconds]).toEqual([400, null]);
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(asked).toHaveLength(1);
  });

  it("are 401 without the key, and absent with it", async () => {
    const closed = await serve(market, { apiKeys: ["secret"] });
    const { status } = await failure(createClient({ url: closed.url }).status());
    expect(status).toBe(401);
    const client = createClient({ url: closed.url, key: "secret\n" });
    const { chains } = await client.status();
    expect(await client.usage()).toMatchObject({ key: "configured-1", requests: 1, requests_limit: null });
    expect(chains).toHaveLength(1);
    // Keys in the configuration lack the scope `operations`.
    expect((await failure(client.operations())).status).toBe(403);
    const { processes, slow_requests } = await quarry.operations();
    expect([processes.length, slow_requests.after_seconds]).toEqual([1, 1]);
    await closed.close();
  });
});

describe("top records", () => {
  it("returns the records of each group under the requested key", async () => {
    const question = {
      groupby: "token_address",
      eq: [A.toUpperCase().replace("0X", "0x"), B],
      size: 2,
    } as const;
    const { groups, asOf } = await quarry.topRecords("dex-trades", { ...question, eq: [...question.eq] });
    const prices = Object.entries(groups).map(([key, list]) => [
      key,
      list.map((one) => one.price_token_usd_tick_1),
    ]);
    expect(prices).toEqual([
      [question.eq[0], [6, 5]],
      [B, [7]],
    ]);
    expect(asOf?.block).toBe(1002);
    const query = new URLSearchParams({ ...question, eq: question.eq.join(), size: "2" });
    expect(asked).toEqual([`GET /v1/topk-api/dex-trades?${query}`]);
  });
});
