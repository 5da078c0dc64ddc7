import { setMaxListeners } from "node:events";
import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../engine-sql/sql-text.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import type { Engine, QueryLimits } from "../../storage/store.ts";
import { type SentResponse, sendFrom } from "../support/sent-from.ts";
import { type ApiOptions, createServer } from "./server.ts";

const [GREEDY, GOOD, OTHER] = ["127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;
const OHLC = "/v1/price/historical/ohlc";
const TOKEN = hexOf(0xa1);
/** Statements that contain this name never end. */
const ENDLESS = hexOf(0xe4d1e55);
const AT = 1_700_000_000;

const read = (token: string) => `${OHLC}?token_address=${token}&order=asc`;
/** Makes a query that never ends. Each has a different text, because equal ones would share a run. */
const endlessSql = () => ({
  query: `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE token_address = '${ENDLESS}' LIMIT ${++serial}`,
});
let serial = 0;
const smallSql = { query: "SELECT COUNT(*) AS n FROM eth_dex_trades" };

let market: Market;
const apps: FastifyInstance[] = [];
let clients = manyClients();

function manyClients(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

beforeAll(async () => {
  market = await openMarket([
    { token: TOKEN, at: AT, price: 5 },
    { token: ENDLESS, at: AT, price: 5 },
  ]);
  const rows = sql`SELECT 1000, toString(sipHash128(number)) FROM numbers(100000)`;
  await market.engine.execute(sql`INSERT INTO eth_blocks (block_number, extra_data) ${rows}`);
});
afterEach(async () => {
  clients.abort();
  clients = manyClients();
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

/** Wraps the market's engine so that some statements run until they are aborted. */
function withEndless(onHeld: () => void = () => {}): Engine {
  const { engine } = market;
  const held = (statement: string, limits: QueryLimits | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (!statement.includes(ENDLESS.slice(2))) return resolve();
      onHeld();
      limits?.signal?.addEventListener("abort", () => reject(limits.signal?.reason));
    });
  return {
    query: async (statement, limits) => {
      await held(statement, limits);
      return engine.query(statement, limits);
    },
    async *stream(statement, format, limits) {
      await held(statement, limits);
      yield* engine.stream(statement, format, limits);
    },
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => engine.close(),
  };
}

async function serve(options: Partial<ApiOptions> = {}): Promise<string> {
  const limits = { rejectionDelayMs: 0, ...options.limits };
  const app = await createServer({ engine: withEndless(), chains: market.chains, ...options, limits });
  apps.push(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

interface Requested {
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const send = (url: string, from: string, { path = "/v1/sql", ...rest }: Requested) =>
  sendFrom(url, { from, path, signal: clients.signal, ...rest });

/**
 * Returns a request as it is sent on a connection, so that further requests can follow on the same
 * connection.
 */
function rawSql(query: object): string {
  const body = JSON.stringify(query);
  const type = "Content-Type: application/json";
  return `POST /v1/sql HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends many requests, each over its own connection; requests that never end are aborted after the test. */
function flood(url: string, from: string, count: number, request: () => Requested) {
  const responses: SentResponse[] = [];
  for (let i = 0; i < count; i++) {
    send(url, from, request()).then(
      (response) => responses.push(response),
      () => {},
    );
  }
  return responses;
}

const figure = async (url: string, name: string) => {
  const { text } = await send(url, "127.0.0.9", { path: "/metrics" });
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );
};

describe("a client with many large requests", () => {
  it("leaves places to the reads of others", async () => {
    const url = await serve({ clock: new ManualClock() });
    flood(url, GREEDY, 20, () => ({ path: read(ENDLESS) }));
    await expect.poll(() => figure(url, 'quarry_http_questions_waiting{kind="read"}')).toBe(12);
    expect((await send(url, GOOD, { path: read(TOKEN) })).status).toBe(200);
    expect(await figure(url, 'quarry_http_questions_running{kind="read"}')).toBe(8);
  });

  it("has all but two of its long reads stopped, and starts no more until one has ended", async () => {
    const clock = new ManualClock();
    let held = 0;
    const url = await serve({ engine: withEndless(() => held++), clock });
    flood(url, GREEDY, 20, () => ({ path: read(ENDLESS) }));
    await expect.poll(() => held).toBe(8);
    await clock.advance(1000);
    await expect.poll(() => figure(url, 'quarry_http_questions_running{kind="read"}')).toBe(2);
    expect(await figure(url, 'quarry_http_questions_waiting{kind="read"}')).toBe(18);
    // One of the eight stayed, and the first in the queue took the other long slot.
    await expect.poll(() => held).toBe(9);
    expect((await send(url, GREEDY, { path: `${read(TOKEN)}&max_size=1` })).status).toBe(200);
  });

  it("does not have the SQL of others refused, and learns which limit it reached", async () => {
    const url = await serve({ clock: new ManualClock() });
    const refused = flood(url, GREEDY, 260, () => ({ body: endlessSql() }));
    await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(208);
    expect(refused.every(({ status, headers }) => status === 429 && headers["retry-after"] === "1")).toBe(
      true,
    );
    expect(JSON.parse(refused[0]?.text ?? "")).toEqual({
      error:
        "Too many requests from this client: at most 50 of this kind may wait at once. Send the request again in 1 s.",
    });
    const statuses = Array.from(
      { length: 12 },
      async () => (await send(url, GOOD, { body: smallSql })).status,
    );
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(await figure(url, 'quarry_http_questions_clients{kind="query"}')).toBe(1);
  });

  it("gets its own small SQL while its heavy one runs", async () => {
    const clock = new ManualClock();
    let held = 0;
    const url = await serve({ engine: withEndless(() => held++), clock });
    flood(url, GREEDY, 20, () => ({ body: endlessSql() }));
    await expect.poll(() => held).toBe(2);
    await expect.poll(() => figure(url, 'quarry_http_questions_waiting{kind="query"}')).toBe(18);
    await clock.advance(1000);
    expect((await send(url, GREEDY, { body: smallSql })).status).toBe(200);
    expect(held).toBe(2);
  });

  it("gets 503 if many clients together took all places", async () => {
    const url = await serve({
      limits: { quickQueries: 2, waitingRequests: 2, clientWaiting: 1 },
      clock: new ManualClock(),
    });
    for (const client of [GREEDY, OTHER]) flood(url, client, 2, () => ({ body: endlessSql() }));
    await expect.poll(() => figure(url, 'quarry_http_questions_waiting{kind="query"}')).toBe(2);
    const refused = await send(url, GOOD, { body: endlessSql() });
    expect([refused.status, refused.headers["retry-after"], refused.headers["x-error-code"]]).toEqual([
      503,
      "1",
      "overloaded",
    ]);
  });
});

describe("a connection with many requests at once", () => {
  it("may have 64 behind the first; the others wait, and other clients get their answers", async () => {
    const limits = { clientWaiting: 500, waitingRequests: 1000 };
    const url = await serve({ limits, clock: new ManualClock() });
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: GREEDY });
    socket.write(`GET ${read(ENDLESS)} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(300));
    await expect.poll(() => figure(url, "quarry_http_requests_held_total")).toBe(1);
    await expect.poll(() => figure(url, 'quarry_http_questions_waiting{kind="read"}')).toBe(57);
    expect((await send(url, GOOD, { path: read(TOKEN) })).status).toBe(200);
    socket.destroy();
    await expect.poll(() => figure(url, 'quarry_http_questions_running{kind="read"}')).toBe(0);
  });
});

describe("a client that does not read its answers", () => {
  it("gets no more of them until it has closed their connections", async () => {
    const url = await serve({ limits: { clientUnreadBytes: 1_000_000 }, clock: new ManualClock() });
    const large = { query: "SELECT extra_data FROM eth_blocks LIMIT 100000" };
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: GREEDY });
    // The large answer is queued behind the endless one, so it stays unread even if no socket is full.
    for (const query of [endlessSql(), large]) socket.write(rawSql(query));
    await expect.poll(() => figure(url, "quarry_http_unread_answer_bytes")).toBeGreaterThan(1_000_000);
    const refused = await send(url, GREEDY, { body: smallSql });
    expect([refused.status, refused.text]).toEqual([429, expect.stringMatching(/MiB of unread responses/)]);
    expect((await send(url, GOOD, { body: smallSql })).status).toBe(200);
    socket.destroy();
    await expect.poll(() => figure(url, "quarry_http_unread_answer_bytes")).toBe(0);
    expect((await send(url, GREEDY, { body: smallSql })).status).toBe(200);
  });
});

