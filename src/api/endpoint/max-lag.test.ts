import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { commitTrades, ETH, hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { createServer } from "../http/server.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(0xa1);
const LATEST = `/v1/price-api/batch-latest-token-prices?token_address=${TOKEN}`;
const OHLC = `/v1/price/historical/ohlc?token_address=${TOKEN}&from_timestamp=${AT - 600}&until_timestamp=${AT - 300}`;
const SQL = { query: "SELECT COUNT(*) AS n FROM eth_blocks" };

let market: Market;
let base: ReadableChain;
let clock: ManualClock;
let app: FastifyInstance;
const apps: FastifyInstance[] = [];

/** Two chains: the newest block of eth is at AT; the newest block of base is 20 s older. */
beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: AT, price: 2 }], { named: [TOKEN] });
  const chain = { ...ETH, name: "base", chainId: 8453 };
  const store = await openChainStore(market.engine, chain.name);
  await commitTrades(store, [{ token: TOKEN, at: AT - 20, price: 2 }], { firstBlock: 1 });
  base = { chain, store };
});
afterAll(() => market.close());
afterEach(async () => {
  for (const one of apps.splice(0)) await one.close();
});

/** Starts a service whose clock is this many seconds after AT. */
async function serveAt(seconds: number): Promise<void> {
  clock = new ManualClock((AT + seconds) * 1000);
  app = await createServer({ engine: market.engine, chains: [...market.chains, base], clock });
  apps.push(app);
}

async function ask(url: string, payload?: object, headers: Record<string, string> = {}) {
  const method = payload === undefined ? "GET" : "POST";
  const answered = await app.inject({ url, method, headers, ...(payload === undefined ? {} : { payload }) });
  return { status: answered.statusCode, headers: answered.headers, body: answered.body };
}

