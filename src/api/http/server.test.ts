import { connect } from "node:net";
import { Writable } from "node:stream";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BaseError } from "../../lib/error.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import { get, post, responseOf, type TestResponse } from "../support/http.ts";
import { type ApiOptions, createServer } from "./server.ts";

const OHLC = "/v1/price/historical/ohlc";
const LATEST = "/v1/price-api/batch-latest-token-prices";
const TOKEN = hexOf(0xa1);
/** Parameters of a request that starts with one query and sends the others after its result. */
const ONE_BY_ONE = { token_address: TOKEN, order: "asc" };

const CODES: Record<number, string> = {
  400: "bad-input",
  404: "not-found",
  405: "method-not-allowed",
  413: "too-large",
  414: "too-large",
  415: "not-json",
};

let market: Market;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

async function serve(options: Partial<ApiOptions> = {}): Promise<FastifyInstance> {
  const app = await createServer({ engine: market.engine, chains: market.chains, ...options });
  apps.push(app);
  return app;
}

/** Replaces the queries of the market's engine. */
function withQuery(
  query: (sql: never, limits?: { signal?: AbortSignal }) => Promise<never[]>,
): ApiOptions["engine"] {
  const { engine } = market;
  return {
    query,
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => engine.close(),
  };
}

/** Makes an engine whose queries fail, or wait until they are aborted. */
function brokenEngine(fail: (signal: AbortSignal | undefined) => Promise<never>): ApiOptions["engine"] {
  return withQuery((_sql, limits) => fail(limits?.signal));
}