describe("answers in memory that are not read", () => {
  const candles = `${OHLC}?token_address=${TOKEN}&interval=1m&fill=true&max_size=500`;

  /**
   * Requests candles after an endless answer on one connection, so that they stay unread even if no socket is
   * full.
   */
  function readNothing(url: string, from: string, answers: number) {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: from });
    const request = `GET ${candles} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(`${rawSql(endlessSql())}${request.repeat(answers)}`);
    return socket;
  }

  it("are counted, although a compressed answer leaves its buffer", async () => {
    const url = await serve({ limits: { answerMemoryBytes: 1_000_000 } });
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: GREEDY });
    // Each answer is 150 KB.
    const large = (i: number) => ({
      query: `SELECT REPEAT(extra_data, 150) AS x FROM eth_blocks LIMIT ${i}`,
    });
    const gzip = (raw: string) => raw.replace("Host: x", "Host: x\r\nAccept-Encoding: gzip");
    const requests = [1, 2, 3, 4, 5].map((i) => gzip(rawSql(large(30 + i))));
    socket.write([rawSql(endlessSql()), ...requests].join(""));
    await expect.poll(() => figure(url, 'quarry_http_client_refused_total{limit="unread-answers"}')).toBe(2);
    await expect.poll(() => figure(url, "quarry_http_answer_memory_bytes")).toBe(0);
    expect((await send(url, GOOD, { path: candles })).status).toBe(200);
    socket.destroy();
  });

  it("cost a client its connection if it does not read", async () => {
    const pace = { readingWindowMs: 500, readingBytesPerSecond: 2 ** 20 };
    const url = await serve({ limits: { ...pace, clientUnreadBytes: 2 ** 40 } });
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: GREEDY });
    socket.on("error", () => {}).pause();
    // Together, the answers are larger than the system's buffers.
    const most = candles.replace("max_size=500", "max_size=2500");
    socket.write(`GET ${most} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(60));
    await expect.poll(() => figure(url, "quarry_http_slow_readers_total"), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => figure(url, "quarry_http_connections")).toBe(1);
    expect(await unreadBytes(url)).toBe(0);
    socket.destroy();
    expect((await send(url, GOOD, { path: most })).status).toBe(200);
  });

  const unreadBytes = (url: string) => figure(url, "quarry_http_unread_answer_bytes");

  it("are counted, even if they need no key", async () => {
    const limits = { answerMemoryBytes: 2 * 10 * 64 * 1024 };
    const url = await serve({ limits, apiKeys: ["a key with characters"] });
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: GREEDY });
    const key = "key=a+key+with+characters";
    const unread = async () => {
      const { text } = await send(url, GOOD, { path: `/metrics?${key}` });
      return Number(/^quarry_http_unread_answer_bytes (\d+)$/m.exec(text)?.[1]);
    };
    const endless = rawSql(endlessSql()).replace("/v1/sql", `/v1/sql?${key}`);
    socket.write(endless + "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(30));
    await expect.poll(unread, { timeout: 20_000 }).toBe(10 * 64 * 1024);
    expect((await send(url, OTHER, { path: "/openapi.json" })).status).toBe(200);
    socket.destroy();
    await expect.poll(unread).toBe(0);
  });

  it("leave half of the memory for answers to other clients", async () => {
    const bytes = (await send(await serve(), GOOD, { path: candles })).text.length;
    const url = await serve({ limits: { answerMemoryBytes: 4 * bytes } });
    const socket = readNothing(url, GREEDY, 10);
    await expect.poll(() => figure(url, 'quarry_http_client_refused_total{limit="unread-answers"}')).toBe(8);
    expect(await unreadBytes(url)).toBe(2 * bytes);
    const rejected = await send(url, GREEDY, { path: candles });
    expect([rejected.status, rejected.headers["x-error-code"]]).toEqual([429, "busy"]);
    expect(rejected.text).toMatch(/its unread responses take 1 MiB of memory/);
    const statuses = [];
    for (const from of [GOOD, OTHER]) statuses.push((await send(url, from, { path: candles })).status);
    expect(statuses).toEqual([200, 200]);
    socket.destroy();
    await expect.poll(() => unreadBytes(url)).toBe(0);
  });

  it("take no more than the memory for answers, in all", async () => {
    const url = await serve({ limits: { answerMemoryBytes: 20_000 } });
    const socket = readNothing(url, GREEDY, 1);
    await expect.poll(() => unreadBytes(url)).toBeGreaterThan(20_000);
    const refused = await send(url, GOOD, { path: candles });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([503, "overloaded"]);
    expect((await send(url, GOOD, { body: smallSql })).status).toBe(200);
    socket.destroy();
    await expect.poll(() => unreadBytes(url)).toBe(0);
    expect((await send(url, GOOD, { path: candles })).status).toBe(200);
  });
});

