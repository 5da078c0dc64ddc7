import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { ETH, hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { ServingState } from "../../serving/serving-state.ts";
import { createServer } from "../http/server.ts";
import { type ClientKey, hashOfKey } from "../keys/client-keys.ts";
import { NO_KEY_LIMITS } from "../keys/key-limits.ts";
import { get, post, responseOf } from "../support/http.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const token_address = hexOf(0xa1);

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: token_address, at: 1_700_000_000, price: 5 }]);
  app = await createServer({ ...market, apiKeys: ["first", " second\n"] });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

describe("spaces around an API key", () => {
  it.each(["first", "second", "first\n", "second\r\n", " first ", "\tsecond"])(
    "do not count: %j",
    async (key) => {
      const url = `${LATEST}?token_address=${token_address}`;
      const answers = await Promise.all([
        get(app, LATEST, { token_address, key }),
        post(app, LATEST, { token_address, key }),
        responseOf(app.inject({ url, headers: { "x-api-key": key.trim() } })),
        responseOf(app.inject({ url, headers: { authorization: `Bearer  ${key.trim()} ` } })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    },
  );

  it.each(["fir st", "", " ", "\n", "first\u0000"])("are not a key: %j", async (key) => {
    expect((await get(app, LATEST, { token_address, key })).status).toBe(401);
    expect((await post(app, LATEST, { token_address, key })).status).toBe(401);
  });
});

describe("an address that sends wrong keys", () => {
  const clock = new ManualClock();
  const url = `${LATEST}?token_address=${token_address}`;
  let guarded: FastifyInstance;

  const send = (key: string, remoteAddress = "192.0.2.1") =>
    responseOf(guarded.inject({ url, remoteAddress, headers: { "x-api-key": key } }));

  async function statuses(keys: string[], address?: string): Promise<number[]> {
    const found: number[] = [];
    for (const key of keys) found.push((await send(key, address)).status);
    return found;
  }

  beforeAll(async () => {
    const limits = { rejectionDelayMs: 0 };
    guarded = await createServer({ ...market, apiKeys: ["first", "second"], clock, limits });
  });
  afterAll(() => guarded.close());

  it("gets 429 after 20 in a minute, even for the right key", async () => {
    const wrong = Array.from({ length: 20 }, (_, i) => `wrong ${i}`);
    expect(new Set(await statuses(wrong))).toEqual(new Set([401]));
    const refused = await send("second");
    expect([refused.status, refused.headers["retry-after"], refused.headers["x-error-code"]]).toEqual([
      429,
      "60",
      "busy",
    ]);
    expect(await statuses(["second"], "192.0.2.2")).toEqual([200]);
    await clock.advance(60_000);
    expect(await statuses(["second"])).toEqual([200]);
  });

  it("may go on using keys that it used before", async () => {
    expect(await statuses(["first", ...Array(30).fill("wrong"), "first", "second"], "192.0.2.3")).toEqual([
      200,
      ...Array(20).fill(401),
      ...Array(10).fill(429),
      200,
      429,
    ]);
  });

  it("does not lose guesses to requests without a key", async () => {
    const without = () => responseOf(guarded.inject({ url, remoteAddress: "192.0.2.4" }));
    for (let i = 0; i < 30; i++) expect((await without()).status).toBe(401);
    expect(await statuses(["first"], "192.0.2.4")).toEqual([200]);
  });
});

describe("keys that may change", () => {
  const clock = new ManualClock();
  const SECRET = "qk_of-a-dashboard";
  const known = new Map<string, ClientKey>();
  let guarded: FastifyInstance;

  const expiresAt = Math.floor(clock.now() / 1000) + 60;

  function give(key: Partial<ClientKey>): void {
    known.set(hashOfKey(SECRET), {
      ...{ id: "key_0123456789ab", scopes: ["data", "sql"], expiresAt: null, limits: NO_KEY_LIMITS },
      ...key,
    });
  }

  const send = (method: "GET" | "POST", url: string, body?: object, key = SECRET) =>
    responseOf(
      guarded.inject({
        method,
        url,
        headers: { "x-api-key": key },
        ...(body === undefined ? {} : { payload: body }),
      }),
    );
  const latest = () => send("GET", `${LATEST}?token_address=${token_address}`);
  const query = () => send("POST", "/v1/sql", { query: "SHOW TABLES" });

  beforeAll(async () => {
    const clientKeys = { isRequired: true, find: (hash: string) => known.get(hash) };
    const limits = { rejectionDelayMs: 0 };
    guarded = await createServer({ ...market, apiKeys: ["configured-secret"], clientKeys, clock, limits });
  });
  afterAll(() => guarded.close());

  it("are valid from when they appear until they disappear, and others stay valid", async () => {
    known.clear();
    expect((await latest()).status).toBe(401);
    give({});
    expect((await latest()).status).toBe(200);
    known.clear();
    expect((await latest()).status).toBe(401);
    expect((await send("POST", "/v1/sql", { query: "SHOW TABLES" }, "configured-secret")).status).toBe(200);
  });

  it("expire, with the time in the message", async () => {
    give({ expiresAt });
    expect((await latest()).status).toBe(200);
    clock.stepWall(60_000);
    const { status, body } = await latest();
    expect([status, body]).toEqual([
      401,
      { error: `The API key key_0123456789ab expired at ${new Date(expiresAt * 1000).toISOString()}.` },
    ]);
  });

  it.each([
    [["data"], [200, 403, 403, 403]],
    [["sql"], [403, 200, 403, 403]],
    [["metrics"], [403, 403, 200, 403]],
    [
      ["data", "sql"],
      [200, 200, 403, 200],
    ],
  ] as const)("allow what their scopes name: %j", async (scopes, expected) => {
    give({ scopes });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const headers = { "x-api-key": SECRET, accept: "application/json, text/event-stream" };
    const mcp = await guarded.inject({ method: "POST", url: "/mcp", headers, payload: ping });
    const answers = [await latest(), await query(), await send("GET", "/metrics")];
    expect([...answers.map(({ status }) => status), mcp.statusCode]).toEqual(expected);
  });

  it("say which scope is missing, even before a large body is received", async () => {
    give({ scopes: ["data"] });
    const error = "/v1/sql needs a key with the scope sql; key_0123456789ab has data.";
    expect((await query()).body).toEqual({ error });
    const long = await send("POST", "/v1/sql", { query: "SELECT 1".padEnd(100_000) });
    expect([long.status, long.body]).toEqual([403, { error }]);
  });

  it("have their own rate, which the headers report", async () => {
    give({ limits: { ...NO_KEY_LIMITS, rate: 0.2 } });
    const first = await latest();
    expect([first.status, first.headers["ratelimit-limit"], first.headers["ratelimit-remaining"]]).toEqual([
      200,
      "2",
      "1",
    ]);
    expect((await latest()).status).toBe(200);
    const refused = await latest();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect(JSON.stringify(refused.body)).toContain("Send the request again in 5 s.");
    await clock.advance(3_500);
    expect((await latest()).headers["retry-after"]).toBe("2");
    await clock.advance(1_500);
    expect((await latest()).status).toBe(200);
  });

  it("also have their own rate for each call of a JSON-RPC batch", async () => {
    give({ limits: { ...NO_KEY_LIMITS, rate: 0.2 } });
    await clock.advance(60_000);
    const params = { token_address, until_timestamp: 1_700_003_600, interval: "1h" };
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: "v1/getPriceHistoricalOHLC", params });
    const { body } = await send("POST", "/v1/rpc", [call(1), call(2), call(3)]);
    const errors = (body as { error?: { message: string } }[]).map(({ error }) => error?.message ?? null);
    expect(errors).toEqual([null, null, expect.stringContaining("at most 0.2 per second, or 2 at once")]);
  });

  it("are counted by their ids", async () => {
    give({ scopes: ["data", "metrics"] });
    const metrics = await send("GET", "/metrics");
    expect(metrics.body).toMatch(/^quarry_http_key_requests_total\{key="key_0123456789ab"\} \d+$/m);
  });
});

it("a stream whose key is revoked ends, and its end is not a wrong key of its address", async () => {
  const clock = new ManualClock();
  const known = new Map<string, ClientKey>();
  const give = (secret: string) =>
    known.set(hashOfKey(secret), { id: secret, scopes: ["data"], expiresAt: null, limits: NO_KEY_LIMITS });
  const serving = new ServingState(2 ** 20);
  serving.startAt(await market.store.committed());
  const service = await createServer({
    engine: market.engine,
    chains: [{ chain: ETH, store: market.store, serving }],
    clientKeys: { isRequired: true, find: (hash) => known.get(hash) },
    limits: { wrongKeys: 2, rejectionDelayMs: 0 },
    clock,
  });
  onTestFinished(() => service.close());
  const url = await service.listen({ port: 0, host: "127.0.0.1" });
  const open = async (key: string) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const { status, body } = await fetch(`${url}/v1/stream?type=blocks&key=${key}`, { signal: stop.signal });
    expect(status).toBe(200);
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain("event: snapshot");
    return reader;
  };
  const status = async (key: string) =>
    (await fetch(`${url}${LATEST}?token_address=${token_address}&key=${key}`)).status;
  for (const key of ["revoked", "steady", "other"]) give(key);
  const steady = await open("steady");
  const revoked = [await open("revoked"), await open("revoked"), await open("revoked")];
  known.delete(hashOfKey("revoked"));
  await clock.advance(15_000);
  for (const reader of revoked) await expect(reader?.read()).rejects.toThrow();
  expect(await status("other")).toBe(200);
  // A stream continues although other clients behind the same proxy send wrong keys, and although its own key
  // was last used long ago.
  expect([await status("a"), await status("b"), await status("c")]).toEqual([401, 401, 429]);
  await clock.advance(15_000);
  const beat = await steady?.read();
  expect([beat?.done, Buffer.from(beat?.value ?? []).toString()]).toEqual([
    false,
    expect.stringMatching(/^:/),
  ]);
});
