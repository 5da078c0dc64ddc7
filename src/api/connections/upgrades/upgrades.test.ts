import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import WebSocket from "ws";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const TOKEN = hexOf(0xa1);
const BODY = JSON.stringify({ token_address: TOKEN });
/** Headers that `curl --http2` and Java's client send with a request. */
const OFFER =
  "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";

let market: Market;
let app: FastifyInstance;
let port: number;
const warnings: string[] = [];
const onWarning = ({ message }: Error) => void warnings.push(message);

beforeAll(async () => {
  process.on("warning", onWarning);
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
  app = await createServer(market);
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterAll(async () => {
  await app.close();
  await market.close();
  process.off("warning", onWarning);
});

/** Opens a connection, and collects everything that it receives. */
function connection(to = port): { socket: Socket; received: () => string; statuses: () => number[] } {
  const socket = connect({ port: to, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { socket, received: () => text, statuses };
}

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`;
const get = (path: string, headers = OFFER) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const TYPE = "Content-Type: application/json\r\n";
const post = (body = BODY) =>
  `POST ${LATEST} HTTP/1.1\r\nHost: x\r\n${OFFER}${TYPE}Content-Length: ${body.length}\r\n\r\n${body}`;
const CHUNKED = `POST ${LATEST} HTTP/1.1\r\nHost: x\r\n${OFFER}${TYPE}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

describe("a request that offers another protocol", () => {
  it.each(["h2c", "TLS/1.2", "HTTP/3.0, foo/1", "websocket, h2c"])(
    "is answered as HTTP/1.1: %s",
    async (name) => {
      const { socket, received, statuses } = connection();
      socket.write(get("/health", `Connection: Upgrade\r\nUpgrade: ${name}\r\n`));
      await expect.poll(statuses).toEqual([200]);
      socket.write(get("/v1/status", ""));
      await expect.poll(statuses).toEqual([200, 200]);
      expect(received().toLowerCase()).not.toContain("\r\nupgrade:");
    },
  );

  it("may have a body, whole, in pieces or in chunks, and its connection stays open", async () => {
    const { socket, received, statuses } = connection();
    const whole = post();
    socket.write(whole);
    await expect.poll(statuses).toEqual([200]);
    socket.write(whole.slice(0, -20));
    await seconds(0.05);
    socket.write(whole.slice(-20));
    await expect.poll(statuses).toEqual([200, 200]);
    socket.write(`${CHUNKED}${chunk(BODY.slice(0, 9))}`);
    await seconds(0.05);
    socket.write(`${chunk(BODY.slice(9))}0\r\n\r\n`);
    await expect.poll(statuses).toEqual([200, 200, 200]);
    expect(received().split(TOKEN)).toHaveLength(4);
    // The same holds if the client waits for 100 Continue before it sends the body.
    socket.write(whole.replace("Host: x", "Host: x\r\nExpect: 100-continue").slice(0, -BODY.length));
    await expect.poll(statuses).toEqual([200, 200, 200, 100]);
    socket.write(BODY);
    await expect.poll(statuses).toEqual([200, 200, 200, 100, 200]);
  });

  it("keeps its place among requests sent at once, however many", async () => {
    const { socket, received, statuses } = connection();
    const paths = Array.from({ length: 24 }, (_, i) => `/v1/nothing-${i}`);
    socket.write(
      paths.map((path, i) => get(path, i % 3 === 1 ? "" : OFFER)).join("") + post() + get("/health"),
    );
    await expect.poll(statuses).toEqual([...paths.map(() => 404), 200, 200]);
    expect([...received().matchAll(/\/v1\/nothing-\d+/g)].map(([path]) => path)).toEqual(paths);
    expect(warnings).toEqual([]);
  });

  it("is counted once, as one connection, idle after its response", async () => {
    const limited = await createServer({ ...market, limits: { addressConnections: 1 } });
    onTestFinished(() => limited.close());
    const url = new URL(await limited.listen({ port: 0, host: "127.0.0.1" }));
    const socket = connect({ port: Number(url.port), host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    for (const count of [2, 3, 4]) {
      socket.write(get("/health"));
      await expect.poll(() => text.split("HTTP/1.1 200")).toHaveLength(count);
    }
    const { body } = await limited.inject("/metrics");
    expect(body).toContain("quarry_http_connections 1\n");
    await seconds(1.1);
    // The idle connection makes room for this one.
    expect((await fetch(`${url.origin}/health`)).status).toBe(200);
  });

  it("keeps its URL and its other headers", async () => {
    const headers = "X-Nothing: \xe9 \r\nX-Api-Key:\r\nOrigin: http://a.example\r\norigin: b\r\n";
    const answers = [];
    for (const offer of [OFFER, ""]) {
      const { socket, received } = connection();
      socket.write(Buffer.from(get("/v1/nothing?a=%20b&&a=1", offer + headers), "latin1"));
      await expect.poll(received).toContain("\r\n\r\n{");
      answers.push(received().replaceAll(/^(date|x-request-id): .*$/gim, ""));
    }
    expect(answers[0]).toContain("/v1/nothing");
    expect(answers[0]).toBe(answers[1]);
  });

  it("is refused if Node dropped headers: its body must not be read as a request", async () => {
    const { socket, statuses } = connection();
    const hidden = get("/health", "");
    socket.write(
      get("/health", `${OFFER}${"a:\r\n".repeat(1_500)}Content-Length: ${hidden.length}\r\n`) + hidden,
    );
    await expect.poll(() => socket.readableEnded).toBe(true);
    // Node 24 rejects the request itself.
    expect([[431], [414]]).toContainEqual(statuses());
  });

  it("ends with its connection when the client leaves in the middle of its body", async () => {
    const { socket } = connection();
    socket.write(post().slice(0, -10));
    await seconds(0.05);
    socket.resetAndDestroy();
    await expect
      .poll(async () => (await app.inject("/metrics")).body)
      .toContain("quarry_http_connections 0\n");
  });
});

describe("a WebSocket", () => {
  it("is opened at the stream, and refused elsewhere", async () => {
    const status = (path: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
        onTestFinished(() => socket.terminate());
        socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
        socket.once("open", () => resolve("open"));
        socket.once("error", () => undefined);
      });
    expect([await status("/v1/stream"), await status("/health")]).toEqual(["open", 400]);
  });

  it.each([
    ["for another host", "/v1/stream", "other.example", 403],
    ["with an invalid URL", "/%zz", "x", 400],
    ["with a parameter of the path that is too long", `/v1/topk-api/${"x".repeat(200)}`, "x", 400],
    ["at another path", "/v1/nothing", "x", 400],
  ])("is closed when it is refused %s, even if its client stays", async (_reason, path, host, status) => {
    const guarded = await createServer({ ...market, allowedHosts: ["x"] });
    onTestFinished(() => guarded.close());
    const { port: its } = new URL(await guarded.listen({ port: 0, host: "127.0.0.1" }));
    const { socket, received, statuses } = connection(Number(its));
    socket.write(get(path, UPGRADE).replace("Host: x", `Host: ${host}`));
    await expect.poll(() => socket.readableEnded).toBe(true);
    expect(statuses()).toEqual([status]);
    expect(received()).toMatch(/\{"error":.*\}$/);
    await expect
      .poll(async () => (await guarded.inject({ url: "/metrics", headers: { host: "x" } })).body)
      .toContain("quarry_http_connections 0\n");
  });

  it("is not opened behind another request on a connection, which stays usable", async () => {
    const { socket, statuses } = connection();
    socket.write(post() + get("/v1/stream", UPGRADE) + get("/health", ""));
    // The stream is served as events, and this request names none.
    await expect.poll(statuses).toEqual([200, 400, 200]);
    socket.write(get("/health", ""));
    await expect.poll(statuses).toEqual([200, 400, 200, 200]);
    expect((await app.inject("/metrics")).body).toContain("quarry_http_connections 1\n");
    socket.destroy();
    await expect
      .poll(async () => (await app.inject("/metrics")).body)
      .toContain("quarry_http_connections 0\n");
  });

  it("does not keep the service from stopping, even if its client never closes it", async () => {
    const stopping = await createServer({ ...market, limits: { shutdownMs: 100 } });
    const { port: its } = new URL(await stopping.listen({ port: 0, host: "127.0.0.1" }));
    const { socket, statuses } = connection(Number(its));
    socket.write(get("/v1/stream", UPGRADE));
    await expect.poll(statuses).toEqual([101]);
    const closed = stopping.close().then(() => "closed");
    expect(await Promise.race([closed, seconds(5)])).toBe("closed");
  });
});
