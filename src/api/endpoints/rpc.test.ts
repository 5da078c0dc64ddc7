import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { randomTrades, SPAN, START, TOKENS } from "../../reads/support/random-trades.ts";
import { createServer } from "../http/server.ts";
import { post, responseOf } from "../support/http.ts";
import { bufferFiles, canListOpenFiles } from "../support/open-files.ts";

const PATH = "/v1/rpc";
const OHLC = "v1/getPriceHistoricalOHLC";
const TOTAL = "v1/getWalletLatestTotalPerformance";
const PER_TOKEN = "v1/getWalletLatestPerformancePerToken";
const [TOKEN] = TOKENS;
const WALLET = hexOf(0xabc);
const parameters = { token_address: TOKEN, until_timestamp: START + SPAN, interval: "1h" };

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket(randomTrades(300));
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const call = (method: string, params: object, more: object = {}) => ({ method, params, ...more });

describe("JSON-RPC", () => {
  it("serves other requests between the calls of a batch", async () => {
    let turns = 0;
    let isAnswered = false;
    const count = () => {
      turns++;
      if (!isAnswered) setImmediate(count);
    };
    setImmediate(count);
    const calls = Array.from({ length: 100 }, () => call("unknown", { text: "x".repeat(9_000) }));
    const { status, body } = await post(app, PATH, calls);
    isAnswered = true;
    expect([status, body.length]).toEqual([200, 100]);
    expect(turns).toBeGreaterThan(2);
  });

  it("has the answer of REST, with volume and trades, the token in lower case", async () => {
    const params = {
      ...parameters,
      token_address: `0x${TOKEN.slice(2).toUpperCase()}`,
      with_volume: "False",
    };
    const { status, body, headers } = await post(app, PATH, call(OHLC, params, { id: "a", jsonrpc: "2.0" }));
    const rest = await post(app, "/v1/price/historical/ohlc", { ...parameters, with_volume: true });
    expect([status, body]).toEqual([200, { id: "a", jsonrpc: "2.0", result: rest.body }]);
    expect(body.result.token_address).toBe(TOKEN);
    expect(body.result.data.at(-1)).toMatchObject({
      volume: expect.any(Number),
      num_trades: expect.any(Number),
    });
    for (const name of ["x-indexed-block", "x-indexed-block-hash", "x-commit", "content-type"]) {
      expect([name, headers[name]]).toEqual([name, rest.headers[name]]);
    }
  });

  it("has the result or the error of REST for any parameters", async () => {
    const anyParams = fc.record(
      {
        token_address: fc.constantFrom(...TOKENS, hexOf(0xff), "0x12"),
        wallet_address: fc.constantFrom(WALLET, hexOf(5), "0xzz"),
        interval: fc.constantFrom("1m", "1h", "1w"),
        until_timestamp: fc.constantFrom(START, START + SPAN, String(START + SPAN)),
        max_size: fc.constantFrom(1, "7", 0),
        fill: fc.constantFrom(true, "False", "maybe"),
        total_exclude: fc.boolean(),
        max_size_ok: fc.boolean(),
        price_type: fc.constantFrom("price_token_usd_tick_1", "none"),
        skip_null: fc.boolean(),
      },
      { requiredKeys: ["token_address", "wallet_address", "until_timestamp"] },
    );
    const endpoints = fc.constantFrom(
      [OHLC, "/v1/price/historical/ohlc", { with_volume: true }] as const,
      [TOTAL, "/v1/wallet-api/latest-total-performance", {}] as const,
      [PER_TOKEN, "/v1/wallet-api/latest-performance-per-token", {}] as const,
    );
    await fc.assert(
      fc.asyncProperty(endpoints, anyParams, async ([method, path, always], params) => {
        const [rpc, rest] = [
          await post(app, PATH, call(method, params)),
          await post(app, path, { ...params, ...always }),
        ];
        expect(rpc.status).toBe(rest.status);
        const same =
          rest.status === 200
            ? { result: rest.body }
            : { error: { code: rest.status, message: rest.body.error } };
        expect(rpc.body).toEqual({ ...same, id: 1, jsonrpc: "2.0" });
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [{ id: 7 }, 7],
    [{ id: "7" }, "7"],
    [{ id: 0 }, 0],
    [{ id: "" }, ""],
    [{ id: 2 ** 53 - 1 }, 2 ** 53 - 1],
    [{ id: 0.1 }, 0.1],
    [{ id: null }, null],
    [{}, 1],
  ])("returns the id of %o as %o, in results and in errors", async (given, id) => {
    expect((await post(app, PATH, call(OHLC, parameters, given))).body.id).toBe(id);
    expect((await post(app, PATH, call(OHLC, {}, given))).body.id).toBe(id);
  });

  it.each([
    [call(OHLC, {}), 400, "Missing required parameter: token_address"],
    [{ method: OHLC }, 400, "Missing required parameter: token_address"],
    [call(TOTAL, { chain: "eth" }), 400, "Missing required parameter: wallet_address"],
    [{ params: {} }, 400, "Missing required parameter: method"],
    [call(OHLC, { token_address: "0x12" }), 400, 'Invalid parameter token_address: got "0x12"'],
    [call(OHLC, [TOKEN]), 400, "Invalid parameter params: got"],
    [
      call("v1/getPriceHistoricalOhlc", parameters),
      404,
      `did you mean "${OHLC}"? The methods are ${OHLC}, ${TOTAL}, ${PER_TOKEN}.`,
    ],
    [call("v1/query", { query: "SELECT 1" }), 404, 'There is no method "v1/query"'],
    [call("eth_blockNumber", []), 404, 'There is no method "eth_blockNumber"'],
  ])("rejects %o with %i", async (wrong, code, message) => {
    const { status, body } = await post(app, PATH, wrong);
    expect(status).toBe(code);
    expect(body).toEqual({
      error: { code, message: expect.stringContaining(message) },
      id: 1,
      jsonrpc: "2.0",
    });
  });

  it.each([
    ["no JSON", { payload: "{", headers: { "content-type": "application/json" } }, 400],
    ["another type", { payload: "a=1", headers: { "content-type": "text/csv" } }, 415],
    ["too much", { payload: { pad: "x".repeat(2 ** 20) } }, 413],
    ["a number", { payload: "5", headers: { "content-type": "application/json" } }, 400],
    ["an id of the wrong type", { payload: call(OHLC, parameters, { id: {} }) }, 400],
    ["nothing", {}, 400],
  ])("rejects %s in its own form, without an id", async (_, request, code) => {
    const { status, body } = await responseOf(app.inject({ method: "POST", url: PATH, ...request }));
    expect([status, body]).toEqual([
      code,
      { error: { code, message: expect.stringMatching(/\.$/) }, id: null, jsonrpc: "2.0" },
    ]);
  });

  it.each(["9007199254740993", "-9007199254740992", "1e999"])(
    "rejects the id %s, which it cannot echo exactly",
    async (id) => {
      const payload = `{"id":${id},"method":"${OHLC}","params":${JSON.stringify(parameters)}}`;
      const headers = { "content-type": "application/json" };
      const { status, body } = await responseOf(app.inject({ method: "POST", url: PATH, payload, headers }));
      expect([status, body.id]).toEqual([400, null]);
      expect(body.error.message).toContain("a number up to 9007199254740991");
    },
  );

  it("rejects GET, and names POST", async () => {
    const { status, body, headers } = await responseOf(app.inject({ method: "GET", url: PATH }));
    expect([status, body.error, headers.allow]).toEqual([
      405,
      { code: 405, message: "GET is not allowed here. Allowed: POST, OPTIONS." },
      "POST, OPTIONS",
    ]);
  });

  it("accepts a key among the parameters, and rejects a call without one in its own form", async () => {
    const closed = await createServer({ ...market, apiKeys: ["k"] });
    expect((await post(closed, PATH, call(OHLC, { ...parameters, key: "k" }))).status).toBe(200);
    const { status, body } = await post(closed, PATH, call(OHLC, parameters, { id: 3 }));
    expect([status, body.error.code, body.id]).toEqual([401, 401, 3]);
    await closed.close();
  });
});

describe("lists of calls", () => {
  it("are responseOf in order, with errors in place of results", async () => {
    const calls = [
      call(OHLC, parameters, { id: "x" }),
      call("v1/none", {}, { id: 2 }),
      5,
      call(TOTAL, { wallet_address: WALLET }),
    ];
    const { status, body, headers } = await post(app, PATH, calls);
    expect([status, headers["x-indexed-block"]]).toEqual([200, undefined]);
    expect(body).toEqual([
      (await post(app, PATH, calls[0])).body,
      { error: { code: 404, message: expect.stringContaining("v1/none") }, id: 2, jsonrpc: "2.0" },
      { error: { code: 400, message: expect.stringContaining("A call must be") }, id: null, jsonrpc: "2.0" },
      (await post(app, PATH, calls[3])).body,
    ]);
  });

  it("name their commit when it is the same for all answers", async () => {
    const { headers } = await post(app, PATH, [
      call(OHLC, parameters),
      call(TOTAL, { wallet_address: WALLET }),
    ]);
    const single = await post(app, PATH, call(OHLC, parameters));
    expect(headers["x-indexed-block"]).toBe(single.headers["x-indexed-block"]);
    expect(headers["x-indexed-block"]).toBeDefined();
  });

  it("have 1 to 100 calls", async () => {
    const calls = (count: number) => Array.from({ length: count }, (_, id) => call(OHLC, {}, { id }));
    const { status, body } = await post(app, PATH, calls(100));
    expect([status, body.length, body[99].id]).toEqual([200, 100, 99]);
    for (const count of [0, 101]) {
      const rejected = await post(app, PATH, calls(count));
      expect([rejected.status, rejected.body]).toEqual([
        400,
        {
          error: { code: 400, message: `The list has ${count} calls; it must have 1 to 100.` },
          id: null,
          jsonrpc: "2.0",
        },
      ]);
    }
  });

  it.skipIf(!canListOpenFiles)("are not held in memory, and leave no file", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 50 } });
    const calls = [call(OHLC, parameters), call(OHLC, parameters)];
    expect((await post(small, PATH, calls)).body).toEqual((await post(app, PATH, calls)).body);
    await small.close();
    await expect.poll(bufferFiles).toBe(0);
  });
});
