import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatExact, formatPrice, formatUsd, formatUsdCompact } from "../../explorer/src/format/number.ts";
import { expectAllMinutes } from "./candles.ts";
import { readableTests } from "./support/readable.ts";
import { accessibilityFindings, reload, type Stage, screenshot, visit } from "./support/stage.ts";

/** The demo's busiest pool, USDC / WETH. Both tokens have trades in it. */
const POOL = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const PATH = `/eth/pool/${POOL}`;
const SLOW = 60_000;
/** Timeout of a test that waits for several responses, each of which may be slow on a busy machine. */
const LONG = 3 * SLOW;

interface Tvl {
  token_0_balance: number;
  token_1_balance: number;
  token_0_balance_usd: number;
  token_1_balance_usd: number;
  token_1_price_usd: number;
  tvl_usd: number;
  liquidity_usd: number;
}

async function tvlOf(stage: Stage, pool = POOL): Promise<Tvl> {
  const path = "/v1/market-api/batch-latest-pool-tvl";
  const query = `pool_address=${pool}&price_type=price_token_usd_robust_tick_1`;
  const { data } = (await stage.api.get(`${path}?${query}`)) as { data: [Tvl] };
  return data[0];
}

const panel = (page: Page, title: string | RegExp) => page.getByRole("region", { name: title });
const trades = (page: Page) => panel(page, "Latest trades in the pool").getByRole("row");

/** Waits until the page and the API agree. Both change with each block. */
async function agrees(shown: () => Promise<string | null>, expected: () => Promise<string>): Promise<void> {
  await expect
    .poll(async () => (await shown())?.includes(await expected()), { timeout: SLOW, interval: 300 })
    .toBe(true);
}

/** Tests the pool page. */
export function poolTests(stage: () => Stage): void {
  figureTests(stage);
  manyTokenTests(stage);
  candleTests(stage);
  tradeTests(stage);
  olderTests(stage);
  choiceTests(stage);
  rangeTests(stage);
  accessTests(stage);
}

function figureTests(stage: () => Stage): void {
  it(
    "shows the value, balances and prices of the API",
    async () => {
      await visit(stage(), PATH, async (page) => {
        await page.getByRole("heading", { name: "WETH / USDC" }).waitFor({ timeout: SLOW });
        const composition = panel(page, "Composition");
        const text = () => composition.textContent();
        await agrees(text, async () => formatUsdCompact((await tvlOf(stage())).tvl_usd));
        await agrees(text, async () => formatExact((await tvlOf(stage())).token_1_balance));
        await agrees(text, async () => formatUsdCompact((await tvlOf(stage())).token_0_balance_usd));
        await agrees(text, async () => formatUsd((await tvlOf(stage())).token_1_price_usd));
        expect(await page.title()).toBe("WETH / USDC · Quarry");
        await page.getByText("Uniswap V3").waitFor();
        await page.getByText("0.05 % fee").waitFor();
      });
    },
    LONG,
  );

  it(
    "counts each swap of the day once",
    async () => {
      await visit(stage(), PATH, async (page) => {
        const day = page.locator("dl > div").filter({ hasText: "24 h volume" }).locator("dd").first();
        await agrees(
          () => day.textContent(),
          async () => {
            const { chains } = (await stage().api.get("/v1/status")) as {
              chains: [{ indexed_timestamp: number }];
            };
            const from = chains[0].indexed_timestamp - 86_400;
            // A swap makes a trade of each of its tokens. The values of the two differ by as much as the
            // pool's price differs from the reference price.
            const directions = await stage().api.sql<{ usd: number }>(
              `SELECT token_address, SUM(amount_usd) AS usd FROM eth_dex_trades WHERE pool_address = '${POOL}'
               AND timestamp > ${from} GROUP BY token_address`,
            );
            return formatUsdCompact(Math.max(...directions.map(({ usd }) => usd)));
          },
        );
      });
    },
    LONG,
  );
}

