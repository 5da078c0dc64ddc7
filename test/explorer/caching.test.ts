import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Browser, chromium } from "playwright-core";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { REQUESTS_METRIC } from "../../src/api/telemetry/http-metrics.ts";
import { commitTrades, hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { ROOT } from "../support/processes/processes.ts";
import { CHROMIUM, hasChromium } from "./support/stage.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(0xa1);
const WALLET = hexOf(0xabc);
const TOTAL = "/v1/wallet-api/batch-latest-total-performance";
const POLL = { timeout: 20_000 };
const OHLC = "/v1/price/historical/ohlc";

describe.skipIf(!hasChromium)("the browser's cache", () => {
  const metrics = new Registry();
  let market: Market;
  let app: FastifyInstance;
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
    const trades = Array.from({ length: 50 }, (_, i) => ({
      token: TOKEN,
      at: AT + 60 * i,
      price: 1 + i / 7,
    }));
    market = await openMarket(trades, { named: [TOKEN] });
    app = await createServer({ ...market, metrics, explorer: join(ROOT, "explorer/dist") });
    await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await market?.close();
  });

  /** Returns the number of GET requests of a route so far, by response status. */
  async function statusesOf(route: string): Promise<Record<string, number>> {
    const { values = [] } = (await metrics.getSingleMetric(REQUESTS_METRIC)?.get()) ?? {};
    const ofRoute = values.filter(({ labels }) => labels.route === route && labels.method === "GET");
    return Object.fromEntries(ofRoute.map(({ labels, value }) => [String(labels.status), value]));
  }

  it("revalidates what the explorer requests: 304 until the next block, then the new answer", async () => {
    const page = await browser.newPage();
    const paths = [
      [`/eth/token/${TOKEN}`, OHLC],
      [`/eth/wallet/${WALLET}`, TOTAL],
    ] as const;
    for (const [path, route] of paths) {
      await page.goto(app.listeningOrigin + path);
      await expect.poll(() => statusesOf(route), POLL).toMatchObject({ 200: expect.any(Number) });
      await page.waitForLoadState("networkidle");
      const first = await statusesOf(route);
      await page.reload();
      await expect.poll(() => statusesOf(route), POLL).toMatchObject({ 304: expect.any(Number) });
      await page.waitForLoadState("networkidle");
      expect((await statusesOf(route))[200]).toBe(first[200]);
    }
    const { 304: before, 200: changed = 0 } = await statusesOf(TOTAL);
    await commitTrades(market.store, [{ token: TOKEN, at: AT + 9000, price: 5 }], { firstBlock: 1050 });
    await expect.poll(() => statusesOf(TOTAL), POLL).toEqual({ 304: before, 200: changed + 1 });
  }, 120_000);
});
