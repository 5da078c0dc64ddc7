import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { FastifyInstance } from "fastify";
import { request as httpRequest } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";
import { bufferFiles, canListOpenFiles } from "../support/open-files.ts";
import { encodingFor } from "./accepted-encoding.ts";
import { bufferedBytes } from "./unread/buffered-answer.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(0xa1);
const TRADES = 3_000;
const OHLC = `/v1/price/historical/ohlc?token_address=${TOKEN}&interval=1m&with_volume=true`;
const TOP = `/v1/topk-api/dex-trades?groupby=token_address&eq=${TOKEN}`;
const BROWSER = "gzip, deflate, br, zstd";
const DECODERS = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync };

let market: Market;
let app: FastifyInstance;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  const trades = Array.from({ length: TRADES }, (_, i) => ({
    token: TOKEN,
    at: AT + 60 * i,
    price: 1 + i / 7,
  }));
  market = await openMarket(trades);
  app = await createServer(market);
});
afterEach(async () => {
  for (const one of apps.splice(0)) await one.close();
});
afterAll(async () => {
  await app.close();
  await market.close();
});

function ask(url: string, encoding: string | undefined, method: "GET" | "HEAD" = "GET") {
  return app.inject({ url, method, headers: encoding === undefined ? {} : { "accept-encoding": encoding } });
}

describe("an answer for a client that accepts compression", () => {
  const candles = (count: number) => `${OHLC}&until_timestamp=${AT + 60 * TRADES}&max_size=${count}`;

  it.each([
    ["of some KB", candles(10)],
    ["above the size that is compressed in place", candles(2_500)],
    ["buffered in memory", `${TOP}&size=10`],
    ["buffered in memory, larger", `${TOP}&size=3000`],
    ["about no commit", "/openapi.json"],
  ])("is smaller, and the same after decoding: %s", async (_, url) => {
    const plain = await ask(url, undefined);
    expect([plain.statusCode, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const { headers, rawPayload } = await ask(url, encoding);
      expect(headers).toMatchObject({ "content-encoding": encoding, vary: "Accept-Encoding" });
      expect(decode(rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(rawPayload.length).toBeLessThan(0.5 * plain.rawPayload.length);
      const length =
        headers["content-length"] ?? (headers["transfer-encoding"] === "chunked" ? rawPayload.length : 0);
      expect(Number(length)).toBe(rawPayload.length);
      expect(headers.etag).toBe(plain.headers.etag);
    }
  });

  it("has the same headers for HEAD, and no body", async () => {
    const whole = await ask(candles(10), BROWSER);
    const head = await ask(candles(10), BROWSER, "HEAD");
    const { date: _, "x-request-id": __, ...expected } = whole.headers;
    expect(head.headers).toMatchObject(expected);
    expect(head.rawPayload).toHaveLength(0);
  });

  it("is plain below 1 KB, in a format that is compressed already, and on request", async () => {
    for (const [url, encoding] of [
      [candles(1), BROWSER],
      [candles(100), "identity"],
      [candles(100), "deflate"],
      [candles(100), "br;q=0, gzip;q=0"],
    ] as const)
      expect([url, (await ask(url, encoding)).headers["content-encoding"]]).toEqual([url, undefined]);
    for (const format of ["parquet", "arrow", "csv"]) {
      const { headers, rawPayload } = await app.inject({
        method: "POST",
        url: "/v1/sql",
        headers: { "accept-encoding": BROWSER },
        payload: { query: "SELECT * FROM eth_dex_trades LIMIT 500", format },
      });
      const compressed = format === "csv" ? "br" : undefined;
      expect([format, headers["content-encoding"]]).toEqual([format, compressed]);
      if (compressed === undefined) expect(Number(headers["content-length"])).toBe(rawPayload.length);
    }
  });

  it("is a stream when part of it is in a file", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 1000 } });
    apps.push(small);
    const url = `${TOP}&size=3000`;
    const { headers, rawPayload } = await small.inject({ url, headers: { "accept-encoding": "gzip" } });
    expect([headers["content-length"], headers["content-encoding"]]).toEqual([undefined, "gzip"]);
    expect(zlib.gunzipSync(rawPayload).equals((await ask(url, undefined)).rawPayload)).toBe(true);
    expect(bufferedBytes()).toBe(0);
  });

  it.skipIf(!canListOpenFiles)("leaves no file when the client disconnects", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 1000 } });
    apps.push(small);
    await small.listen({ port: 0, host: "127.0.0.1" });
    // Each text is a group of its own; together, the groups do not fit into the buffers of a connection.
    const eq = Array.from({ length: 12 }, (_, i) => " ".repeat(i) + TOKEN);
    const body = JSON.stringify({ groupby: "token_address", eq, size: TRADES });
    const socket = connect(Number(new URL(small.listeningOrigin).port), "127.0.0.1");
    const head = "POST /v1/topk-api/dex-trades HTTP/1.1\r\nHost: x\r\nContent-Type: application/json";
    socket.write(`${head}\r\nAccept-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const start = await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    expect([String(start).includes("content-encoding: gzip"), bufferFiles()]).toEqual([true, 1]);
    socket.destroy();
    await expect.poll(() => [bufferFiles(), bufferedBytes()]).toEqual([0, 0]);
  });
});

describe("over a real connection", () => {
  it("curl and undici get the same answer, and 304 the next time", async () => {
    const served = await createServer(market);
    apps.push(served);
    const origin = await served.listen({ port: 0, host: "127.0.0.1" });
    const url = `${origin}${OHLC}&until_timestamp=${AT + 6000}`;
    const plain = await httpRequest(url);
    const text = await plain.body.text();
    const curl = await promisify(execFile)("curl", ["-s", "-i", "--compressed", url]);
    expect(curl.stdout).toMatch(/content-encoding: (br|gzip)\r\n/);
    expect(curl.stdout.slice(curl.stdout.indexOf("\r\n\r\n") + 4)).toBe(text);
    for (const encoding of ["br", "identity"]) {
      const headers = { "if-none-match": String(plain.headers.etag), "accept-encoding": encoding };
      const again = await httpRequest(url, { headers });
      expect([again.statusCode, await again.body.text()]).toEqual([304, ""]);
    }
  });
});

describe("Accept-Encoding", () => {
  it.each([
    [BROWSER, "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["*", "br"],
    ["*;q=0.1, br;q=0", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["identity, gzip;q=0.5", null],
    ["identity", null],
    ["deflate, zstd", null],
    ["br;q=2", null],
    ["br;q=x", null],
    ["", null],
  ])("%j requests %s", (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });
});