function manyTokenTests(stage: () => Stage): void {
  it(
    "values the third token of a pool in a vault, although its address holds none",
    async () => {
      const [pool] = await stage().api.sql(
        "SELECT pool_address FROM eth_pool_metadata WHERE protocol = 'balancer_v2' LIMIT 1",
      );
      await visit(stage(), `/eth/pool/${pool?.pool_address}`, async (page) => {
        const composition = panel(page, "Composition");
        await agrees(
          () => composition.textContent(),
          async () => {
            const { tvl_usd, token_0_balance_usd, token_1_balance_usd } = await tvlOf(
              stage(),
              String(pool?.pool_address),
            );
            return formatUsdCompact(tvl_usd - token_0_balance_usd - token_1_balance_usd);
          },
        );
        expect(await composition.textContent()).not.toContain("The value is unknown");
        await screenshot(page, "pool-in-vault");
      });
    },
    LONG,
  );

  it(
    "shows all tokens of a pool of three, and finds it by any two of them",
    async () => {
      const [pool] = await stage().api.sql(
        "SELECT pool_address, token_addresses FROM eth_pool_metadata WHERE protocol = 'balancer_v2' LIMIT 1",
      );
      const path = `/eth/pool/${pool?.pool_address}`;
      await visit(stage(), path, async (page) => {
        await page.getByRole("heading", { name: "USDC / WETH / MICA" }).waitFor({ timeout: SLOW });
        // The fee of a Balancer pool may change, so it is not stored.
        expect(await page.getByText(/^\S+( %)? fee$/).count()).toBe(0);
        const composition = panel(page, "Composition");
        for (const token of String(pool?.token_addresses).split(","))
          await composition.locator(`a[href$="${token}"]`).waitFor({ timeout: SLOW });
        await panel(page, /price in this pool/)
          .getByRole("combobox", { name: "Token" })
          .selectOption({ label: "MICA" });
        await page.getByRole("heading", { name: "MICA price in this pool (USD)" }).waitFor();
        await trades(page).nth(1).waitFor({ timeout: SLOW });
        expect(await trades(page).first().textContent()).toMatch(/Token.*Amount.*For/);
        await page.getByRole("combobox", { name: "Search" }).fill("mica/weth");
        await page.getByRole("option", { name: /USDC \/ WETH \/ MICA Balancer V2/ }).click({ timeout: SLOW });
        expect(await accessibilityFindings(page)).toEqual([]);
        await screenshot(page, "pool-of-three");
      });
    },
    LONG,
  );
}

function candleTests(stage: () => Stage): void {
  it(
    "loads each older candle once when scrolling back, up to the first trade",
    async () => {
      await visit(stage(), PATH, async (page) => {
        await page.getByRole("radio", { name: "1m" }).press("Space");
        const chart = page.getByLabel(/^1m candles of WETH in this pool; /);
        const parameters = `token_address=${WETH}&pool_address=${POOL}`;
        await expectAllMinutes({ stage: stage(), page, chart, parameters });
      });
    },
    LONG,
  );
}

function tradeTests(stage: () => Stage): void {
  it(
    "shows new trades live, with their prices",
    async () => {
      await visit(stage(), PATH, async (page) => {
        const newest = trades(page).nth(1);
        await newest.waitFor({ timeout: SLOW });
        const price = async () => {
          const [row] = await stage().api.sql(
            `SELECT price_token_usd_tick_1 AS price FROM eth_dex_trades WHERE pool_address = '${POOL}' AND token_address = '${WETH}' ORDER BY record_index DESC LIMIT 1`,
          );
          return formatPrice(Number(row?.price));
        };
        await agrees(() => newest.textContent(), price);
        const link = newest.getByRole("link").last();
        const before = await link.getAttribute("href");
        await expect.poll(() => link.getAttribute("href"), { timeout: SLOW }).not.toBe(before);
      });
    },
    LONG,
  );

  it(
    "filters trades by side",
    async () => {
      await visit(stage(), PATH, async (page) => {
        await trades(page).nth(1).waitFor({ timeout: SLOW });
        await page.getByText("Sells", { exact: true }).click();
        await expect.poll(() => trades(page).filter({ hasText: "buy" }).count(), { timeout: SLOW }).toBe(0);
        expect(await trades(page).count()).toBeGreaterThan(1);
      });
    },
    LONG,
  );
}

