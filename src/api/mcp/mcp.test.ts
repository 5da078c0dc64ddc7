import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, connectHttp } from "../../../test/mcp/support/clients.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket, type Trade } from "../../reads/support/market.ts";
import { type ApiOptions, createServer } from "../http/server.ts";
import { post } from "../support/http.ts";

const START = 1_700_000_000;
const MINUTE = 60;
const TOKEN = hexOf(0xa1);
const WALLET = hexOf(0x77);
const KEY = "the-key";
/** Number of trades of one token, which are a minute apart. */
const MINUTES = 450;
const TOKENS = 300;

let market: Market;
let app: FastifyInstance;
let url: string;
let client: Client;
const apps: FastifyInstance[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  const history: Trade[] = Array.from({ length: MINUTES }, (_, i) => ({
    token: TOKEN,
    at: START + i * MINUTE,
    price: 5 + Math.sin(i),
    usd: 100,
  }));
  const bought: Trade[] = Array.from({ length: TOKENS }, (_, i) => ({
    token: hexOf(0x1000 + i),
    at: START + 5,
    price: 1 + i / 7,
    usd: 10,
    trader: WALLET,
  }));
  market = await openMarket([...history, ...bought], { named: [TOKEN] });
  [app, url] = await serve();
  client = await connected(url);
});
afterAll(async () => {
  for (const one of clients) await one.close();
  for (const one of apps) await one.close();
  await market.close();
});

async function serve(options: Partial<ApiOptions> = {}): Promise<[FastifyInstance, string]> {
  const served = await createServer({ engine: market.engine, chains: market.chains, ...options });
  apps.push(served);
  return [served, await served.listen({ port: 0, host: "127.0.0.1" })];
}

async function connected(to: string, headers: Record<string, string> = {}): Promise<Client> {
  const one = await connectHttp(to, headers);
  clients.push(one);
  return one;
}

async function answer(name: string, given: Record<string, unknown>, of = client) {
  const { isError, text } = await callTool(of, name, given);
  expect([name, isError, text]).toEqual([name, false, expect.any(String)]);
  return JSON.parse(text);
}

/** Returns every page of an answer. */
async function pages(name: string, given: Record<string, unknown>) {
  const all = [await answer(name, given)];
  for (let { cursor } = all[0]; cursor !== undefined; cursor = all.at(-1).cursor) {
    all.push(await answer(name, { ...given, cursor }));
  }
  return all;
}

describe("sql", () => {
  it("returns 200 rows, and says that there are more and how to narrow", async () => {
    const query = "SELECT record_index, price_token_usd_tick_1 FROM eth_dex_trades ORDER BY record_index";
    const { rows, truncated, chain } = await answer("sql", { query });
    expect([chain, rows.length]).toEqual(["eth", 200]);
    expect(truncated).toMatch(/^There are more rows \(shown: 200\)\. Narrow the query: .*this cursor\.$/);
    const { body } = await post(app, "/v1/sql", { query: `${query} LIMIT 200` });
    expect(rows).toEqual(body.map((row: object) => Object.values(row)));
  });

  it("does the same where the query has a higher LIMIT, and not where it has a lower one", async () => {
    const query = "SELECT record_index FROM eth_dex_trades LIMIT";
    expect((await answer("sql", { query: `${query} 500` })).truncated).toMatch(/200/);
    const { rows, truncated } = await answer("sql", { query: `${query} 199` });
    expect([rows.length, truncated]).toEqual([199, undefined]);
  });

  it.each([
    ["SELECT side, record_index FROM eth_dex_trades ORDER BY side", [200, 200, 200, 150]],
    ["SELECT record_index FROM eth_dex_trades WHERE token_address IS NOT NULL", [200, 200, 200, 150]],
    ["SELECT record_index FROM eth_dex_trades ORDER BY timestamp DESC LIMIT 450", [200, 200, 50]],
    ["SELECT token_address, COUNT(*) AS n FROM eth_dex_trades GROUP BY token_address", [200, 101]],
  ])("has pages that neither repeat nor leave out rows: %s", async (query, lengths) => {
    const all = await pages("sql", { query });
    expect(all.map(({ rows }) => rows.length)).toEqual(lengths);
    const { body } = await post(app, "/v1/sql", { query, skip_rows: 0 });
    expect(all.flatMap(({ rows }) => rows)).toEqual(body.map((row: object) => Object.values(row)));
  });

  it("continues after the last row that fitted", async () => {
    const query = `SELECT record_index, REPEAT('x', 900) AS long FROM eth_dex_trades LIMIT 100`;
    const all = await pages("sql", { query });
    expect(all.length).toBeGreaterThan(2);
    expect(new Set(all.flatMap(({ rows }) => rows.map(([index]: number[]) => index))).size).toBe(100);
  });

  it("keeps integers from 2^53 on", async () => {
    const sum = "SELECT SUM(value_base) AS big, 9007199254740993 AS odd FROM eth_erc20";
    const { body } = await post(app, "/v1/sql", { query: sum });
    expect((await answer("sql", { query: sum })).rows).toEqual([Object.values(body[0])]);
    expect(body[0].odd).toBe("9007199254740993");
  });

  it("refuses rows that are too long for any answer", async () => {
    const query = `SELECT '${"x".repeat(50_000)}' AS long FROM eth_dex_trades LIMIT 1`;
    expect(await callTool(client, "sql", { query })).toEqual({
      isError: true,
      text: expect.stringMatching(
        /^One row has \d+ characters; an answer can have at most 40000\. Select fewer/,
      ),
    });
  });
});

