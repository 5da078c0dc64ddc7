import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitTrades, hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { type StreamService, serveWriter, Writer } from "../streams/support/stream-service.ts";
import { ROOT } from "../support/processes/processes.ts";
import { CHROMIUM, hasChromium } from "./support/stage.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(0xa1);

describe.skipIf(!hasChromium)("a stream in a browser", () => {
  const writer = new Writer();
  let market: Market;
  let service: StreamService;
  let browser: Browser;
  let next = 1001;

  const commit = async () => {
    const trade = { token: TOKEN, at: AT + 12 * (next - 1000), price: 2 };
    next = (await commitTrades(market.store, [trade], { firstBlock: next })).blockNumber + 1;
  };

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
    market = await openMarket([{ token: TOKEN, at: AT, price: 1 }], { named: [TOKEN] });
    market.store.follow(writer);
    service = await serveWriter(market.engine, market.store, writer, {
      explorer: join(ROOT, "explorer/dist"),
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await market?.close();
  });

  async function page(): Promise<Page> {
    const opened = await browser.newPage();
    // Disables polling, because React Query repeats requests with setInterval.
    await opened.addInitScript("window.setInterval = () => 0");
    await opened.goto(`${service.url}/eth`);
    return opened;
  }

  it("shows a committed block in the explorer without a poll", async () => {
    const opened = await page();
    await opened.getByText(/eth block 1,000/).waitFor();
    await opened.waitForLoadState("load");
    await expect
      .poll(async () => (await fetch(`${service.url}/metrics`)).text())
      .toMatch(/^quarry_streams 1$/m);
    await commit();
    await opened.getByText(/eth block 1,001/).waitFor({ timeout: 20_000 });
    await opened.close();
  }, 120_000);

  it("reaches an EventSource of a page", async () => {
    const opened = await page();
    const frame = opened.evaluate<string>(`new Promise((resolve) => {
      const source = new EventSource("/v1/stream?type=trades");
      source.addEventListener("snapshot", () => { document.title = "streaming"; });
      source.addEventListener("block", ({ data, lastEventId }) => {
        source.close();
        resolve(JSON.stringify({ lastEventId, ...JSON.parse(data) }));
      });
    })`);
    await expect.poll(() => opened.title()).toBe("streaming");
    await commit();
    expect(JSON.parse(await frame)).toMatchObject({
      block: next - 1,
      lastEventId: expect.stringContaining(`:${next - 1}:0x`),
      data: { trades: [{ token_address: TOKEN, price_token_usd_tick_1: 2 }] },
    });
    await opened.close();
  }, 120_000);
});
