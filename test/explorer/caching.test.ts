import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
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
  let market: Market;
  let app: FastifyInstance;
  let browser: Browser;
  const answers = new Map<string, number[]>();

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
    const trades = Array.from({ length: 50 }, (_, i) => ({
      token: TOKEN,
      at: AT + 60 * i,
      price: 1 + i / 7,
    }));
    market = await openMarket(trades, { named: [TOKEN] });
    app = await createServer({ ...market, explorer: join(ROOT, "explorer/dist") });
    app.server.on("request", (request, response) => {
      const url = `${request.url}`;
      const before = answers.get(url) ?? [];
      answers.set(url, before);
      response.on("finish", () => request.method === "GET" && before.push(response.statusCode));
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await market?.close();
  });

  /** Returns the statuses of the responses to GET requests for a route, by URL, oldest first. */
  const answersOf = (route: string) => [...answers].filter(([url]) => url.startsWith(route));

  it("revalidates what the explorer requests: 304 until the next block, then the new answer", async () => {
    const page = await browser.newPage();
    const paths = [
      [`/eth/token/${TOKEN}`, OHLC],
      [`/eth/wallet/${WALLET}`, TOTAL],
    ] as const;
    for (const [path, route] of paths) {
      const statuses = () => answersOf(route).map(([, ofUrl]) => ofUrl.join());
      await page.goto(app.listeningOrigin + path);
      await expect.poll(statuses, POLL).toContain("200");
      await page.waitForLoadState("networkidle");
      await page.reload();
      await expect.poll(statuses, POLL).toContainEqual(expect.stringMatching(/^200(,304)+$/));
      await page.waitForLoadState("networkidle");
      // A page may still request something for the first time, but the same URL gets no second full response.
      for (const ofUrl of statuses()) expect(ofUrl).toMatch(/^200(,304)*$/);
    }
    await commitTrades(market.store, [{ token: TOKEN, at: AT + 9000, price: 5 }], { firstBlock: 1050 });
    const statuses = () => answersOf(TOTAL).map(([, ofUrl]) => ofUrl.join());
    await expect.poll(statuses, POLL).toContainEqual(expect.stringMatching(/^200(,304)+,200$/));
  }, 120_000);
});
