import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const [GREEDY, GOOD] = ["127.0.0.2", "127.0.0.3"];
const BODY = { query: "SELECT COUNT(*) AS n FROM eth_dex_trades", padding: "x".repeat(40_000) };

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(0xa1), at: 1_700_000_000, price: 5 }]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

/** Sends requests from one client, and then one from another client. Returns the order of the responses. */
async function orderOf(requests: number, request: object): Promise<string[]> {
  const responses: string[] = [];
  const sent = [...Array.from({ length: requests }, () => GREEDY), GOOD].map(async (remoteAddress = "") => {
    await app.inject({ ...request, remoteAddress });
    responses.push(remoteAddress);
  });
  await Promise.all(sent);
  return responses;
}

it.each([
  ["invalid requests", 1_000, { method: "GET", url: LATEST }],
  ["bodies with mistakes", 300, { method: "POST", url: "/v1/sql", body: { ...BODY, query: "SELECT" } }],
])("%s of one client do not delay the request of another", async (_, count, request) => {
  await orderOf(20, request);
  const responses = await orderOf(count, request);
  expect(responses.length).toBe(count + 1);
  expect(responses.indexOf(GOOD)).toBeLessThan(count / 2);
});

it("clients that connect are answered before most of the heavy work that waits", async () => {
  const [bodies, newcomers] = [80, 40];
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const padding = Array.from({ length: 5_000 }, (_, i) => `text ${i}`);
  const heavy = { method: "POST" as const, url: "/v1/sql", body: { query: "SELECT", padding } };
  let responses = 0;
  const sent = Array.from({ length: bodies }, async () => {
    await app.inject({ ...heavy, remoteAddress: GREEDY ?? "" });
    responses++;
  });
  await Promise.race(sent);
  const first = responses;
  const answered = Array.from({ length: newcomers }, async (_, i) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.1.${i + 1}` });
    socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
  });
  await Promise.all(answered);
  const meanwhile = responses - first;
  await Promise.all(sent);
  expect(meanwhile).toBeLessThan(newcomers / 2);
});

it("a probe is answered before most of the heavy requests of new addresses", async () => {
  const addresses = Array.from({ length: 200 }, (_, i) => `127.0.2.${i + 1}`);
  const padding = Array.from({ length: 5_000 }, (_, i) => `text ${i}`);
  const heavy = { method: "POST" as const, url: "/v1/sql", body: { query: "SELECT", padding } };
  const probe = (remoteAddress: string) => app.inject({ url: "/health", remoteAddress });
  for (let i = 0; i < 20; i++) await probe("127.0.3.1");
  let responses = 0;
  const sent = addresses.map(async (remoteAddress) => {
    await app.inject({ ...heavy, remoteAddress });
    responses++;
  });
  await probe("127.0.3.2");
  expect(responses).toBeLessThan(addresses.length / 10);
  await Promise.all(sent);
});

it("batches do not each run a call in every iteration of the event loop", async () => {
  const [batches, calls] = [200, 100];
  const call = { method: "v1/getPriceHistoricalOHLC", params: { token_address: "0x12" } };
  const body = Array.from({ length: calls }, () => call);
  const batch = { method: "POST" as const, url: "/v1/rpc", body };
  let [first, last, iterations] = [0, 0, 0];
  const sent = Array.from({ length: batches }, async () => {
    await app.inject({ ...batch, remoteAddress: GREEDY ?? "" });
    first ||= iterations;
    last = iterations;
  });
  let isOver = false;
  void Promise.all(sent).finally(() => {
    isOver = true;
  });
  for (; !isOver; iterations++) await new Promise(setImmediate);
  // If each batch ran a call in every iteration, all batches would end within the same few iterations.
  expect(last - first).toBeGreaterThan(calls / 10);
});

it("an address may have as many requests waiting as connections; more are rejected", async () => {
  const strict = await createServer({ ...market, limits: { addressConnections: 5, rejectionDelayMs: 0 } });
  const statuses: number[] = [];
  const from = async (remoteAddress: string) => {
    const { statusCode } = await strict.inject({ url: LATEST, remoteAddress });
    statuses.push(statusCode);
    return statusCode;
  };
  const sent = Array.from({ length: 2_000 }, () => from(GREEDY ?? ""));
  expect(await from(GOOD ?? "")).toBe(400);
  await Promise.all(sent);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  await strict.close();
});

it("a full queue states no negative limit, and rejects neither probes nor addresses with short requests", async () => {
  const limits = { connections: 20, addressConnections: 20, rejectionDelayMs: 0 };
  const strict = await createServer({ ...market, limits });
  const good = () => strict.inject({ url: LATEST, remoteAddress: GOOD ?? "" });
  for (let i = 0; i < 40; i++) {
    await good();
    await new Promise(setImmediate);
  }
  const rejections: [number, string][] = [];
  const sent = Array.from({ length: 2_000 }, async (_, i) => {
    const { statusCode, body } = await strict.inject({ url: LATEST, remoteAddress: `127.0.4.${i % 200}` });
    if (statusCode !== 400) rejections.push([statusCode, JSON.parse(body).error]);
  });
  const statuses = await Promise.all([
    good().then(({ statusCode }) => statusCode),
    strict.inject({ url: "/health", remoteAddress: "127.0.5.1" }).then(({ statusCode }) => statusCode),
  ]);
  await Promise.all(sent);
  expect([statuses, rejections.length > 0]).toEqual([[400, 200], true]);
  for (const [status, message] of rejections)
    expect([status, message]).toEqual([503, expect.stringMatching(/^(?!.*-\d).*half of the places/)]);
  await strict.close();
});

it("requests that wait for the event loop are counted", async () => {
  const metric = async () => {
    const { body } = await app.inject("/metrics");
    return /^quarry_http_turns_waiting (\d+)$/m.exec(body)?.[1];
  };
  let isOver = false;
  const flood = orderOf(4_000, { method: "GET", url: LATEST }).finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) most = Math.max(most, Number(await metric()));
  await flood;
  expect([most > 0, await metric()]).toEqual([true, "0"]);
});
