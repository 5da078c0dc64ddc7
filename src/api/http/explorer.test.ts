import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "./server.ts";

const FILE = "/assets/a.js";

let market: Market;
let app: FastifyInstance;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quarry-explorer-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>x</title>");
  writeFileSync(join(folder, "assets/a.js"), "0123456789");
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
  it("is sent in part when a range is requested", async () => {
    const part = await read(FILE, { range: "bytes=2-4" });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 2-4/10",
      "234",
    ]);
  });

  it("is 416 for a range that it does not have", async () => {
    const response = await read(FILE, { range: "bytes=20-30" });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    expect(await response.json()).toEqual({ error: "The file does not have the requested range." });
  });

  it.each([{ "if-match": '"x"' }, { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }])(
    "is 412 if it is not the version that %o expects",
    async (headers) => {
      const response = await read(FILE, headers as Record<string, string>);
      expect([response.status, response.headers.get("x-error-code")]).toEqual([412, "bad-input"]);
      expect(await response.json()).toEqual({
        error: "The file is not the version that the request expects.",
      });
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
