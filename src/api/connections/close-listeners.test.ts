import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";

const TRADES = 500;
const SQL = { query: `SELECT REPEAT(transaction_hash, 20) AS text FROM eth_dex_trades LIMIT ${TRADES}` };

const folder = mkdtempSync(join(tmpdir(), "quarry-pages-"));
const warnings: string[] = [];
const onWarning = ({ message }: Error) => void warnings.push(message);
let market: Market;

beforeAll(async () => {
  writeFileSync(join(folder, "index.html"), "<html></html>");
  writeFileSync(join(folder, "app.js"), "x".repeat(500_000));
  const at = (i: number) => 1_704_412_800 + i;
  market = await openMarket(
    Array.from({ length: TRADES }, (_, i) => ({ token: hexOf(1), at: at(i), price: 1 })),
  );
  process.on("warning", onWarning);
});
afterAll(async () => {
  process.off("warning", onWarning);
  await market.close();
  rmSync(folder, { recursive: true });
});

it("responses keep within the listeners that Node allows without a warning", async () => {
  const limits = { answerMemoryBytes: 1 };
  const app = await createServer({ ...market, limits, explorer: folder, allowedOrigins: ["local"] });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const call = { method: "v1/getPriceHistoricalOHLC", params: { token_address: hexOf(1), interval: "1h" } };
  const batch = Array.from({ length: 20 }, (_, id) => ({ id, ...call }));
  const post = (path: string, body: unknown) =>
    [path, { method: "POST", body: JSON.stringify(body) }] as const;
  const requests = [
    post("/v1/sql", SQL),
    post("/v1/sql?format=ndjson", SQL),
    post("/v1/rpc", batch),
    ["/app.js", {}],
    ["/", {}],
    ["/eth", {}],
    ["/v1/status", {}],
  ] as const;
  for (const [path, init] of requests) {
    for (const encoding of ["identity", "gzip", "br"]) {
      const headers = {
        ...{ "content-type": "application/json", accept: "text/html, application/json" },
        "accept-encoding": encoding,
      };
      const response = await fetch(`${url}${path}`, { ...init, headers });
      expect([path, response.status, (await response.text()).length > 0]).toEqual([path, 200, true]);
    }
  }
  // An injected response has a listener of its own.
  const injected = await app.inject({ method: "POST", url: "/v1/sql?format=ndjson", payload: SQL });
  expect(injected.statusCode).toBe(200);
  await app.close();
  expect(warnings).toEqual([]);
});