describe("candles", () => {
  it("come in pages that together are the endpoint's candles", async () => {
    const given = { token_address: TOKEN, interval: "1m" };
    const all = await pages("candles", given);
    expect(all.map(({ rows }) => rows.length)).toEqual([200, 200, MINUTES - 400]);
    const whole = {
      ...given,
      max_size: 2500,
      fill: false,
      with_volume: true,
      until_timestamp: START + (MINUTES - 1) * MINUTE,
    };
    const { body } = await post(app, "/v1/price/historical/ohlc", whole);
    const { columns } = all[0];
    expect(all.flatMap(({ rows }) => rows)).toEqual(
      body.data.map((candle: Record<string, unknown>) => columns.map((name: string) => candle[name])),
    );
  });

  it.each([
    [0, 7, "1m"],
    [0, 199, "1m"],
    [0, 200, "5m"],
    [-60 * 24 * 29, MINUTES, "4h"],
    [-60 * 24 * 40_000, MINUTES, "365d"],
  ])("from minute %i to %i have the interval %s by default", async (from, until, interval) => {
    const period = {
      from_timestamp: Math.max(0, START + from * MINUTE),
      until_timestamp: START + until * MINUTE,
    };
    const found = await answer("candles", { token_address: TOKEN, ...period });
    expect([found.interval, found.cursor]).toEqual([interval, undefined]);
    expect(found.rows.length).toBeGreaterThan(0);
  });

  it("without a period are those of the 30 days before the newest block, however old it is", async () => {
    const { interval, rows, as_of } = await answer("candles", { token_address: TOKEN });
    expect([interval, as_of.timestamp]).toEqual(["4h", START + (MINUTES - 1) * MINUTE]);
    expect(as_of.first_block).toBeLessThan(as_of.block);
    expect(rows.reduce((sum: number, row: number[]) => sum + (row.at(-1) ?? 0), 0)).toBe(MINUTES);
  });

  it("reject cursors of other tools, and changed ones", async () => {
    const { cursor } = await answer("wallet", { wallet_address: WALLET });
    for (const wrong of [cursor, `${cursor}x`, "{}", "x".repeat(1000)]) {
      const { isError, text } = await callTool(client, "candles", { token_address: TOKEN, cursor: wrong });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^Invalid parameter cursor: .* of candles\.$/),
      ]);
    }
  });
});

describe("wallet", () => {
  it("has totals, and its tokens in pages", async () => {
    const all = await pages("wallet", { wallet_address: WALLET });
    expect(all.length).toBeGreaterThan(1);
    const [{ totals, tokens, columns }] = all;
    const totalsOf = (path: string) => post(app, `/v1/wallet-api/${path}`, { wallet_address: WALLET });
    expect([totals, tokens]).toEqual([(await totalsOf("latest-total-performance")).body, TOKENS]);
    const { body } = await totalsOf("latest-performance-per-token");
    expect(all.flatMap(({ rows }) => rows)).toEqual(
      body.data.map((token: Record<string, unknown>) => columns.map((name: string) => token[name])),
    );
  });
});