describe("max_lag", () => {
  it("is a parameter of every endpoint whose answer reflects a commit", () => {
    const without = ENDPOINTS.filter(({ parameters }) => !Object.hasOwn(parameters, "max_lag"));
    expect(without.map(({ path }) => path)).toEqual([
      "/v1/sql/schema",
      "/udf/config",
      "/udf/time",
      "/v1/rpc",
      "/v1/status",
      "/v1/operations",
      "/v1/check-usage",
      "/health",
      "/ready",
      "/metrics",
      "/openapi.json",
    ]);
  });

  it("refuses an older block with 503, the lag, the block and its time; by GET and POST", async () => {
    await serveAt(31);
    const stale = await ask(`${LATEST}&max_lag=30`);
    expect([stale.status, JSON.parse(stale.body).error]).toEqual([
      503,
      "The newest indexed block is 1000, from 2024-01-05T00:00:00Z: its lag of 31 s exceeds max_lag (30 s). Try again later, or allow a greater lag.",
    ]);
    expect([
      stale.headers["retry-after"],
      stale.headers["x-error-code"],
      stale.headers["cache-control"],
    ]).toEqual([expect.stringMatching(/^\d+$/), "stale", "no-store"]);
    const path = LATEST.slice(0, LATEST.indexOf("?"));
    expect((await ask(path, { token_address: [TOKEN], max_lag: 30 })).status).toBe(503);
    expect((await ask(path, { token_address: [TOKEN], max_lag: 31 })).status).toBe(200);
    expect((await ask(`${LATEST}&max_lag=31`)).status).toBe(200);
    expect((await ask(LATEST)).status).toBe(200);
  });

  it("treats a block from the future as new, and accepts only seconds", async () => {
    await serveAt(-3600);
    expect((await ask(`${LATEST}&max_lag=1`)).status).toBe(200);
    for (const given of ["0", "-1", "x", "1.5", "315360001"])
      expect([given, (await ask(`${LATEST}&max_lag=${given}`)).status]).toEqual([given, 400]);
  });

  it("holds for a client that has the answer: no 304 once the block is older", async () => {
    await serveAt(10);
    const first = await ask(`${LATEST}&max_lag=30`);
    const again = () =>
      ask(`${LATEST}&max_lag=30`, undefined, { "if-none-match": String(first.headers.etag) });
    expect([(await ask(LATEST)).headers.etag, (await again()).status]).toEqual([first.headers.etag, 304]);
    await clock.advance(21_000);
    expect((await again()).status).toBe(503);
    expect((await ask(LATEST, undefined, { "if-none-match": String(first.headers.etag) })).status).toBe(304);
  });

  it("keeps caches from using a final answer without revalidation", async () => {
    await market.store.commit({
      firstBlock: 1001,
      lastBlock: { number: 1001, hash: hexOf(1001, 32), timestamp: AT },
      rows: {},
      finalized: 1000,
    });
    await serveAt(10);
    expect((await ask(OHLC)).headers["cache-control"]).toBe("public, max-age=86400");
    expect((await ask(`${OHLC}&max_lag=60`)).headers["cache-control"]).toBe("public, no-cache");
  });

  it("holds for SQL, also where its answer is kept; SHOW TABLES reads no block", async () => {
    await serveAt(10);
    expect((await ask("/v1/sql", SQL)).status).toBe(200);
    expect((await ask("/v1/sql", { ...SQL, max_lag: 30 })).status).toBe(200);
    await clock.advance(30_000);
    const stale = await ask("/v1/sql", { ...SQL, max_lag: 30 });
    expect([stale.status, stale.body]).toEqual([503, expect.stringContaining("its lag of 40 s")]);
    expect((await ask("/v1/sql", SQL)).status).toBe(200);
    expect((await ask("/v1/sql", { query: "SHOW TABLES", max_lag: 1 })).status).toBe(200);
  });

  it("holds for each call of JSON-RPC", async () => {
    await serveAt(31);
    const call = (id: number, max_lag: number) => ({
      ...{ id, jsonrpc: "2.0", method: "v1/getPriceHistoricalOHLC" },
      params: { token_address: TOKEN, max_lag },
    });
    const { body } = await ask("/v1/rpc", [call(1, 30), call(2, 60)]);
    expect(JSON.parse(body)).toMatchObject([{ error: { code: 503 } }, { result: {} }]);
  });

  it("holds for charts, with errors in their form", async () => {
    await serveAt(31);
    for (const path of [`history?resolution=1&to=${AT + 60}&countback=2&`, "marks?", "symbols?"]) {
      const url = `/udf/${path}symbol=eth:${TOKEN}`;
      expect((await ask(`${url}&max_lag=60`)).status).toBe(200);
      const stale = await ask(`${url}&max_lag=30`);
      expect([stale.status, JSON.parse(stale.body)]).toEqual([
        503,
        { s: "error", errmsg: expect.stringContaining("its lag of 31 s") },
      ]);
    }
  });

  it("holds for every chain of a search", async () => {
    await serveAt(0);
    const status = async (more: string) => (await ask(`/v1/search?query=weth${more}`)).status;
    expect(await status("&max_lag=19")).toBe(503);
    expect(await status("&max_lag=20")).toBe(200);
    expect(await status("&max_lag=19&chain=eth")).toBe(200);
    expect(await status("&max_lag=19&chain=base")).toBe(503);
    expect((await ask("/udf/search?query=weth&max_lag=19")).status).toBe(503);
  });

  it("holds for every chain of a screener", async () => {
    await serveAt(0);
    const status = async (more: string) => (await ask(`/v1/screener?size=1${more}`)).status;
    expect(await status("&max_lag=19")).toBe(503);
    expect(await status("&max_lag=20")).toBe(200);
    expect(await status("&max_lag=19&chain=eth")).toBe(200);
  });

  it("is checked again when the answer is there", async () => {
    await serveAt(10);
    const { engine } = market;
    const slow = await createServer({
      ...{ clock, chains: market.chains },
      engine: {
        query: async (...given) => {
          await clock.advance(30_000);
          return engine.query(...given);
        },
        stream: (...given) => engine.stream(...given),
        execute: (...given) => engine.execute(...given),
        insert: (...given) => engine.insert(...given),
        close: () => Promise.resolve(),
      },
    });
    apps.push(slow);
    expect((await slow.inject(`${LATEST}&max_lag=30`)).statusCode).toBe(503);
  });
});
