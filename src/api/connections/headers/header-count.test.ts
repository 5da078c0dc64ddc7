import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";

let market: Market;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  market = await openMarket([]);
  app = await createServer({
    ...market,
    trustProxy: ["127.0.0.1"],
    clock: new ManualClock(),
    limits: { clientRate: 1, clientBurst: 1, rejectionDelayMs: 0 },
  });
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

/**
 * Sends a request as forwarded by a proxy that adds the client's address in its own header, after the
 * client's headers.
 */
function statusOf(clients: readonly string[], address: string): Promise<number | undefined> {
  const headers = ["Host", "localhost", ...clients, "X-Forwarded-For", address];
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path: "/v1/status", headers, agent: false }, (response) =>
      resolve(response.resume().statusCode),
    );
    sent.on("error", reject).end();
  });
}

const many = (count: number) => Array.from({ length: count }, (_, i) => [`x-${i}`, "1"]).flat();

it("a client behind a proxy cannot claim another address by sending more headers than Node keeps", async () => {
  const forged = (address: string, count: number) => ["X-Forwarded-For", address, ...many(count)];
  expect(await statusOf(forged("192.0.2.1", 90), "192.0.2.9")).toBe(200);
  expect(await statusOf(forged("192.0.2.2", 90), "192.0.2.9")).toBe(429);
  expect(await statusOf(forged("192.0.2.3", 100), "192.0.2.9")).toBe(431);
  expect(await statusOf([], "192.0.2.3")).toBe(200);
});

it("requests that follow one with too many headers are not read", async () => {
  const request = (headers: readonly string[]) =>
    `GET /health HTTP/1.1\r\nHost: localhost\r\n${headers.join("")}\r\n`;
  const socket = connect(port, "127.0.0.1");
  const large = request(many(100).map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`)));
  socket.write(`${request([])}${large}${request([]).repeat(10)}`);
  const answers = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
  expect(answers).toEqual(["HTTP/1.1 200", "HTTP/1.1 431"]);
});
