import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "./server.ts";

const FILE = "/assets/a.js";
const LARGE = "/assets/large.js";
const TEXT = "large ".repeat(1_000);
/** A file that is larger than the buffers of a connection. */
const HUGE = "/assets/huge.js";
/** Where Linux lists the open files of a process. */
const HANDLES = "/proc/self/fd";

let market: Market;
let app: FastifyInstance;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quarry-explorer-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>x</title>");
  writeFileSync(join(folder, "quarry.svg"), "<svg/>");
  writeFileSync(join(folder, "assets/a.js"), "0123456789");
  writeFileSync(join(folder, "assets/large.js"), TEXT);
  writeFileSync(join(folder, "assets/large.js.br"), brotliCompressSync(TEXT));
  writeFileSync(join(folder, "assets/large.js.gz"), gzipSync(TEXT));
  writeFileSync(join(folder, "assets/huge.js"), Buffer.alloc(16 * 2 ** 20, "x"));
  market = await openMarket([]);
  app = await createServer({ ...market, explorer: folder });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await market.close();
  rmSync(folder, { recursive: true });
});

const read = (path: string, headers: Record<string, string>) => fetch(url + path, { headers });

describe("a file of the explorer", () => {
  it.each([
    [{}, 200],
    [{ range: "bytes=2-4" }, 200],
    [{ "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }, 200],
    [{ "if-match": "*" }, 200],
    [{ "if-match": '"x"' }, 412],
    [{ "if-none-match": '"x"' }, 200],
    [{ "if-none-match": "*" }, 304],
  ])("answers a request with %o by %i", async (headers, status) => {
    const response = await read(FILE, headers as Record<string, string>);
    const texts = {
      200: "0123456789",
      304: "",
      412: '{"error":"The file is not the version that the request expects."}',
    };
    expect([response.status, await response.text()]).toEqual([status, texts[status as keyof typeof texts]]);
  });

  it("is the icon of responses that are not pages", async () => {
    const icon = await read("/favicon.ico", {});
    expect([icon.status, icon.headers.get("content-type"), await icon.text()]).toEqual([
      200,
      "image/svg+xml",
      "<svg/>",
    ]);
  });

  it("is sent compressed as it was built, and not again to a client that has it", async () => {
    const plain = await fetch(url + LARGE, { headers: { "accept-encoding": "identity" } });
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, TEXT]);
    for (const encoding of ["br", "gzip"]) {
      const { status, headers } = await read(LARGE, { "accept-encoding": encoding });
      expect([status, headers.get("content-encoding")]).toEqual([200, encoding]);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const again = await read(LARGE, { "if-none-match": headers.get("etag") ?? "" });
      expect([again.status, again.headers.get("etag")]).toEqual([304, headers.get("etag")]);
    }
    expect((await read(`${LARGE}.br`, {})).status).toBe(404);
  });

  it.skipIf(!existsSync(HANDLES))(
    "can be requested many times by a client that does not read, without an open file for each",
    async () => {
      const handles = () => readdirSync(HANDLES).length;
      const { port, hostname: host } = new URL(url);
      const before = handles();
      const socket = connect({ port: Number(port), host });
      const requests = `GET ${HUGE} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(60);
      await new Promise<void>((sent) => socket.pause().write(requests, () => sent()));
      for (let i = 0; i < 100; i++) await read("/health", {});
      expect(handles() - before).toBeLessThan(20);
      socket.destroy();
    },
  );

  it("says on which headers it depends", async () => {
    expect((await read(FILE, {})).headers.get("vary")).toBe("Accept-Encoding");
    const page = await read("/token/0x1", { accept: "text/html" });
    expect([page.status, page.headers.get("vary")]).toEqual([200, "Accept, Accept-Encoding"]);
    const noPage = await read("/token/0x1", { accept: "application/json" });
    expect([noPage.status, noPage.headers.get("vary")]).toEqual([404, "Accept"]);
  });
});

it("no response may be read as another type than its own", async () => {
  for (const path of ["/", FILE, "/health", "/v1/nothing", "/v1/price/historical/ohlc"]) {
    expect((await read(path, {})).headers.get("x-content-type-options"), path).toBe("nosniff");
  }
});