describe("the rate of a client", () => {
  it("is limited, after a burst", async () => {
    const clock = new ManualClock();
    const url = await serve({ clock, limits: { clientRate: 2, clientBurst: 3 } });
    const statuses = async (from: string, count: number) => {
      const sent: number[] = [];
      for (let i = 0; i < count; i++) sent.push((await send(url, from, { body: smallSql })).status);
      return sent;
    };
    expect(await statuses(GREEDY, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(GOOD, 1)).toEqual([200]);
    await clock.advance(500);
    expect(await statuses(GREEDY, 2)).toEqual([200, 429]);
    expect((await send(url, GREEDY, { path: "/health" })).status).toBe(200);
  });

  it("is reported to it", async () => {
    const clock = new ManualClock();
    const limits = { clientRate: 2, clientBurst: 3, rejectionDelayMs: 0 };
    const url = await serve({ clock, limits });
    const reported = async (path: string) => {
      const { status, headers } = await send(url, GREEDY, { path });
      const names = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];
      return [status, ...names.map((name) => headers[name])];
    };
    const path = "/v1/status";
    expect(await reported(path)).toEqual([200, "3", "2", "1"]);
    expect(await reported(path)).toEqual([200, "3", "1", "1"]);
    expect(await reported(path)).toEqual([200, "3", "0", "2"]);
    expect(await reported(path)).toEqual([429, "3", "0", "2"]);
    await clock.advance(1_000);
    expect(await reported(path)).toEqual([200, "3", "1", "1"]);
    const unlimited = await serve({});
    expect((await send(unlimited, GREEDY, { path })).headers["ratelimit-limit"]).toBeUndefined();
  });

  it("counts each call of a batch", async () => {
    const url = await serve({ clock: new ManualClock(), limits: { clientRate: 1, clientBurst: 3 } });
    const params = { token_address: TOKEN, interval: "1h" };
    const body = [1, 2, 3, 4].map((id) => ({ id, method: "v1/getPriceHistoricalOHLC", params }));
    const { status, text } = await send(url, GREEDY, { path: "/v1/rpc", body });
    const results = (JSON.parse(text) as object[]).map((response) => "result" in response);
    expect([status, results]).toEqual([200, [true, true, true, false]]);
    expect(text).toContain("at most 1 per second");
  });
});

