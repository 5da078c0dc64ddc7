import { request } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import type { QueryLimits } from "../../../reads/snapshot/snapshot.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { type ClientKey, hashOfKey, type KeyScope } from "../../keys/client-keys.ts";
import { NO_KEY_LIMITS } from "../../keys/key-limits.ts";
import { operations } from "./operations.ts";
import type { OperationsAnswer } from "./operations-answer.ts";

const PATH = "/v1/operations";
const STATEMENT = "SELECT block_number FROM eth_dex_trades WHERE token_symbol = '<script>alert(1)</script>'";

let market: Market;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  market = await openMarket(
    [1, 2, 3].map((price) => ({ token: hexOf(9), at: 1_700_000_000 + price, price })),
  );
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

async function serve(options: Partial<Parameters<typeof createServer>[0]> = {}): Promise<string> {
  const limits = { slowAfterMs: 0, rejectionDelayMs: 0, ...options.limits };
  const app = await createServer({ ...market, ...options, limits });
  apps.push(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

const query = (url: string, text = STATEMENT, init: RequestInit = {}) =>
  fetch(`${url}/v1/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: text }),
    ...init,
  });

async function read(url: string, headers: Record<string, string> = {}): Promise<OperationsAnswer> {
  const response = await fetch(url + PATH, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as OperationsAnswer;
}

/** Time to wait for a new report: a report is kept for a second. */
const AFTER_A_MOMENT = { timeout: 5_000 };

/**
 * Returns the latest slow requests once there are `count`. A request is recorded once its connection has sent
 * the response, a moment after the client receives it.
 */
async function slowOf(url: string, count: number): Promise<OperationsAnswer["slow_requests"]["latest"]> {
  const latest = async () => (await read(url)).slow_requests.latest.filter(({ path }) => path !== PATH);
  await expect.poll(async () => (await latest()).length, AFTER_A_MOMENT).toBe(count);
  return latest();
}

/** Returns the status of a request. Unlike `fetch`, this can send any headers. */
function statusWith(url: string, headers: Record<string, string>, path = PATH): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
}

describe("GET /v1/operations", () => {
  it("reports queues with their limits, memory, resources and the engine, as its schema says", async () => {
    const body = await read(await serve({ limits: { concurrentQueries: 3, connections: 77 } }));
    expect(() => operations.answer.parse(body)).not.toThrow();
    const queues = body.queues.map((one) => [one.kind, one.tier, one.running_limit, one.waiting_limit]);
    expect(queues).toEqual([
      ["query", "quick", 4, 200],
      ["query", "long", 3, 200],
      ["read", "quick", 16, 200],
      ["read", "long", 3, 200],
    ]);
    const [service, ...others] = body.processes;
    expect(others).toEqual([]);
    expect(service).toMatchObject({ process: "service", is_responding: true, pid: process.pid });
    expect(service?.rss_bytes).toBeGreaterThan(service?.heap_bytes ?? 0);
    expect(body.resources.find(({ resource }) => resource === "connections")).toEqual({
      ...{ resource: "connections", used: 1, limit: 77 },
    });
    const [engine] = body.engines;
    expect(engine).toMatchObject({ chains: ["eth"], running_statements: 0, message: null });
    expect(engine?.memory_bytes).toBeGreaterThan(0);
  });

  it("lists slow requests without parameters, with a fingerprint but no text", async () => {
    const url = await serve({ apiKeys: [] });
    const { headers } = await query(`${url}`, STATEMENT);
    await fetch(`${url}/v1/search?query=T9&chain=ETH&key=hush-hush`);
    const [search, sql] = await slowOf(url, 2);
    expect(sql).toMatchObject({
      ...{ request_id: headers.get("x-request-id"), method: "POST", path: "/v1/sql", client: "127.0.0.1" },
      ...{ chain: "eth", status: 200, rows_read: null, query: expect.stringMatching(/^[0-9a-f]{12}$/) },
      ...{ ms: expect.any(Number), run_ms: expect.any(Number), sql: null },
    });
    expect(search).toMatchObject({ path: "/v1/search", chain: "eth", run_ms: null, query: null });
    expect(JSON.stringify(await read(url))).not.toMatch(/hush|script/);
  });

  it("takes nothing but SQL for SQL", async () => {
    const url = await serve({ logQueries: true });
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body),
      });
    const call = (name: string) => ({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name, arguments: { query: "SELECT 1" } },
    });
    await post("/v1/search", { query: "T9" });
    await post("/v1/search", call("sql"));
    await post("/mcp", call("search"));
    await post("/mcp", call("sql"));
    const requests = await slowOf(url, 4);
    expect(requests.map(({ path, sql }) => [path, sql])).toEqual([
      ["/mcp", "SELECT 1"],
      ["/mcp", null],
      ["/v1/search", null],
      ["/v1/search", null],
    ]);
    expect(requests.map(({ query: fingerprint }) => fingerprint !== null)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("has the beginning of the texts only if they are logged", async () => {
    const url = await serve({ logQueries: true });
    await query(url);
    await query(url, `SELECT 1 AS ${"x".repeat(9_000)}`);
    const [long, sql] = await slowOf(url, 2);
    expect([sql?.sql, long?.sql?.length]).toEqual([STATEMENT, 2_000]);
    expect((await read(url)).slow_requests.has_texts).toBe(true);
  });

  it("leaves out quick requests", async () => {
    const url = await serve({ limits: { slowAfterMs: 3_000 } });
    await query(url);
    expect((await read(url)).slow_requests).toMatchObject({ after_seconds: 3, total: 0, latest: [] });
  });

  it("counts requests that a limit rejected, which are not slow requests", async () => {
    const known = new Map([[hashOfKey("operator-key"), keyWith("operations", "data")]]);
    const rated: ClientKey = { ...keyWith("data"), id: "guest", limits: { ...NO_KEY_LIMITS, rate: 0.1 } };
    known.set(hashOfKey("guest-key"), rated);
    const url = await serve({ clientKeys: { isRequired: true, find: (hash) => known.get(hash) } });
    const search = () => fetch(`${url}/v1/search?query=T9`, { headers: { "x-api-key": "guest-key" } });
    expect([(await search()).status, (await search()).status]).toEqual([200, 429]);
    const readAll = () => read(url, { "x-api-key": "operator-key" });
    await expect.poll(async () => (await readAll()).responses.total, AFTER_A_MOMENT).toBeGreaterThan(1);
    const body = await readAll();
    expect(body.refusals.find(({ limit }) => limit === "rate")).toEqual({ limit: "rate", count: 1 });
    expect(body.responses.status_429).toBe(1);
    const ofGuest = body.slow_requests.latest.filter(({ client }) => client === "guest");
    expect(ofGuest.map(({ status }) => status)).toEqual([200]);
  });

  it("shows a running statement in its queue, and a client that left it as 499", async () => {
    let isStarted = () => {};
    const started = new Promise<void>((resolve) => {
      isStarted = resolve;
    });
    const held = heldUntilAborted(market.engine, () => isStarted());
    const url = await serve({ engine: held, chains: market.chains });
    const client = new AbortController();
    const left = query(url, STATEMENT, { signal: client.signal }).catch(() => "left");
    await started;
    const [quick] = (await read(url)).queues;
    expect(quick).toMatchObject({ kind: "query", tier: "quick", running: 1, clients: 1 });
    client.abort();
    expect(await left).toBe("left");
    const [request] = await slowOf(url, 1);
    expect(request).toMatchObject({ path: "/v1/sql", status: 499, run_ms: null });
  });
});

/** Wraps an engine so that its streams of rows wait until their client disconnects. */
function heldUntilAborted(engine: Market["engine"], onStart: () => void): Market["engine"] {
  const stream = async function* (_text: Sql, _format: string, limits: QueryLimits = {}) {
    onStart();
    await new Promise((_resolve, reject) =>
      limits.signal?.addEventListener("abort", () => reject(limits.signal?.reason)),
    );
    yield new Uint8Array();
  };
  return new Proxy(engine, {
    get: (target, name) => {
      if (name === "stream") return stream;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function keyWith(...scopes: KeyScope[]): ClientKey {
  return { id: "operator", scopes, expiresAt: null, limits: NO_KEY_LIMITS };
}

describe("who may read /v1/operations", () => {
  it("with keys: only keys with the scope operations, from anywhere", async () => {
    const keys = new Map([
      [hashOfKey("usual-key"), keyWith("data", "sql")],
      [hashOfKey("metrics-key"), keyWith("metrics")],
      [hashOfKey("operator-key"), keyWith("operations")],
    ]);
    const url = await serve({ clientKeys: { isRequired: true, find: (hash) => keys.get(hash) } });
    const statusOf = (key: string) => statusWith(url, { "x-api-key": key });
    expect(await statusWith(url, {})).toBe(401);
    expect(await statusOf("wrong-key")).toBe(401);
    expect(await statusOf("usual-key")).toBe(403);
    expect(await statusOf("metrics-key")).toBe(403);
    expect(await statusOf("operator-key")).toBe(200);
    const proxied = { "x-api-key": "operator-key", host: "quarry.example", "x-forwarded-for": "203.0.113.9" };
    expect(await statusWith(url, proxied)).toBe(200);
    // Keys in the configuration are client keys.
    const configured = await serve({ apiKeys: ["configured-key"] });
    expect(await statusWith(configured, { "x-api-key": "configured-key" })).toBe(403);
    expect(await statusWith(configured, { "x-api-key": "configured-key" }, "/metrics")).toBe(200);
  });

  it.each([
    ["of another host", { host: "quarry.example" }],
    ["of an address", { host: "192.0.2.7:8080" }],
    ["of a page from elsewhere", { origin: "https://evil.example" }],
    ["of a page without an origin", { origin: "null" }],
    ["of a page at another port", { origin: "http://127.0.0.1:3000" }],
    ["of a page of another local name", { origin: "http://app.localhost" }],
    ["of a page at another scheme", { host: "localhost", origin: "https://localhost" }],
    ["that a proxy passes on", { "x-forwarded-for": "203.0.113.9" }],
    ["that pretends to come from here", { "x-forwarded-for": "127.0.0.1" }],
    ...[
      ...["forwarded", "via", "x-forwarded-proto", "x-forwarded-anything", "x-real-ip", "x-client-ip"],
      ...["x-envoy-external-address", "cf-connecting-ip", "true-client-ip"],
    ].map((name): [string, Record<string, string>] => [`with ${name}`, { [name]: "203.0.113.9" }]),
  ])("without keys: no request %s", async (_which, headers) => {
    const url = await serve();
    expect(await statusWith(url, headers)).toBe(403);
    expect(await statusWith(url, headers, "/v1/status")).toBe(200);
    for (const own of [{}, { origin: url }]) expect(await statusWith(url, own)).toBe(200);
  });

  it("without keys: no request from the address of a trusted proxy", async () => {
    const url = await serve({ trustProxy: ["loopback"] });
    expect(await statusWith(url, {})).toBe(403);
    expect(await statusWith(url, {}, "/v1/status")).toBe(200);
  });

  it("without keys: no request from another address", async () => {
    const app = await createServer(market);
    apps.push(app);
    const from = (remoteAddress: string) =>
      app.inject({ url: PATH, remoteAddress, headers: { host: "localhost" } });
    expect((await from("192.0.2.7")).statusCode).toBe(403);
    expect((await from("192.0.2.7")).json().error).toContain("--key-file");
    expect((await from("::ffff:127.0.0.1")).statusCode).toBe(200);
  });
});