describe("errors", () => {
  it("have one form for every request that HTTP rejects", async () => {
    const app = await serve({ limits: { bodyBytes: 2000, urlLength: 500 } });
    const json = { "content-type": "application/json" };
    const requests = [
      [404, { method: "GET", url: "/v1/nothing" }],
      [404, { method: "POST", url: "/v1/nothing", payload: "{", headers: json }],
      [405, { method: "GET", url: "/v1/sql" }],
      [405, { method: "DELETE", url: OHLC }],
      [405, { method: "TRACE", url: OHLC }],
      [405, { method: "PUT", url: LATEST, payload: "x", headers: { "content-type": "text/csv" } }],
      [400, { method: "POST", url: LATEST, payload: "{", headers: json }],
      [400, { method: "POST", url: LATEST, payload: "", headers: json }],
      [400, { method: "POST", url: LATEST, payload: "[]", headers: json }],
      [400, { method: "POST", url: LATEST, payload: '"x"', headers: json }],
      [400, { method: "POST", url: LATEST }],
      [400, { method: "GET", url: "/v1/%zz" }],
      [
        415,
        {
          method: "POST",
          url: LATEST,
          payload: "a=1",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        },
      ],
      [415, { method: "POST", url: LATEST, payload: "a", headers: { "content-type": "text/plain" } }],
      [415, { method: "POST", url: LATEST, payload: "x", headers: { ...json, "content-encoding": "gzip" } }],
      [413, { method: "POST", url: LATEST, payload: { token_address: "x".repeat(3000) } }],
      [414, { method: "GET", url: `${LATEST}?token_address=${"x".repeat(600)}` }],
    ] as const;
    for (const [status, request] of requests) {
      const answer = await responseOf(app.inject(request));
      expect([answer.status, Object.keys(answer.body)], JSON.stringify(request)).toEqual([status, ["error"]]);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(answer.headers["x-error-code"]).toBe(CODES[status]);
      expect(answer.body.error).toMatch(/^[A-Z][^{}<>]{10,200}$/);
    }
  });

  it("name the allowed methods", async () => {
    const app = await serve();
    expect((await get(app, "/v1/sql")).headers.allow).toBe("POST, OPTIONS");
    expect((await responseOf(app.inject({ method: "PATCH", url: LATEST }))).headers.allow).toBe(
      "GET, POST, HEAD, OPTIONS",
    );
  });

  it("reveal nothing of an internal fault but the request id, which is also in the log", async () => {
    const lines: string[] = [];
    const sink = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) });
    const secret = "Code: 241. DB::Exception at /var/lib/x SELECT 1";
    const faults = [
      new BaseError("engine", secret),
      new TypeError(secret),
      new BaseError("internal", secret),
    ];
    for (const error of faults) {
      const engine = brokenEngine(() => Promise.reject(error));
      const app = await serve({ engine, logger: pino(sink) });
      const { status, body, headers } = await get(app, OHLC, { token_address: TOKEN });
      expect([status, headers["x-error-code"]]).toEqual([500, "internal"]);
      expect(body.error).toBe(
        `Something went wrong here. Please report it with the request id ${headers["x-request-id"]}.`,
      );
      const line = lines.find((text) => text.includes(String(headers["x-request-id"])));
      expect(JSON.parse(line ?? "{}")).toMatchObject({ level: 50, status: 500, path: OHLC });
      expect(line).toContain("DB::Exception");
    }
  });

  it("turn the engine's limits into advice", async () => {
    const thrown = (error: BaseError) => serve({ engine: brokenEngine(() => Promise.reject(error)) });
    const slow = await get(await thrown(new BaseError("timeout", "x")), OHLC, { token_address: TOKEN });
    expect([slow.status, slow.body.error]).toEqual([408, expect.stringContaining("longer than 30 s")]);
    expect(slow.headers["x-error-code"]).toBe("timeout");
    const large = await get(await thrown(new BaseError("memory", "x")), OHLC, { token_address: TOKEN });
    expect([large.status, large.body.error]).toEqual([400, expect.stringContaining("fewer groups")]);
  });

  it("report a full queue", async () => {
    const release: (() => void)[] = [];
    const engine = brokenEngine(
      () => new Promise((_, reject) => release.push(() => reject(new BaseError("engine", "over")))),
    );
    const app = await serve({ engine, limits: { concurrentReads: 1, waitingRequests: 1 } });
    const first = get(app, OHLC, ONE_BY_ONE);
    const second = get(app, OHLC, ONE_BY_ONE);
    await expect.poll(() => release.length).toBe(1);
    const third = await get(app, OHLC, ONE_BY_ONE);
    expect([third.status, third.headers["retry-after"]]).toEqual([429, "1"]);
    expect(third.headers["x-error-code"]).toBe("busy");
    expect((await get(app, "/health")).status).toBe(200);
    release[0]?.();
    await expect.poll(() => release.length).toBe(2);
    release[1]?.();
    expect([(await first).status, (await second).status]).toEqual([500, 500]);
  });

  it("cover input that is not HTTP, and endless headers", async () => {
    const app = await serve();
    await app.listen({ port: 0, host: "127.0.0.1" });
    expect(await raw(app, "nonsense\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 [\s\S]*X-Error-Code: bad-input[\s\S]*\{"error":"The request is not valid HTTP."\}$/,
    );
    expect(await raw(app, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/\{"alive":true\}$/);
    const long = `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await raw(app, long)).toMatch(/^HTTP\/1.1 414 [\s\S]*\{"error":"The URL or the headers/);
  });
});

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function raw(app: FastifyInstance, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(portOf(app), "127.0.0.1", () => socket.write(request));
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("any request", () => {
  const RPC = "/v1/rpc";
  const statusIfUnknown = (path: string) => ([RPC, "/udf/symbols"].includes(path) ? [404] : []);
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(TOKEN, "all", "1d", -1, 2 ** 53),
  );
  const names = [...new Set(ENDPOINTS.flatMap(({ parameters }) => Object.keys(parameters)))];
  const given = fc.dictionary(fc.constantFrom(...names, "__proto__", "constructor"), anything);
  const paths = fc.constantFrom(...ENDPOINTS.map(({ path }) => path));

  /** Expects an error with nothing but a message, in the form of REST, JSON-RPC or UDF. */
  const expectError = (path: string, { status, body }: TestResponse) => {
    if (path.startsWith("/udf/")) return expect(body).toEqual({ s: "error", errmsg: expect.any(String) });
    const { error, ...rest } = body;
    const [message, code] = path === RPC ? [error.message, error.code] : [error, status];
    expect([typeof message, code]).toEqual(["string", status]);
    return expect(Object.keys(rest)).toEqual(path === RPC ? ["id", "jsonrpc"] : []);
  };

  it("gets an answer or a client error, never a fault of the service", async () => {
    const app = await serve();
    await fc.assert(
      fc.asyncProperty(paths, given, fc.boolean(), async (path, fields, withToken) => {
        const parameters = withToken ? { token_address: TOKEN, ...fields } : fields;
        const posted = await post(app, path, parameters);
        const text = Object.entries(parameters).map(([name, value]): [string, string] => [
          name,
          typeof value === "object" ? JSON.stringify(value) : String(value),
        ]);
        const gotten = await responseOf(app.inject(`${path}?${new URLSearchParams(text)}`));
        expect([200, 400, 405, ...statusIfUnknown(path)]).toContain(posted.status);
        expect([200, 400, 405, 414, ...statusIfUnknown(path)]).toContain(gotten.status);
        for (const answer of [posted, gotten]) if (answer.status !== 200) expectError(path, answer);
      }),
      { numRuns: 300 },
    );
  });
});

describe("keys", () => {
  it("are ignored when none is configured", async () => {
    const app = await serve();
    expect((await get(app, OHLC, { token_address: TOKEN, key: "whatever" })).status).toBe(200);
  });

  it("are read from header, query and body", async () => {
    const app = await serve({ apiKeys: ["first", "second"] });
    const url = `${OHLC}?token_address=${TOKEN}`;
    const statuses = [
      { url },
      { url: `${url}&key=second` },
      { url: `${url}&key=third` },
      { url, headers: { authorization: "Bearer first" } },
      { url, headers: { authorization: "bearer firs" } },
      { url, headers: { "x-api-key": "second" } },
      { url: "/health" },
      { url: "/v1/status" },
    ].map(async (request) => (await app.inject(request)).statusCode);
    expect(await Promise.all(statuses)).toEqual([401, 200, 401, 200, 401, 200, 200, 401]);
    expect((await post(app, OHLC, { token_address: TOKEN, key: "first" })).status).toBe(200);
    expect((await post(app, OHLC, { token_address: TOKEN, key: ["first"] })).status).toBe(401);
  });

  it("are not logged", async () => {
    const lines: string[] = [];
    const sink = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) });
    const app = await serve({ apiKeys: ["hush"], logger: pino(sink) });
    await get(app, OHLC, { token_address: TOKEN, key: "hush" });
    await get(app, "/nowhere", { key: "hush" });
    await responseOf(
      app.inject({ url: OHLC, headers: { "x-api-key": "hush", authorization: "Bearer hush" } }),
    );
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain("hush");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      method: "GET",
      path: OHLC,
      status: 200,
      msg: "request completed",
    });
  });
});

describe("HTTP", () => {
  it("lets pages of any origin read, headers included", async () => {
    const app = await serve();
    const preflight = await responseOf(app.inject({ method: "OPTIONS", url: LATEST }));
    expect([preflight.status, preflight.headers.allow]).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
    expect(preflight.headers["access-control-allow-headers"]).toContain("Content-Type");
    const answer = await get(app, OHLC, { token_address: TOKEN });
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    const exposed = String(answer.headers["access-control-expose-headers"]).split(", ");
    const ofAnswers = ENDPOINTS.flatMap(({ headers = {} }) => Object.keys(headers));
    const declared = [...Object.keys(openApiDocument(ENDPOINTS).components.headers ?? {}), ...ofAnswers];
    expect(declared.filter((name) => !exposed.includes(name))).toEqual([]);
    // Clients read the service's time from it.
    expect(exposed).toContain("Date");
  });

  it("answers HEAD as GET without a body", async () => {
    const app = await serve();
    const { status, headers, body } = await responseOf(
      app.inject({ method: "HEAD", url: `${OHLC}?token_address=${TOKEN}` }),
    );
    expect([status, headers["x-indexed-block"], body]).toEqual([200, "1000", null]);
  });

  it("aborts the query of a client that disconnects", async () => {
    let given: AbortSignal | undefined;
    const engine = brokenEngine(
      (signal) =>
        new Promise((_, reject) => {
          given = signal;
          signal?.addEventListener("abort", () => reject(new BaseError("timeout", "x")));
        }),
    );
    const app = await serve({ engine });
    await app.listen({ port: 0, host: "127.0.0.1" });
    // Node emits `close` on a request at the end of its body, while the client is still connected.
    const requestClosed = new Promise((resolve) =>
      app.server.once("request", (message) => message.once("close", resolve)),
    );
    const body = JSON.stringify({ token_address: TOKEN });
    const head = `POST ${OHLC} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(portOf(app), "127.0.0.1", () => socket.write(head + body));
    await expect.poll(() => given !== undefined).toBe(true);
    await requestClosed;
    expect(given?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => given?.aborted).toBe(true);
  });
});