describe("a client behind a proxy", () => {
  const limits = { clientRate: 1, clientBurst: 1 };
  const sendAs = async (url: string, forwarded: string, from: string = GREEDY) =>
    (await send(url, from, { body: smallSql, headers: { "x-forwarded-for": forwarded } })).status;

  it("is known by its own address if the proxy is trusted, otherwise by the proxy's", async () => {
    const trusting = await serve({ limits, clock: new ManualClock(), trustProxy: [`${GREEDY}/32`] });
    const firsts = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"];
    for (const client of firsts) expect(await sendAs(trusting, client)).toBe(200);
    for (const again of ["192.0.2.1", "9.9.9.9, 192.0.2.1", "::ffff:192.0.2.1", "2001:db8::ffff:1"]) {
      expect(await sendAs(trusting, again)).toBe(429);
    }
    expect([await sendAs(trusting, "192.0.2.7", GOOD), await sendAs(trusting, "192.0.2.8", GOOD)]).toEqual([
      200, 429,
    ]);
    const plain = await serve({ limits, clock: new ManualClock() });
    expect([await sendAs(plain, "192.0.2.1"), await sendAs(plain, "192.0.2.2")]).toEqual([200, 429]);
  });

  it("cannot be anybody by a header that names no address", async () => {
    const url = await serve({ limits, clock: new ManualClock(), trustProxy: [GREEDY] });
    expect([await sendAs(url, "one"), await sendAs(url, "two")]).toEqual([200, 429]);
  });
});
