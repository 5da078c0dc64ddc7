import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page, type Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAIN_POOL } from "../../devnet/market/pools.ts";
import { tokenOf } from "../../devnet/market/tokens.ts";
import { CHROMIUM, CHROMIUM_FLAGS, hasChromium, screenshot } from "../explorer/support/stage.ts";
import { get, sql, startService, stopService, the } from "../interface/support/service.ts";
import { ROOT } from "../support/processes/processes.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const SYMBOL = `eth:${WETH}`;
const LIBRARY = join(
  ROOT,
  "node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js",
);

// biome-ignore lint/suspicious/noExplicitAny: responses can have any shape
const udf = async (path: string, given: object = {}): Promise<any> => {
  const { status, body } = await get(`/udf/${path}`, given as Record<string, unknown>);
  expect([status, body.errmsg]).toEqual([200, undefined]);
  return body;
};

beforeAll(startService, 180_000);
afterAll(stopService);

describe("the datafeed, over a market on a real EVM", () => {
  it("is configured for charts", async () => {
    const config = await udf("config");
    expect(config.exchanges.map(({ value }: { value: string }) => value)).toEqual([
      "",
      "eth",
      "base",
      "matic",
    ]);
    expect(config.supported_resolutions).toEqual(expect.arrayContaining(["1S", "1", "60", "1D", "1W", "1M"]));
    const time = await fetch(`${the().url}/udf/time`);
    expect(Math.abs(Number(await time.text()) - Date.now() / 1000)).toBeLessThan(5);
    expect(time.headers.get("content-type")).toMatch(/^text\/plain/);
  });

  it("searches as charts do: in upper case, with empty parameters", async () => {
    const [first] = await udf("search", { query: "WETH", type: "", exchange: "eth", limit: 30 });
    expect(first).toMatchObject({ symbol: "WETH", ticker: SYMBOL, exchange: "eth", type: "token" });
    const pools = await udf("search", { query: "WETH/USDC", type: "pool", exchange: "ETH", limit: 5 });
    expect(pools[0].ticker).toMatch(new RegExp(`^${SYMBOL}@0x`));
    expect((await udf("search", { query: WETH.slice(0, 9).toUpperCase() })).map(tickerOf)).toContain(SYMBOL);
    const all = await udf("search", { query: "", type: "token", exchange: "eth", limit: 3 });
    const [busiest] =
      await sql(`SELECT token_address, SUM(amount_usd) AS usd FROM eth_dex_trades GROUP BY token_address
      ORDER BY usd DESC LIMIT 1`);
    expect(all).toHaveLength(3);
    expect(all[0].ticker).toBe(`eth:${busiest?.token_address}`);
    // Each chain has its own WETH.
    expect((await udf("search", { query: "weth", type: "token" })).map(tickerOf)).toEqual(
      expect.arrayContaining([SYMBOL, `base:${WETH}`, `matic:${WETH}`]),
    );
  });

  it("resolves a token, a pool, a symbol and a pair, in any case", async () => {
    for (const symbol of [SYMBOL, SYMBOL.toUpperCase(), "eth:weth", "ETH:WETH", `eth:${WETH} `]) {
      expect((await udf("symbols", { symbol })).ticker).toBe(SYMBOL);
    }
    const pool = `${SYMBOL}@${MAIN_POOL.address}`;
    for (const symbol of [pool, pool.toUpperCase(), `eth:${MAIN_POOL.address}`]) {
      expect((await udf("symbols", { symbol })).ticker).toBe(pool);
    }
    expect((await udf("symbols", { symbol: "eth:WETH/USDC" })).ticker).toMatch(new RegExp(`^${SYMBOL}@0x`));
    expect(await udf("symbols", { symbol: "eth:WETH" })).toMatchObject({
      ...{ name: "WETH", exchange: "eth", session: "24x7", timezone: "Etc/UTC", minmov: 1 },
      ...{ has_seconds: true, has_weekly_and_monthly: true, pricescale: 100 },
    });
    for (const symbol of [
      "eth:nothing",
      `eth:0x${"1".repeat(40)}`,
      `eth:0x${"1".repeat(40)}@0x${"2".repeat(40)}`,
    ]) {
      const { status, body } = await get("/udf/symbols", { symbol });
      expect([status, body]).toEqual([
        404,
        { s: "error", errmsg: expect.stringContaining("No indexed token or pool") },
      ]);
    }
  });

  it("shows five digits of a very low price", async () => {
    const geode = tokenOf("GEODE").address;
    const { pricescale } = await udf("symbols", { symbol: `eth:${geode}` });
    const { c } = await udf("history", { symbol: `eth:${geode}`, resolution: "1", countback: 1 });
    expect(c[0]).toBeLessThan(1e-3);
    expect(Math.log10(pricescale) % 1).toBe(0);
    const shown = Math.round(c[0] * pricescale);
    expect([shown >= 10_000, shown < 100_000]).toEqual([true, true]);
  });

  it("marks the trades whose price was not accepted, and a wallet's", async () => {
    const given = { symbol: SYMBOL, resolution: "5", from: 0 };
    const outliers = await sql(`SELECT record_index FROM eth_dex_trades WHERE token_address = '${WETH}'
      AND price_token_usd_robust_tick_1 IS NULL AND price_token_usd_tick_1 IS NOT NULL AND amount_usd >= 1 LIMIT 10000`);
    expect((await udf("marks", given)).id.length).toBeLessThanOrEqual(outliers.length);
    const [busiest] = await sql(`SELECT trader_address, COUNT(*) AS n FROM eth_dex_trades
      WHERE token_address = '${WETH}' GROUP BY trader_address ORDER BY n DESC LIMIT 1`);
    const wallet = String(busiest?.trader_address);
    const trades = await sql(`SELECT record_index, timestamp, side FROM eth_dex_trades
      WHERE token_address = '${WETH}' AND trader_address = '${wallet}' ORDER BY record_index LIMIT 1000`);
    const marks = await udf("marks", { ...given, resolution: "1S", wallet_address: wallet });
    expect(marks.id).toEqual(trades.slice(0, 200).map(({ record_index }) => String(record_index)));
    expect(marks.label).toEqual(trades.map(({ side }) => (side === "buy" ? "B" : "S")));
    expect(marks.time).toEqual(trades.map(({ timestamp }) => Date.parse(String(timestamp)) / 1000));
    const bars = await udf("marks", { ...given, wallet_address: wallet });
    for (const time of bars.time) expect(time % 300).toBe(0);
    expect((await udf("marks", { ...given, to: 1 })).id).toEqual([]);
  });

  it.each(["1", "60", "1D"])("has the numbers of the OHLC endpoint: %s", async (resolution) => {
    const interval = { 1: "1m", 60: "1h", "1D": "1d" }[resolution] ?? "";
    const given = {
      token_address: WETH,
      interval,
      fill: false,
      with_volume: true,
      order: "asc",
      max_size: 2500,
    };
    const { body } = await get("/v1/price/historical/ohlc", given);
    const candles = body.data.filter(
      ({ price_close }: { price_close: number | null }) => price_close !== null,
    );
    expect(candles.length).toBeGreaterThan(0);
    const bars = await udf("history", { symbol: SYMBOL, resolution, countback: 10_000 });
    const column = (name: string) => candles.map((candle: Record<string, number>) => candle[name]);
    expect([bars.t, bars.o, bars.h, bars.l, bars.c, bars.v]).toEqual(
      ["timestamp_open", "price_open", "price_high", "price_low", "price_close", "volume"].map(column),
    );
  });
});