describe("stopping", () => {
  /** Starts a service with a running request, whose query waits for `release`. */
  async function running() {
    const clock = new ManualClock();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let queries = 0;
    const engine = withQuery(async (statement, bounds) => {
      queries++;
      await released;
      return market.engine.query(statement, bounds);
    });
    const app = await createServer({ engine, chains: market.chains, limits: { shutdownMs: 5000 }, clock });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${portOf(app)}${OHLC}?${new URLSearchParams(ONE_BY_ONE)}`;
    const outcome = fetch(url).then(
      (response) => response.status,
      () => "cut",
    );
    await expect.poll(() => queries).toBe(1);
    return { app, clock, outcome, release: () => release() };
  }

  /** Starts closing the service; resolves when the timer that cuts connections is set. */
  async function startClosing(app: FastifyInstance, clock: ManualClock): Promise<{ closed: Promise<void> }> {
    const closed = app.close();
    await expect.poll(() => clock.pending).toBe(1);
    return { closed };
  }

  it("lets running requests finish", async () => {
    const { app, clock, outcome, release } = await running();
    const { closed } = await startClosing(app, clock);
    await clock.advance(4999);
    release();
    expect(await outcome).toBe(200);
    await closed;
  });

  it("does not wait for connections without a request", async () => {
    const clock = new ManualClock();
    const app = await createServer({ engine: market.engine, chains: market.chains, clock });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect(portOf(app), "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    const { closed } = await startClosing(app, clock);
    await clock.advance(100);
    await closed;
  });

  it("cuts requests that take too long", async () => {
    const { app, clock, outcome, release } = await running();
    const { closed } = await startClosing(app, clock);
    await clock.advance(5000);
    expect(await outcome).toBe("cut");
    release();
    await closed;
  });
});

describe("declarations", () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s has a valid example",
    (_, endpoint) => {
      expect(() => endpoint.answer.parse(endpoint.example.answer)).not.toThrow();
      const known = Object.keys(endpoint.parameters);
      expect(Object.keys(endpoint.example.parameters).filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});
