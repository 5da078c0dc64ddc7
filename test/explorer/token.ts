import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatPrice, formatUsd, formatUsdCompact } from "../../explorer/src/format/number.ts";
import { formatTime } from "../../explorer/src/format/time.ts";
import type { Candle } from "../interface/support/expected.ts";
import { apiCandles, expectAllMinutes, timeOf } from "./candles.ts";
import { readableTests } from "./support/readable.ts";
import { reload, type Stage, screenshot, visit } from "./support/stage.ts";
import { tokenTradeTests } from "./token-trades.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const ROBUST = "price_token_usd_robust_tick_1";
/** Timeout for a busy machine, where a late page is slow but not wrong. */
const PATIENT = { timeout: 45_000 };
/** Timeout for loading pages of candles or pressing hundreds of keys, which takes up to two minutes. */
const LONG_MS = 180_000;

/** Tests the token page against the API. */
export function tokenTests(stage: () => Stage): void {
  priceTests(stage);
  movingTests(stage);
  choiceTests(stage);
  tokenTradeTests(stage);
  outlierTests(stage);
  partTests(stage);
  readableTests({
    stage,
    name: "token",
    path: () => `/eth/token/${WETH}`,
    ready: async (page) => {
      await legendOf(page);
      await page.locator("tbody tr").first().waitFor(PATIENT);
    },
  });
}

/** Tests price and candles. */
function priceTests(stage: () => Stage): void {
  it("shows the current robust price and the all-time high of the API", async () => {
    const quiet = await quietToken(stage());
    const of = `token_address=${quiet}&price_type=${ROBUST}`;
    await visit(stage(), `/eth/token/${quiet}`, async (page) => {
      await page.getByTestId("price").waitFor(PATIENT);
      await expect
        .poll(async () => {
          const path = `/v1/price-api/batch-latest-token-prices?${of}`;
          const [latest] = await ask<{ price_usd: number }[]>(stage(), path);
          return (await page.getByTestId("price").textContent()) === formatUsd(latest?.price_usd);
        }, PATIENT)
        .toBe(true);
      const path = `/v1/price-api/batch-all-time-ohlc?${of}`;
      const [ever] = await ask<{ price_high: number; timestamp_high: number }[]>(stage(), path);
      const high = page.getByText("All-time high").locator("xpath=..");
      await high.getByText(formatTime(ever?.timestamp_high ?? 0).slice(0, 10)).waitFor(PATIENT);
      expect(await high.textContent()).toContain(formatUsd(ever?.price_high));
      expect(await page.title()).toMatch(/^\S+ \$\S+ · eth · Quarry$/);
    });
  });

  it("shows the API's figures of the candle under the pointer", async () => {
    const quiet = await quietToken(stage());
    await visit(stage(), `/eth/token/${quiet}?interval=5m`, async (page) => {
      const legend = await legendOf(page);
      const box = await chartOf(page).boundingBox();
      if (box === null) throw new Error("the chart has no place");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
      await expect.poll(() => timeOf(legend), PATIENT).toBeLessThan((await newestBlock(stage())) - 600);
      const time = await timeOf(legend);
      const [candle] = await candles(
        stage(),
        quiet,
        `interval=5m&from_timestamp=${time}&until_timestamp=${time}`,
      );
      expect(await shows(legend, candle)).toBe(true);
      await screenshot(page, "token-light");
    });
  });

  it(
    "steps through candles with arrow keys, and announces each",
    async () => {
      const quiet = await quietToken(stage());
      await visit(stage(), `/eth/token/${quiet}?interval=5m`, async (page) => {
        const legend = await legendOf(page);
        const spoken = page.locator('[aria-live="polite"]');
        await chartOf(page).focus();
        await page.keyboard.press("ArrowLeft");
        await expect.poll(() => spoken.textContent(), PATIENT).not.toBe("");
        const newest = await timeOf(legend);
        const seen = 400;
        const oldest = newest - seen * 300;
        for (let i = 0; i < seen; i++) await page.keyboard.press("ArrowLeft");
        let reached = newest;
        const goOn = async () => {
          const time = await timeOf(legend);
          // Keys have no effect at the oldest candle while older ones are loading.
          if (time === reached && time > oldest) await page.keyboard.press("ArrowLeft");
          reached = time;
          return time;
        };
        await expect.poll(goOn, { ...PATIENT, interval: 500 }).toBe(oldest);
        await page.keyboard.press("ArrowRight");
        const time = newest - (seen - 1) * 300;
        await expect.poll(() => timeOf(legend), PATIENT).toBe(time);
        const [candle] = await candles(
          stage(),
          quiet,
          `interval=5m&from_timestamp=${time}&until_timestamp=${time}`,
        );
        expect(await shows(legend, candle)).toBe(true);
        expect(await spoken.textContent()).toContain(
          `${formatTime(time).slice(0, 16)} UTC: open ${formatPrice(candle?.price_open)}`,
        );
        await screenshot(page, "token-stepped");
        await page.keyboard.press("Tab");
        await expect.poll(() => spoken.textContent()).toBe("");
        expect(await timeOf(legend)).toBeGreaterThanOrEqual(newest);
      });
    },
    LONG_MS,
  );

  it("leaves gaps if filling is off", async () => {
    const quiet = await quietToken(stage());
    await visit(stage(), `/eth/token/${quiet}?interval=1m&fill=false`, async (page) => {
      const legend = await legendOf(page);
      const time = await timeOf(legend);
      const [candle] = await candles(
        stage(),
        quiet,
        `interval=1m&fill=false&from_timestamp=${time}&until_timestamp=${time}`,
      );
      expect(await shows(legend, candle)).toBe(true);
      expect(await page.getByLabel("Fill gaps").isChecked()).toBe(false);
    });
  });
}