const tickerOf = ({ ticker }: { ticker: string }) => ticker;

// npm does not install Chromium. Without it, the tests are skipped.
describe.skipIf(!hasChromium)("the page of docs/tradingview.md", () => {
  let browser: Browser;
  let pages: Server;
  /** URL of the page. Its origin differs from the service's origin. */
  let url: string;

  beforeAll(async () => {
    const html = /```html\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/tradingview.md"), "utf8"))?.[1];
    pages = createServer((_request, response) => response.setHeader("content-type", "text/html").end(html));
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/chart.html`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  /** @param history answers the requests for bars */
  async function openPage(
    symbol: string,
    resolution: string,
    history: (route: Route) => Promise<void> = (route) => route.continue(),
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 640 } });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.route("**/*.js", (route) => route.fulfill({ path: LIBRARY, contentType: "text/javascript" }));
    await page.route("**/udf/history?*", history);
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(`${url}?service=${the().url}`);
    await page.locator("[name=symbol]").fill(symbol);
    await page.locator("[name=resolution]").selectOption(resolution);
    await page.getByRole("button", { name: "Show" }).click();
    return { page, problems };
  }

  it.each([
    ["WETH", "5"],
    ["GEODE", "1"],
    [`eth:${MAIN_POOL.address}`, "1"],
  ])("draws the bars of %s that the service has", async (symbol, resolution) => {
    const { page, problems } = await openPage(symbol, resolution);
    const { ticker, name } = await udf("symbols", { symbol });
    await page.locator("output", { hasText: `${name}: ` }).waitFor();
    const drawn = await page.evaluate<
      { time: number; open: number; high: number; low: number; close: number }[]
    >(
      `shown?.ticker === ${JSON.stringify(ticker)} && shown.resolution === "${resolution}" ? candles.data() : []`,
    );
    // If the history is longer, the page loads more than the 300 newest bars once they are all in view.
    const countback = Math.max(300, drawn.length);
    const { t, o, h, l, c } = await udf("history", { symbol: ticker, resolution, countback });
    const columns = ["time", "open", "high", "low", "close"] as const;
    expect(columns.map((column) => drawn.map((bar) => bar[column]))).toEqual([t, o, h, l, c]);
    expect(drawn.length).toBeGreaterThan(5);
    await screenshot(page, `tradingview-${name.toLowerCase()}`);
    const bodies = await page.evaluate<Body[]>(BODIES);
    // A body that is one pixel high has the colour of its border, which is not drawn.
    const tall = bodies.filter(({ height }) => height > 3);
    expect(tall.length).toBeGreaterThan(0);
    for (const { colour, isUp } of tall) expect(colour).toBe(isUp ? "15,138,106" : "194,51,77");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("draws all bars since the newest one that it has, even after a failure", async () => {
    const { t: times } = await udf("history", { symbol: SYMBOL, resolution: "1", countback: 10_000 });
    const hidden = times.at(-5);
    let mode: "before" | "failing" | "now" = "before";
    const { page } = await openPage(SYMBOL, "1", (route) => {
      if (mode === "now") return route.continue();
      return mode === "failing" ? route.abort() : answerPart(route, (time) => time < hidden);
    });
    await page.locator("output", { hasText: "WETH: " }).waitFor();
    expect(await newestDrawn(page, 20)).toEqual(times.slice(-25, -5));
    mode = "failing";
    await page.evaluate("update().catch(() => undefined)");
    expect(await newestDrawn(page, 20)).toEqual(times.slice(-25, -5));
    mode = "now";
    await page.evaluate("update()");
    expect(await newestDrawn(page, 25)).toEqual(times.slice(-25));
    await page.close();
  });

  it("loads older bars after a request for them failed", async () => {
    const { t: times } = await udf("history", { symbol: SYMBOL, resolution: "1", countback: 20 });
    let failures = 0;
    let isFailing = true;
    const { page } = await openPage(SYMBOL, "1", (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const isOlder = Number(asked.get("to")) <= times.at(-1) && asked.get("resolution") === "1";
      if (!isOlder) return answerPart(route, (time) => time >= times[0]);
      if (!isFailing) return route.continue();
      failures++;
      return route.abort();
    });
    await expect.poll(() => failures, { timeout: 30_000 }).toBeGreaterThan(0);
    await page.waitForFunction("!shown.isLoading");
    isFailing = false;
    await page.evaluate("chart.timeScale().scrollToPosition(-5, false)");
    await page.waitForFunction("candles.data().length > 20");
    await page.close();
  });

  it("shows the service's error for an unknown symbol", async () => {
    const { page } = await openPage("nothing at all", "60");
    await page.locator("output", { hasText: "No indexed token or pool has the symbol" }).waitFor();
    await page.close();
  });
});

/** Responds to a request for bars with only the service's bars for which `isKept` is true. */
async function answerPart(route: Route, isKept: (time: number) => boolean): Promise<void> {
  const response = await route.fetch();
  const { s, ...columns } = (await response.json()) as { s: string; t?: number[] };
  const { t = [] } = columns;
  const kept = Object.entries(columns).map(([name, column]) => [
    name,
    column.filter((_, i) => isKept(t[i] ?? 0)),
  ]);
  await route.fulfill({ response, json: { s, ...Object.fromEntries(kept) } });
}

/** Returns the times of the newest bars in the chart. */
function newestDrawn(page: Page, count: number): Promise<number[]> {
  return page.evaluate(`candles.data().slice(-${count}).map(({ time }) => time)`);
}

interface Body {
  colour: string;
  isUp: boolean;
  height: number;
}

/**
 * Script that returns the colour in the middle of each candle's body in the chart's image, and the direction
 * and height that the candle should have.
 */
const BODIES = `(() => {
  const image = chart.takeScreenshot();
  const ratio = image.width / document.getElementById("chart").clientWidth;
  const pixels = image.getContext("2d");
  return candles.data().flatMap(({ time, open, close }) => {
    const x = chart.timeScale().timeToCoordinate(time);
    const [top, bottom] = [open, close].map((price) => candles.priceToCoordinate(price));
    if (x === null) return [];
    const data = pixels.getImageData(Math.round(x * ratio), Math.round(((top + bottom) / 2) * ratio), 1, 1).data;
    return [{ colour: [...data].slice(0, 3).join(), isUp: close >= open, height: Math.abs(top - bottom) }];
  });
})()`;
