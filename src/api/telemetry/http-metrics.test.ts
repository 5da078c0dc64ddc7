import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { Gauge, Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BaseError } from "../../lib/error.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { type ApiOptions, createServer } from "../http/server.ts";
import { get } from "../support/http.ts";

const OHLC = "/v1/price/historical/ohlc";
const TOKEN = hexOf(0xa1);

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

async function linesOf(app: FastifyInstance): Promise<string[]> {
  const { status, body } = await get(app, "/metrics");
  expect(status).toBe(200);
  return body.split("\n");
}

/** Makes an engine whose queries wait until they are aborted. */
function waitingEngine(onQuery: () => void): ApiOptions["engine"] {
  const { engine } = market;
  return {
    query: (_statement, limits) =>
      new Promise((_, reject) => {
        onQuery();
        limits?.signal?.addEventListener("abort", () => reject(new BaseError("timeout", "aborted")));
      }),
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => engine.close(),
  };
}

/** Sends a request over a new connection, without waiting for the response. */
async function sendRequest(app: FastifyInstance) {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(`GET ${OHLC}?token_address=${TOKEN}&order=asc HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe("GET /metrics", () => {
  it("counts requests by route, method and status, for any path", async () => {
    const app = await serve();
    for (let n = 0; n < 20; n++) await get(app, `/made-up/${n}`);
    await get(app, OHLC, { token_address: TOKEN, max_size: 1 });
    await get(app, OHLC, { token_address: "x" });
    await app.inject({ method: "PROPFIND", url: "/made-up" });
    const lines = await linesOf(app);
    const counted = lines.filter((line) => line.startsWith("quarry_http_requests_total"));
    expect(counted.sort()).toEqual([
      `quarry_http_requests_total{route="${OHLC}",method="GET",status="200"} 1`,
      `quarry_http_requests_total{route="${OHLC}",method="GET",status="400"} 1`,
      'quarry_http_requests_total{route="none",method="GET",status="404"} 20',
      'quarry_http_requests_total{route="none",method="other",status="404"} 1',
    ]);
    expect(lines).toContain(`quarry_http_request_duration_seconds_count{route="${OHLC}",method="GET"} 2`);
    expect(lines.join()).not.toContain("made-up");
  });

  it("counts answers with 500 in a series that begins with 0", async () => {
    const engine = waitingEngine(() => {
      throw new Error("a defect");
    });
    const app = await serve({ engine });
    expect(await linesOf(app)).toContain("quarry_http_internal_errors_total 0");
    expect((await get(app, OHLC, { token_address: TOKEN, order: "asc" })).status).toBe(500);
    expect(await linesOf(app)).toContain("quarry_http_internal_errors_total 1");
  });

  it("is in the text format of Prometheus, with the metrics that the process adds", async () => {
    const metrics = new Registry();
    new Gauge({ name: "quarry_lag_blocks", help: "lag", registers: [metrics] }).set(3);
    const app = await serve({ metrics });
    expect(await linesOf(app)).toContain("quarry_lag_blocks 3");
    const { headers } = await get(app, "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("needs a key when keys are configured, because it names endpoints", async () => {
    const app = await serve({ apiKeys: ["k"] });
    const bearer = app.inject({ url: "/metrics", headers: { authorization: "Bearer k" } });
    expect([(await get(app, "/metrics")).status, (await bearer).statusCode]).toEqual([401, 200]);
  });

  it("counts the requests of each server separately", async () => {
    const [first, second] = [await serve(), await serve()];
    await get(first, "/health");
    const ofHealth = (lines: string[]) => lines.filter((line) => line.includes('_total{route="/health"'));
    expect([ofHealth(await linesOf(first)).length, ofHealth(await linesOf(second)).length]).toEqual([1, 0]);
  });

  it("reports the queues, and that a client that disconnects frees its slot for the next", async () => {
    let queries = 0;
    const engine = waitingEngine(() => queries++);
    const app = await serve({
      engine,
      limits: { concurrentReads: 1, waitingRequests: 1, rejectionDelayMs: 0 },
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const first = await sendRequest(app);
    await expect.poll(() => queries).toBe(1);
    const second = await sendRequest(app);
    const figure = (name: string) => `quarry_http_questions_${name}{kind="read"}`;
    await expect.poll(() => linesOf(app)).toContain(`${figure("waiting")} 1`);
    expect((await get(app, OHLC, { token_address: TOKEN })).status).toBe(429);
    expect(await linesOf(app)).toEqual(
      expect.arrayContaining([`${figure("running")} 1`, `${figure("refused_total")} 1`]),
    );
    first.destroy();
    await expect.poll(() => queries).toBe(2);
    expect(await linesOf(app)).toEqual(
      expect.arrayContaining([`${figure("running")} 1`, `${figure("waiting")} 0`]),
    );
    second.destroy();
    await expect.poll(() => linesOf(app)).toContain(`${figure("running")} 0`);
    expect(await linesOf(app)).toContain(
      `quarry_http_requests_total{route="${OHLC}",method="GET",status="499"} 2`,
    );
  });
});