/** Tests scrolling back and live updates. */
function movingTests(stage: () => Stage): void {
  it(
    "loads each older candle once when scrolling back, up to the first trade",
    async () => {
      await visit(stage(), `/eth/token/${WETH}?interval=1m`, async (page) => {
        await expectAllMinutes({
          stage: stage(),
          page,
          chart: chartOf(page),
          parameters: `token_address=${WETH}`,
        });
      });
    },
    LONG_MS,
  );

  it("adds a new trade to the last candle and to the top of the list", async () => {
    await visit(stage(), `/eth/token/${WETH}?interval=1d`, async (page) => {
      const legend = await legendOf(page);
      const newest = page.locator("tbody tr").first();
      const transaction = () => newest.locator('a[href*="/tx/"]').first().getAttribute("href", PATIENT);
      const [legendBefore, before] = [await legend.textContent(), await transaction()];
      await expect.poll(transaction, PATIENT).not.toBe(before);
      await page.locator('tbody tr[data-new="true"]').first().waitFor(PATIENT);
      await expect.poll(() => legend.textContent(), PATIENT).not.toBe(legendBefore);
      await expect
        .poll(async () => {
          const [candle] = await candles(stage(), WETH, "interval=1d&max_size=1");
          return shows(legend, candle);
        }, PATIENT)
        .toBe(true);
    });
  });
}