function olderTests(stage: () => Stage): void {
  it(
    "pages to older trades and back to the latest",
    async () => {
      await visit(stage(), PATH, async (page) => {
        await trades(page).nth(50).waitFor({ timeout: SLOW });
        await page.getByRole("button", { name: "Older" }).click();
        const first = panel(page, "Latest trades in the pool").locator("tbody tr").first();
        await page.locator('[data-loading="false"]').filter({ has: first }).waitFor({ timeout: SLOW });
        const shown = await first.getByRole("link").last().getAttribute("title");
        const newest = await stage().api.sql(
          `SELECT transaction_hash FROM eth_dex_trades WHERE pool_address = '${POOL}' AND token_address = '${WETH}'
           ORDER BY record_index DESC LIMIT 200`,
        );
        const place = newest.findIndex(({ transaction_hash }) => transaction_hash === shown);
        expect(place).toBeGreaterThanOrEqual(50);
        await page.getByRole("button", { name: "Newer" }).click();
        await page.getByText("Latest trades, live").waitFor();
      });
    },
    LONG,
  );
}

function choiceTests(stage: () => Stage): void {
  it(
    "keeps choices in the URL, across a reload and a step back",
    async () => {
      await visit(stage(), PATH, async (page) => {
        const search = () => new URL(page.url()).search;
        await trades(page).nth(1).waitFor({ timeout: SLOW });
        await page.getByRole("radio", { name: "4h" }).press("Space");
        await page.getByRole("radio", { name: "Sells" }).press("Space");
        await page.getByRole("combobox", { name: /^Value/ }).selectOption("1000");
        await expect.poll(search).toBe("?interval=4h&side=sell&min_usd=1000");
        await page.getByRole("radio", { name: "1 d", exact: true }).press("Space");
        await expect.poll(search).toContain("range=1d");
        await reload(page);
        await trades(page).nth(1).waitFor({ timeout: SLOW });
        expect(await page.getByRole("radio", { name: "4h" }).isChecked()).toBe(true);
        expect(await page.getByRole("radio", { name: "Sells" }).isChecked()).toBe(true);
        expect(await page.getByRole("combobox", { name: /^Value/ }).inputValue()).toBe("1000");
        await page.goBack();
        await expect.poll(search).toBe("?interval=4h&side=sell&min_usd=1000");
        expect(await page.getByRole("radio", { name: "7 d", exact: true }).isChecked()).toBe(true);
      });
    },
    LONG,
  );
}

function rangeTests(stage: () => Stage): void {
  it(
    "requests the whole history of the selected range at once, and shows its points",
    async () => {
      await visit(stage(), PATH, async (page) => {
        const history = panel(page, "TVL over time");
        await history.getByText(/points in time/).waitFor({ timeout: 2 * SLOW });
        const answered: Promise<{ data: unknown[] }>[] = [];
        const past: string[] = [];
        page.on("response", (response) => {
          const url = response.url();
          if (url.includes("pool-tvl-history")) answered.push(response.json());
          if ((response.request().postData() ?? "").includes('"timestamp"')) past.push(url);
        });
        await history.getByText("1 d", { exact: true }).click();
        await expect.poll(() => answered.length, { timeout: SLOW }).toBeGreaterThan(0);
        await history.locator('[data-loading="false"]').waitFor({ timeout: SLOW });
        const { data } = (await answered[0]) ?? expect.fail("no response");
        expect(data.length).toBeGreaterThan(200);
        await history.getByText(`${data.length + 1} points in time`).waitFor({ timeout: SLOW });
        expect([answered.length, past]).toEqual([1, []]);
        await screenshot(page, "pool");
      });
    },
    LONG,
  );
}

function accessTests(stage: () => Stage): void {
  it.each([
    ["address", 20],
    ["Uniswap V4 id", 32],
  ])(
    "says that no pool has this %s",
    async (_, bytes) => {
      await visit(stage(), `/eth/pool/0x${"12".repeat(bytes)}`, async (page) => {
        await page.getByText("No pool at").waitFor({ timeout: SLOW });
        expect(await accessibilityFindings(page)).toEqual([]);
      });
    },
    LONG,
  );

  it(
    "is usable by keyboard alone",
    async () => {
      await visit(stage(), PATH, async (page) => {
        await trades(page).nth(1).waitFor({ timeout: SLOW });
        await page.getByRole("radio", { name: "1h" }).focus();
        await page.keyboard.press("ArrowRight");
        await page
          .getByRole("img")
          .or(page.getByLabel(/^4h candles of WETH/))
          .first()
          .waitFor({ timeout: SLOW });
        expect(await page.getByRole("radio", { name: "4h" }).isChecked()).toBe(true);
      });
    },
    LONG,
  );

  readableTests({
    stage,
    name: "pool",
    path: () => PATH,
    ready: (page) => trades(page).nth(1).waitFor({ timeout: SLOW }),
  });
}
