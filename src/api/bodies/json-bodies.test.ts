import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";
import { post, responseOf } from "../support/http.ts";

const PERFORMANCE = "/v1/wallet-api/batch-latest-total-performance";
const PRICES = "/v1/price-api/batch-latest-token-prices";
const TOP = "/v1/topk-api/logs";
const KIB = 1024;

let market: Market;
let open: FastifyInstance;
/** A service that requires the key `first`. */
let locked: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(0xa1), at: 1_700_000_000, price: 5 }]);
  open = await createServer(market);
  locked = await createServer({ ...market, apiKeys: ["first"] });
  await locked.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await open.close();
  await locked.close();
  await market.close();
});

function send(app: FastifyInstance, url: string, payload: string, headers = {}) {
  const typed = { "content-type": "application/json", ...headers };
  return responseOf(app.inject({ method: "POST", url, payload, headers: typed }));
}

it.each([
  [
    '{"query":"SELECT *\nFROM eth_blocks"}',
    " at character 19: in a string, write a line break as \\n and a tab as \\t.",
  ],
  ["{'query':'SELECT 1'}", " at character 2."],
  ['{"query":"SELECT 1",}', " at character 21."],
  ["SELECT 1", "."],
  [`{"query":'${"x".repeat(100_000)}'}`, "."],
])("an error says where %.30s is not JSON", async (payload, end) => {
  const { status, body } = await send(open, "/v1/sql", payload);
  expect([status, body]).toEqual([400, { error: `The body is not valid JSON${end}` }]);
});

const many = (count: number) => Array.from({ length: count }, (_, i) => hexOf(i + 1));

describe("a body with too many parts is refused before it is parsed", () => {
  const fields = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`k${i}`, 1]));
  it.each([
    ["values", PRICES, `{"token_address":[${"1,".repeat(25_000)}1]}`, "more than 25000 values"],
    [
      "values for wallets",
      PERFORMANCE,
      `{"wallet_address":[${"{},".repeat(1_300_000)}{}]}`,
      "more than 100000 values",
    ],
    ["fields", "/v1/sql", JSON.stringify(fields), "more than 5000 fields"],
    ["levels", "/v1/sql", `{"query":${"[".repeat(1_000_000)}`, "more than 32 levels"],
  ])("%s", async (_, path, body, excess) => {
    const { status, body: answer, headers } = await send(open, path, body);
    expect([status, answer]).toEqual([400, { error: `The body has ${excess}, which is not allowed.` }]);
    expect(headers["x-error-code"]).toBe("bad-input");
  });

  it("also in JSON-RPC, in its form", async () => {
    const { status, body } = await send(open, "/v1/rpc", "[".repeat(100));
    const message = "The body has more than 32 levels, which is not allowed.";
    expect([status, body]).toEqual([400, { error: { code: 400, message }, id: null, jsonrpc: "2.0" }]);
  });

  it("but the largest requests that are allowed pass", async () => {
    expect((await post(open, PRICES, { token_address: many(10_000) })).status).toBe(200);
    const eq = Array.from({ length: 10_000 }, (_, i) => hexOf(i + 1));
    expect((await post(open, TOP, { groupby: "address", eq, size: 1 })).status).toBe(200);
    expect((await post(open, PERFORMANCE, { wallet_address: many(90_000) })).status).toBe(200);
    const query = `SELECT COUNT(*) AS n FROM eth_blocks /* ${"[{,:".repeat(50_000)} */`;
    expect((await post(open, "/v1/sql", { query })).status).toBe(200);
  });
});

describe("the key of a large body", () => {
  const large = JSON.stringify({ token_address: many(5_000), key: "first" });
  const small = JSON.stringify({ token_address: many(1_000), key: "first" });

  it("is not searched for in the body", async () => {
    expect([small.length < 64 * KIB, large.length > 64 * KIB]).toEqual([true, true]);
    expect((await send(locked, PRICES, small)).status).toBe(200);
    const { status, body } = await send(locked, PRICES, large);
    expect([status, body.error]).toEqual([
      401,
      "This service needs an API key: send it as X-API-Key, as Authorization: Bearer, or as the parameter key in the URL (a body of more than 64 KiB is not searched for it).",
    ]);
    expect((await send(locked, PRICES, large, { "x-api-key": "first" })).status).toBe(200);
    expect((await send(locked, `${PRICES}?key=first`, large)).status).toBe(200);
    expect((await send(locked, PRICES, large, { "x-api-key": "wrong" })).body.error).toBe(
      "The API key is not valid.",
    );
  });

  it("is checked before the body arrives, even without a Content-Length", async () => {
    const declared = await connected(locked);
    declared.write(head(PRICES, "Content-Length: 100000"));
    expect(await firstLine(declared)).toBe("HTTP/1.1 401 Unauthorized");
    const chunked = await connected(locked);
    chunked.write(head(PRICES, "Transfer-Encoding: chunked"));
    const part = " ".repeat(16 * KIB);
    for (let i = 0; i < 5; i++) chunked.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    expect(await firstLine(chunked)).toBe("HTTP/1.1 401 Unauthorized");
  });
});

describe("bodies that never end", () => {
  it("take limited memory per client, and are answered and dropped beyond it", async () => {
    const limits = { clientBodyBytes: 200 * KIB, bodyMemoryBytes: 1_000 * KIB };
    const app = await createServer({ ...market, limits });
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: "127.0.0.1" });
    const held = async () => {
      const { body } = await responseOf(app.inject("/metrics"));
      return Number(/^quarry_http_body_memory_bytes (\d+)/m.exec(body)?.[1]);
    };
    const sockets = await Promise.all([connected(app), connected(app), connected(app)]);
    const send = (socket: Socket) =>
      socket.write(`${head(PRICES, `Content-Length: ${80 * KIB}`)}${" ".repeat(80 * KIB - 1)}`);
    const [first, second, third] = sockets as [Socket, Socket, Socket];
    send(first);
    send(second);
    await expect.poll(held).toBe(2 * (80 * KIB - 1));
    send(third);
    expect(await firstLine(third)).toBe("HTTP/1.1 429 Too Many Requests");
    await expect.poll(held).toBe(2 * (80 * KIB - 1));
    first.destroy();
    await expect.poll(held).toBe(80 * KIB - 1);
    second.write(" ");
    expect(await firstLine(second)).toBe("HTTP/1.1 400 Bad Request");
    expect(await held()).toBe(0);
  });
});

const head = (path: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

async function connected(app: FastifyInstance): Promise<Socket> {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

async function firstLine(socket: Socket): Promise<string> {
  const part: Buffer = await new Promise((resolve) => socket.once("data", resolve));
  return String(part).split("\r\n")[0] ?? "";
}