/** Tests the page's choices, which are kept in the URL. */
function choiceTests(stage: () => Stage): void {
  it("keeps choices in the URL, for links and the browser's history", async () => {
    const quiet = await quietToken(stage());
    await visit(stage(), `/eth/token/${quiet}`, async (page) => {
      await legendOf(page);
      await page.getByRole("radio", { name: "1h" }).press("Space");
      await expect.poll(() => new URL(page.url()).search).toBe("?interval=1h");
      await page.getByLabel("Price type").selectOption("All trades");
      await page.getByLabel("Log scale").check();
      await expect.poll(() => page.url()).toContain("price_type=price_token_usd_tick_1");
      await expect.poll(() => page.url()).toContain("is_log=true");
      await reload(page);
      await legendOf(page);
      expect(await page.getByRole("radio", { name: "1h" }).isChecked()).toBe(true);
      expect(await page.getByLabel("Log scale").isChecked()).toBe(true);
      await page.goBack();
      await page.goBack();
      await expect.poll(() => page.getByLabel("Price type").inputValue()).toBe(ROBUST);
      expect(await page.getByRole("radio", { name: "1h" }).isChecked()).toBe(true);
    });
  });

  it("rejects an invalid filter, and keeps the trades", async () => {
    const quiet = await quietToken(stage());
    await visit(stage(), `/eth/token/${quiet}`, async (page) => {
      await page.getByLabel("Trader").fill("0x12' OR 1=1");
      await page.keyboard.press("Enter");
      await page.getByText("Enter an address: 0x and 40 hex digits.").waitFor();
      expect(new URL(page.url()).search).toBe("");
    });
  });

  it("shows the API request of the chart, which returns the same candles", async () => {
    const quiet = await quietToken(stage());
    await visit(stage(), `/eth/token/${quiet}?interval=4h&open_method=first_trade`, async (page) => {
      await page.getByRole("button", { name: "Copy the request for these candles" }).press("Enter");
      const text = await page.locator("pre").textContent();
      const url = text?.match(/'(http[^']+)'/)?.[1] ?? "";
      const response = (await (await fetch(url)).json()) as { data: Candle[] };
      expect(response.data).toEqual(await candles(stage(), quiet, "interval=4h&open_method=first_trade"));
      await page.getByRole("radio", { name: "TypeScript" }).press("Space");
      expect(await page.locator("pre").textContent()).toContain("quarry.ohlc({");
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("pre").count()).toBe(0);
    });
  });
}

function outlierTests(stage: () => Stage): void {
  it("marks outliers in the list with the reason, and on request in the chart with their number", async () => {
    const [found] = await stage().api.sql(
      `SELECT token_address, COUNT(*) AS n FROM eth_dex_trades WHERE price_token_usd_robust_tick_1 IS NULL
       AND price_token_usd_tick_1 IS NOT NULL AND amount_usd >= 1 GROUP BY token_address ORDER BY n DESC LIMIT 1`,
    );
    const token = String(found?.token_address);
    const [outlier] = await stage().api.sql(
      `SELECT pool_address, trader_address, price_token_usd_tick_1 AS price FROM eth_dex_trades
       WHERE token_address = '${token}' AND price_token_usd_robust_tick_1 IS NULL
       AND amount_usd >= 1 ORDER BY record_index DESC LIMIT 1`,
    );
    const path = `/eth/token/${token}?interval=4h&outliers=true&trader=${outlier?.trader_address}&min_usd=1`;
    await visit(stage(), path, async (page) => {
      const marked = page
        .locator("tbody td")
        .getByTitle(/^Does not count towards robust prices: its price is too far/);
      await marked.first().waitFor(PATIENT);
      expect(await marked.allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining(formatUsd(Number(outlier?.price)))]),
      );
      await expect
        .poll(async () => {
          const [all] = await stage().api.sql(
            `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE token_address = '${token}'
             AND price_token_usd_robust_tick_1 IS NULL AND price_token_usd_tick_1 IS NOT NULL`,
          );
          const text = await page
            .getByRole("status")
            .filter({ hasText: "in the visible range" })
            .textContent();
          const [trades, verb] = all?.n === 1 ? ["trade", "does"] : ["trades", "do"];
          return text?.startsWith(
            `${all?.n} ${trades} in the visible range ${verb} not count towards robust prices`,
          );
        }, PATIENT)
        .toBe(true);
      await screenshot(page, "token-outliers");
    });
  });
}

