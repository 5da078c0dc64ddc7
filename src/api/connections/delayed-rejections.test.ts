import { setImmediate } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../lib/async/clock.ts";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { readAddresses } from "../access/client-address.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "../admission/limits.ts";
import { ClientOverload } from "../admission/overload.ts";
import { problemOf } from "../errors/errors.ts";
import { createServer } from "../http/server.ts";
import { type SentResponse, sendFrom } from "../support/sent-from.ts";
import { delayRejections } from "./delayed-rejections.ts";

const TOKEN = hexOf(0xa1);
const CLIENT = "127.0.0.2";

let market: Market;
let app: FastifyInstance;
let clock: ManualClock;
let url: string;

beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
});
afterEach(() => app.close());
afterAll(() => market.close());

/** Starts a service that rejects each client's second request. */
async function start(limits: Partial<ApiLimits> = {}): Promise<void> {
  clock = new ManualClock();
  app = await createServer({
    engine: market.engine,
    chains: market.chains,
    clock,
    limits: { clientRate: 1 / 3600, clientBurst: 1, ...limits },
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
}

/** Sends a request on its own connection; `response` is null until the response has arrived. */
function send(body: object = { query: "SELECT COUNT(*) AS n FROM eth_blocks" }, more = {}) {
  const sent: { response: SentResponse | null } = { response: null };
  const headers = { connection: "keep-alive", ...more };
  const done = sendFrom(url, { from: CLIENT, path: "/v1/sql", body, headers }).then((response) => {
    sent.response = response;
  });
  return { sent, done };
}

let readers = 0;
const delayedNow = async () => {
  const { payload } = await app.inject({ url: "/metrics", remoteAddress: `10.0.0.${++readers}` });
  return Number(/^quarry_http_delayed_rejections (\d+)$/m.exec(payload)?.[1]);
};

it("sends a rejection only after the delay", async () => {
  await start();
  await send().done;
  const { sent, done } = send();
  await expect.poll(delayedNow).toBe(1);
  await clock.advance(999);
  expect(sent.response).toBeNull();
  await clock.advance(1);
  await done;
  expect(sent.response?.status).toBe(429);
  expect(await delayedNow()).toBe(0);
});

it("does not delay other errors", async () => {
  await start();
  const { sent, done } = send({ query: "SELECT" });
  await done;
  expect(sent.response?.status).toBe(400);
});

it("closes the connection of a rejection that is one too many to be delayed", async () => {
  await start({ delayedRejections: 2 });
  await send().done;
  const delayed = [send(), send()];
  await expect.poll(delayedNow).toBe(2);
  const { sent, done } = send();
  await done;
  expect([sent.response?.status, sent.response?.headers.connection]).toEqual([429, "close"]);
  await clock.advance(1_000);
  await Promise.all(delayed.map((one) => one.done));
  expect(delayed.map((one) => one.sent.response?.headers.connection)).not.toContain("close");
});

it("keeps at most 32 MiB of rejected bodies in memory", async () => {
  await start({ bodyBytes: 20 * 2 ** 20 });
  await send().done;
  // A body in chunks declares no length, so it counts as the largest.
  const chunked = () => send(undefined, { "transfer-encoding": "chunked" });
  const delayed = chunked();
  await expect.poll(delayedNow).toBe(1);
  const { sent, done } = chunked();
  await done;
  expect([sent.response?.status, sent.response?.headers.connection]).toEqual([429, "close"]);
  await clock.advance(1_000);
  await delayed.done;
});

it("leaves time for other work between rejections that are due at the same moment", async () => {
  app = Fastify();
  readAddresses(app, []);
  const [registry, rejectionDelayMs] = [new Registry(), 200];
  let readMs = 0;
  const turns = new FairTurns(() => readMs++);
  delayRejections(app, {
    limits: { ...DEFAULT_LIMITS, rejectionDelayMs },
    clock: systemClock,
    registry,
    turns,
  });
  app.get("/", (request, reply) => {
    const { status, headers } = problemOf(new ClientOverload("x"), request, DEFAULT_LIMITS);
    return reply.code(status).headers(headers).send();
  });
  await app.ready();
  let sent = 0;
  const responses = Array.from({ length: 30 }, () => app.inject("/").then(() => sent++));
  await setImmediate();
  // Keeps the event loop busy until all of them are due.
  const dueMs = performance.now() + 2 * rejectionDelayMs;
  while (performance.now() < dueMs);
  const sentAtOnce: number[] = [];
  while (sent < 30) {
    const before = sent;
    await setImmediate();
    sentAtOnce.push(sent - before);
  }
  expect(Math.max(...sentAtOnce)).toBeLessThan(5);
  await Promise.all(responses);
});

it("sends delayed rejections immediately when the service stops", async () => {
  await start();
  await send().done;
  const { sent, done } = send();
  await expect.poll(delayedNow).toBe(1);
  await app.close();
  await done;
  expect(sent.response?.status).toBe(429);
});