describe("bad input", () => {
  it.each([
    ["sql", { query: "SELECT nope FROM eth_blocks" }, /^line 1:8: .*"nope"/],
    [
      "sql",
      { sql: "SELECT 1" },
      /^sql has no parameter "sql"\. Its parameters are query, max_lag, cursor\.$/,
    ],
    ["sql", {}, "Missing required parameter: query"],
    ["candles", { token_adress: TOKEN }, /no parameter "token_adress"; did you mean "token_address"\?/],
    [
      "candles",
      { token_address: "weth" },
      /^Invalid parameter token_address: got "weth", expected an address/,
    ],
    ["candles", { token_address: TOKEN, interval: "1y" }, /^Invalid parameter interval: got "1y"/],
    [
      "candles",
      { token_address: TOKEN, chain: "nope" },
      /^Invalid parameter chain: .* configured chains: eth\.$/,
    ],
    ["latest_prices", { token_address: [] }, /expected a list of 1 to 200 addresses/],
    [
      "latest_prices",
      { token_address: Array.from({ length: 201 }, (_, i) => hexOf(i)) },
      /got a list of 201, expected a list of 1 to 200/,
    ],
    ["pool_tvl", { pool_address: "0x12" }, /^Invalid parameter pool_address/],
    ["wallet", { wallet_address: 5 }, /^Invalid parameter wallet_address: got 5/],
    ["find", { query: " " }, /^Invalid parameter query/],
    ["find", { query: "weth", max_lag: 60 }, /^The newest indexed block is .* exceeds max_lag \(60 s\)/],
    ["find", { query: WALLET, max_lag: 60 }, /^The newest indexed block is .* exceeds max_lag \(60 s\)/],
    ["find", { query: "weth", max_lag: "soon" }, /^Invalid parameter max_lag: got "soon"/],
    ["find", { query: "weth", kind: "block" }, /expected any, token, pool or wallet/],
    ["find", { query: "weth", chain: "nope" }, /^Invalid parameter chain: .* configured chains: eth\.$/],
    ["describe_tables", { table: "eth_block" }, /did you mean "eth_blocks"\?/],
    ["status", { chain: "eth" }, 'status has no parameter "chain". It has none.'],
  ] as const)("of %s is an error with the API's message: %j", async (name, given, message) => {
    expect(await callTool(client, name, given)).toEqual({
      isError: true,
      text: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  it("is also the name of a tool or a resource that does not exist", async () => {
    await expect(client.callTool({ name: "drop", arguments: {} })).rejects.toThrow(
      /no tool "drop"\. The tools are find,/,
    );
    const uri = "quarry://docs/../package.json";
    await expect(client.readResource({ uri })).rejects.toThrow(/no resource "quarry:/);
  });
});

const ones = (count: number) => Array.from({ length: count }, () => 1);
const fields = (count: number) => Object.fromEntries(ones(count).map((one, i) => [`k${i}`, one]));

describe("POST /mcp", () => {
  const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "status", arguments: {} } };
  const send = (to: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${to}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it("needs the service's key", async () => {
    const [, closed] = await serve({ apiKeys: [KEY] });
    await expect(connectHttp(closed, {})).rejects.toThrow(/needs an API key/);
    await expect(connectHttp(closed, { authorization: "Bearer other" })).rejects.toThrow(/not valid/);
    for (const headers of [{ authorization: `Bearer ${KEY}` }, { "x-api-key": KEY }]) {
      const one = await connected(closed, headers);
      expect((await answer("status", {}, one)).rows).toHaveLength(1);
    }
    expect(await (await send(closed, message)).json()).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: 401, message: expect.stringContaining("needs an API key") },
    });
  });

  it("is counted and limited like other requests, and so is each request of a tool", async () => {
    const clock = new ManualClock();
    const [limited, to] = await serve({
      clock,
      limits: { clientRate: 1, clientBurst: 4, rejectionDelayMs: 0 },
    });
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await send(to, message)).status);
    // Looking up an address takes more requests than the limit has left.
    const query = `0x${"ab".repeat(20)}`;
    const find = { ...message, params: { name: "find", arguments: { query } } };
    const found = (await (await send(to, find)).json()) as {
      result: { isError: boolean; content: object[] };
    };
    expect([statuses, found.result.isError]).toEqual([[200, 200], true]);
    expect(found.result.content).toEqual([
      { type: "text", text: expect.stringMatching(/Too many requests/) },
    ]);
    expect((await send(to, message)).status).toBe(429);
    await clock.advance(5000);
    const { body } = await limited.inject("/metrics");
    expect(body).toContain('quarry_http_requests_total{route="/mcp",method="POST",status="200"} 3');
    expect(body).toContain('quarry_http_requests_total{route="/mcp",method="POST",status="429"} 1');
  });

  it("does not answer to other hosts, nor to pages of other origins", async () => {
    const [, local] = await serve({ allowedHosts: [], allowedOrigins: ["local"] });
    const status = async (headers: Record<string, string>) => (await send(local, message, headers)).status;
    expect(await status({ origin: "https://evil.example" })).toBe(403);
    expect(await status({ origin: "http://localhost:3000" })).toBe(200);
    const [rebound] = await serve({ allowedHosts: [] });
    const headers = { host: "evil.example", accept: "application/json, text/event-stream" };
    const answered = await rebound.inject({ method: "POST", url: "/mcp", headers, payload: message });
    expect(answered.statusCode).toBe(403);
  });

  it.each(["GET", "DELETE", "PUT"])("is the only method: %s is a 405", async (method) => {
    const response = await fetch(`${url}/mcp`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it.each([
    [[message], 400, /one message per request/],
    ["text", 400, /Invalid JSON-RPC/],
    [{ jsonrpc: "2.0", id: 1, method: "nothing" }, 200, /Method not found/],
  ])("takes one message of the protocol: %j", async (body, status, words) => {
    const response = await send(url, body);
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(words)]);
  });

  it.each([
    ["initialize", { capabilities: { experimental: fields(4_000) } }],
    ["initialize", { clientInfo: { name: "x", version: "1", icons: ones(20_000) } }],
    ["initialize", { clientInfo: ones(20_000) }],
    ["tools/list", { _meta: fields(4_000) }],
    ["tools/call", { name: "status", arguments: fields(4_000) }],
    ["nothing", { x: ones(20_000) }],
  ])("refuses messages of too many values before it checks them: %s", async (method, params) => {
    const valid = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    const response = await send(url, { ...message, method, params: { ...valid, ...params } });
    const error = { code: 400, message: "The message has more than 500 values, which is not allowed." };
    expect([response.status, await response.json()]).toEqual([400, { jsonrpc: "2.0", id: 7, error }]);
  });

  it("refuses notifications of too many values without an id", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/progress", params: fields(600) };
    const response = await send(url, notification);
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ id: null })]);
  });

  it("answers an unknown version of the protocol with a short error, however long it is", async () => {
    const response = await send(url, message, { "mcp-protocol-version": "9".repeat(8_000) });
    const body = await response.text();
    expect([response.status, body]).toEqual([400, expect.stringMatching(/Unsupported protocol version: 9/)]);
    expect(body.length).toBeLessThan(1_000);
  });

  it("reveals nothing of a fault but the request id, and logs it", async () => {
    const secret = "DB::Exception at /var/lib";
    const { engine } = market;
    const broken: ApiOptions["engine"] = {
      query: () => Promise.reject(new TypeError(secret)),
      stream: () => {
        throw new TypeError(secret);
      },
      execute: (...given) => engine.execute(...given),
      insert: (...given) => engine.insert(...given),
      close: () => engine.close(),
    };
    const [, to] = await serve({ engine: broken });
    const query = "SELECT COUNT(*) AS n FROM eth_blocks";
    const response = await send(to, { ...message, params: { name: "sql", arguments: { query } } });
    const id = response.headers.get("x-request-id");
    const { result } = (await response.json()) as {
      result: { isError: boolean; content: { text: string }[] };
    };
    expect([result.isError, result.content[0]?.text]).toEqual([
      true,
      `Something went wrong here. Please report it with the request id ${id}.`,
    ]);
  });
});