/** Tests pools, holders and unknown tokens. */
function partTests(stage: () => Stage): void {
  it("lists pools by TVL, and holders with pools marked", async () => {
    await visit(stage(), `/eth/token/${WETH}?part=pools`, async (page) => {
      const rows = page.locator("tbody tr");
      await rows.first().waitFor(PATIENT);
      const [count] = await stage().api.sql(
        `SELECT COUNT(*) AS n FROM eth_pool_metadata WHERE token_0_address = '${WETH}' OR token_1_address = '${WETH}'`,
      );
      expect(await rows.count()).toBe(count?.n);
      const address = await rows.first().getByRole("link").getAttribute("title");
      const tvls = await rows
        .locator("td:nth-child(4) span")
        .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("title"))));
      expect(tvls).toEqual(tvls.toSorted((a, b) => b - a));
      const { data } = await ask<{ data: { tvl_usd: number }[] }>(
        stage(),
        `/v1/market-api/batch-latest-pool-tvl?pool_address=${address}&price_type=${ROBUST}`,
      );
      expect(Math.abs((tvls[0] ?? 0) / (data[0]?.tvl_usd ?? 0) - 1)).toBeLessThan(0.02);
      await screenshot(page, "token-pools");

      await page.getByRole("tab", { name: "Holders" }).click();
      await expect.poll(() => page.url()).toContain("part=holders");
      await page.getByText("pool", { exact: true }).first().waitFor(PATIENT);
      const named = await page.getByRole("tabpanel").getByRole("link").first().getAttribute("title");
      const [balance] = await stage().api.sql(
        `SELECT COUNT(*) AS larger FROM eth_token_balances WHERE token_address = '${WETH}' AND balance_base > 0`,
      );
      expect(await page.getByText(`of ${balance?.larger} holders`).count()).toBe(1);
      expect(named).toMatch(/^0x[0-9a-f]{40}$/);
      await screenshot(page, "token-holders");
    });
  });

  it("explains unknown tokens and tokens without trades", async () => {
    await visit(stage(), "/eth/token/0x00000000000000000000000000000000000000ff", async (page) => {
      await page.getByText(/^No token at/).waitFor(PATIENT);
    });
    const [share] = await stage().api.sql(
      "SELECT token_address FROM eth_token_metadata WHERE token_symbol = 'UNI-V2' LIMIT 1",
    );
    await visit(stage(), `/eth/token/${share?.token_address}`, async (page) => {
      await page.getByText("No robust price yet").waitFor(PATIENT);
      await page.getByText(/^No trade has a price\. Candles appear/).waitFor(PATIENT);
      await page.getByText("No trades yet. New ones appear here.").waitFor(PATIENT);
      await page.getByRole("link", { name: "Pool shares: view pool" }).waitFor();
    });
  });
}

function chartOf(page: Page): Locator {
  return page.getByLabel(/^\w+ candles of .*; arrow keys step through it/);
}

/** Returns the legend after the chart is drawn. */
async function legendOf(page: Page): Promise<Locator> {
  await chartOf(page).locator("canvas").first().waitFor(PATIENT);
  return page.getByTestId("legend");
}

/** Returns whether a legend shows the figures of a candle. */
async function shows(legend: Locator, candle: Candle | undefined): Promise<boolean> {
  const text = (await legend.textContent()) ?? "";
  return candle !== undefined && partsOf(candle).every((part) => text.includes(part));
}

function partsOf({ price_open, price_high, price_low, price_close, volume, num_trades }: Candle): string[] {
  return [
    `O${formatPrice(price_open)}H${formatPrice(price_high)}L${formatPrice(price_low)}C${formatPrice(price_close)}`,
    `Volume${formatUsdCompact(volume)}Trades${num_trades === 0 ? "none" : num_trades}`,
  ];
}

async function newestBlock(stage: Stage): Promise<number> {
  const { chains } = await ask<{ chains: { indexed_timestamp: number }[] }>(stage, "/v1/status");
  return chains[0]?.indexed_timestamp ?? 0;
}

/** Returns the least traded token, whose figures do not change during a test. */
async function quietToken({ api }: Stage): Promise<string> {
  const [row] = await api.sql(
    "SELECT token_address, COUNT(*) AS n FROM eth_dex_trades GROUP BY token_address ORDER BY n LIMIT 1",
  );
  return String(row?.token_address);
}

function candles(stage: Stage, token: string, parameters: string): Promise<Candle[]> {
  return apiCandles(stage, `token_address=${token}&${parameters}`);
}

async function ask<Answer>({ api }: Stage, path: string): Promise<Answer> {
  return (await api.get(path)) as Answer;
}
