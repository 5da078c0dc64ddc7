import { createServer as createHttpServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { FairTurns } from "../../../lib/queues/fair-turns.ts";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { type ApiOptions, createServer } from "../../http/server.ts";
import { rawClient } from "../support/raw-client.ts";
import { detachedRequest } from "../upgrades/detached-request.ts";
import { webSocketsOf } from "../upgrades/upgrades.ts";
import { PendingResponses } from "./pending-responses.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const OHLC = "/v1/price/historical/ohlc";
const TOKEN = hexOf(0xa1);
const BODY = JSON.stringify({ token_address: TOKEN });
const GREEDY = "127.0.0.2";
/** More than Node reads at once. */
const BURST_BYTES = 256 * 1024;
/** Time limit of tests whose requests are answered one after another. */
const SLOW = { timeout: 50_000 };

let market: Market;
beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
});
afterAll(() => market.close());

async function serve(
  limits: Partial<ApiLimits>,
  options: Partial<ApiOptions> = {},
): Promise<FastifyInstance> {
  const app = await createServer({ ...market, ...options, limits });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app;
}

const client = (app: { server: Server }, from = GREEDY) => rawClient(app, from);

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST ${LATEST} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
const withLength = post(`Content-Length: ${BODY.length}\r\n`, BODY);
const inChunks = post(
  "Transfer-Encoding: chunked\r\n",
  `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
);
const burstOf = (request: string) => request.repeat(Math.ceil(BURST_BYTES / request.length));

async function heldBy(app: FastifyInstance): Promise<number> {
  const { body } = await app.inject("/metrics");
  return Number(/^quarry_http_requests_held_total (\d+)$/m.exec(body)?.[1]);
}

/**
 * Returns the current and the highest number of requests that the server has received and not yet answered.
 */
function watchPending({ server }: FastifyInstance) {
  const seen = { now: 0, most: 0 };
  server.on("request", (_request, response: ServerResponse) => {
    seen.now++;
    seen.most = Math.max(seen.most, seen.now);
    response.once("close", () => seen.now--);
  });
  return seen;
}

describe("requests that are sent without waiting for responses", () => {
  it("are all answered in order, even beyond the limit", async () => {
    const app = await serve({ pipelinedRequests: 3 });
    const { socket, text, statuses } = client(app);
    const paths = Array.from({ length: 300 }, (_, i) => `/v1/nothing-${i}`);
    socket.write(paths.map((path) => get(path)).join(""));
    await expect.poll(() => statuses().length, SLOW).toBe(paths.length);
    expect([...text().matchAll(/\/v1\/nothing-\d+/g)].map(([path]) => path)).toEqual(paths);
    expect(await heldBy(app)).toBeGreaterThan(paths.length / 10);
  });

  it.each([1, 2, 3, 64])(
    "may have bodies, expectations and offers of other protocols (limit %i)",
    async (pipelinedRequests) => {
      const app = await serve({ pipelinedRequests });
      const { socket, text, statuses } = client(app);
      const expects = post(`Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\n`, BODY);
      const offer = get("/health", "Connection: Upgrade\r\nUpgrade: h2c\r\n");
      const unknown = get("/health", "Expect: more\r\n");
      const bytes = [
        withLength,
        inChunks,
        get("/v1/nothing"),
        expects,
        offer,
        withLength,
        unknown,
        get("/health"),
      ];
      const expected = [200, 200, 404, 100, 200, 200, 200, 417, 200];
      for (const part of bytes
        .join("")
        .repeat(2)
        .match(/.{1,700}/gs) ?? []) {
        socket.write(part);
        await new Promise(setImmediate);
      }
      await expect.poll(statuses, SLOW).toEqual([...expected, ...expected]);
      expect(text().split(TOKEN)).toHaveLength(9);
    },
  );

  it("are not WebSockets if they only look like one", async () => {
    const app = await serve({ pipelinedRequests: 1 });
    const { socket, statuses } = client(app);
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    socket.write(
      get("/health").repeat(4) + get("/v1/nothing", `Upgrade: websocket\r\n${key}`) + get("/health"),
    );
    await expect.poll(statuses).toEqual([200, 200, 200, 200, 404, 200]);
  });

  it("are not held if each waits for the response to the one before", async () => {
    const app = await serve({ pipelinedRequests: 1 });
    const { socket, statuses } = client(app);
    for (let sent = 1; sent <= 20; sent++) {
      socket.write(sent % 2 === 0 ? withLength : get("/health"));
      await expect.poll(() => statuses().length, { interval: 1 }).toBe(sent);
    }
    expect([new Set(statuses()), await heldBy(app)]).toEqual([new Set([200]), 0]);
  });
});

describe("a client that sends very many at once", () => {
  it("has few of them handled at the same time, however many connections it uses", async () => {
    const connections = 10;
    const limit = 16;
    const app = await serve({ pipelinedRequests: limit });
    const pending = watchPending(app);
    const clients = Array.from({ length: connections }, () => client(app));
    for (const { socket } of clients) socket.write(burstOf(get("/x")));
    await expect.poll(() => clients.every(({ statuses }) => statuses().length > limit), SLOW).toBe(true);
    expect(pending.most).toBeLessThanOrEqual(connections + limit);
  });

  it("leaves other addresses their own", async () => {
    const app = await serve({ pipelinedRequests: 4 });
    client(app).socket.write(burstOf(get("/x")));
    await expect.poll(() => heldBy(app)).toBeGreaterThan(0);
    const { socket, statuses } = client(app, "127.0.0.3");
    socket.write(get("/health").repeat(3));
    await expect.poll(statuses).toEqual([200, 200, 200]);
  });

  it("does not make the server read everything that it sends", async () => {
    const app = await serve({ pipelinedRequests: 4 });
    const { socket } = client(app);
    socket.pause();
    let received = 0;
    app.server.on("connection", (accepted: Socket) => {
      received = Math.max(received, accepted.bytesRead);
    });
    socket.write(burstOf(get("/x")).repeat(200));
    await expect.poll(() => heldBy(app), SLOW).toBeGreaterThan(3);
    expect(received).toBeLessThan(16 * BURST_BYTES);
  });
});

describe("requests that wait on their connection", () => {
  /**
   * Starts a service whose queries run until they are cancelled, and sends three requests from one client,
   * two of which run.
   */
  async function waiting(limits: Partial<ApiLimits> = {}) {
    let running = 0;
    const query: ApiOptions["engine"]["query"] = (_statement, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        running++;
        signal?.addEventListener("abort", () => {
          running--;
          reject(signal.reason);
        });
      });
    const clock = new ManualClock();
    const app = await serve(
      { pipelinedRequests: 1, ...limits },
      { clock, engine: { ...market.engine, query } as ApiOptions["engine"] },
    );
    const { socket } = client(app);
    socket.write(
      [1, 2, 3].map((size) => get(`${OHLC}?token_address=${TOKEN}&order=asc&max_size=${size}`)).join(""),
    );
    await expect.poll(() => running).toBe(2);
    expect(await heldBy(app)).toBe(1);
    return { app, clock, socket, running: () => running };
  }

  it.each(["end", "destroy", "resetAndDestroy"] as const)("end with it: %s", async (close) => {
    const { socket, running } = await waiting();
    socket[close]();
    await expect.poll(running).toBe(0);
  });

  it("do not keep a service from stopping", async () => {
    const { app, clock } = await waiting({ shutdownMs: 5_000 });
    const closed = app.close();
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    await clock.advance(5_000);
    await closed;
  });

  it("end with it if it is silent for too long", async () => {
    const pending = new PendingResponses(1);
    const server = createHttpServer({ IncomingMessage: detachedRequest(pending) }, () => {});
    pending.follow(server, { startRequest: () => {}, endRequest: () => {} });
    webSocketsOf(server, pending, new FairTurns());
    server.setTimeout(100);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const { socket } = client({ server });
    socket.write(get("/").repeat(3));
    await expect.poll(() => [pending.held, socket.closed]).toEqual([1, true]);
  });
});
