import { IncomingMessage, request } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { createServer } from "../../http/server.ts";
import { rawClient } from "../support/raw-client.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const TOKEN = hexOf(0xa1);
const BODY = JSON.stringify({ token_address: TOKEN });

let market: Market;
beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
});
afterAll(() => market.close());

async function serve(limits: Partial<ApiLimits> = {}): Promise<FastifyInstance> {
  const app = await createServer({ ...market, limits });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app;
}

const head = (headers = "", path = LATEST, method = "POST") =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`;
const tiny = (data: string) => [...data].map(chunk).join("");
const END = "0\r\n\r\n";
/** Time limit of a test whose requests are answered one after another. */
const SLOW = { timeout: 50_000 };
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Counts the parts of bodies that Node's parser returns. */
function countParts(): () => number {
  const push = vi.spyOn(IncomingMessage.prototype, "push");
  onTestFinished(() => push.mockRestore());
  return () => push.mock.calls.filter(([part]) => part !== null).length;
}

describe("a body in chunks of one byte", () => {
  const body = BODY + " ".repeat(50_000);

  it("reaches Node's parser in a few parts", async () => {
    const parts = countParts();
    const { socket, text, statuses } = rawClient(await serve());
    socket.write(head() + tiny(body) + END);
    await expect.poll(statuses).toEqual([200]);
    expect(text()).toContain(TOKEN);
    expect(parts()).toBeLessThan(100);
  });

  it.each([
    ["that is rejected", head("", "/v1/nothing"), 404],
    ["that the request cannot have", head("", "/health", "GET"), 200],
    ["behind other encodings", head("Transfer-Encoding: gzip\r\n"), 200],
    ["that is announced before it is sent", head("Expect: 100-continue\r\n"), 100],
    ["behind more headers than Node keeps", head("a:\r\n".repeat(1_500)), 431],
  ])("reaches it in a few parts: one %s", async (_case, start, status) => {
    const parts = countParts();
    const app = await serve();
    const { socket, statuses } = rawClient(app);
    socket.write(start + tiny(body) + END + get("/health"));
    await expect.poll(() => statuses()[0]).toBe(status);
    socket.end();
    await expect
      .poll(async () => (await app.inject("/metrics")).body)
      .toContain("quarry_http_connections 0\n");
    expect(parts()).toBeLessThan(100);
  });

  it("is too large if all its chunks together are", async () => {
    const { socket, statuses } = rawClient(await serve({ bodyBytes: 10_000 }));
    socket.write(head() + tiny(body) + END);
    await expect.poll(statuses).toEqual([413]);
  });
});

describe("a connection with bodies in chunks", () => {
  it("stays open for further requests, which may be sent without waiting", async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { socket, text, statuses } = rawClient(await serve({ pipelinedRequests: 3 }));
    const requests = Array.from({ length: 8 }, (_, i) => [
      head() + chunk(BODY) + END,
      get(`/v1/nothing-${i}`),
      `${head()}${chunk(BODY.slice(0, 5))}${chunk(BODY.slice(5))}0\r\nA: b\r\n\r\n`,
    ]).flat();
    const expected = requests.map((_, i) => (i % 3 === 1 ? 404 : 200));
    socket.write(requests.join(""));
    await expect.poll(statuses, SLOW).toEqual(expected);
    for (const piece of requests.join("").match(/.{1,97}/gs) ?? []) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    await expect.poll(statuses, SLOW).toEqual([...expected, ...expected]);
    expect([...text().matchAll(/nothing-(\d+)/g)]).toHaveLength(16);
    expect(warnings).toEqual([]);
  });

  it("may then become a WebSocket", async () => {
    const { socket, text, statuses } = rawClient(await serve());
    socket.write(head() + tiny(BODY) + END);
    await expect.poll(statuses).toEqual([200]);
    const key = Buffer.alloc(16).toString("base64");
    socket.write(
      `GET /v1/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await expect.poll(statuses).toEqual([200, 101]);
    // A message that is not JSON, in a frame whose mask is zero.
    socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]));
    await expect.poll(text).toMatch(/101 Switching Protocols.*JSON/s);
  });

  it("is closed if a chunk is malformed", async () => {
    const { socket, statuses } = rawClient(await serve());
    socket.write(`${head()}${chunk("{")}1 \r\n}\r\n${END}`);
    await expect.poll(statuses).toEqual([400]);
    await expect.poll(() => socket.readableEnded).toBe(true);
  });

  it("serves Node's own client, which sends chunks if the length is not known", async () => {
    const { port } = rawClient(await serve());
    const answer = await new Promise<string>((resolve, reject) => {
      const options = { port, method: "POST", path: LATEST, headers: { "content-type": "application/json" } };
      const sent = request(options, (response) => {
        let text = "";
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve(text));
      });
      sent.on("error", reject);
      for (const letter of BODY) sent.write(letter);
      sent.end();
    });
    expect(JSON.parse(answer)).toMatchObject([{ token_address: TOKEN, price_usd: 5 }]);
  });
});
