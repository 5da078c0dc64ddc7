import type { Locator, Page, Response } from "playwright-core";
import { expect, it } from "vitest";
import { formatChange, formatCount, formatUsd, formatUsdCompact } from "../../explorer/src/format/number.ts";
import { startQuarry, temporaryFolder } from "../support/processes/processes.ts";
import { accessibilityFindings, open, reload, type Stage, screenshot, visit } from "./support/stage.ts";

interface ChainStatus {
  indexed_block: number;
  finalized_block: number;
  rows: Record<string, number>;
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
/** Compressed size of the home page's scripts in bytes. */
const SCRIPT_BUDGET = 200_000;
/** For what a busy machine takes long to show. */
const SLOW = { timeout: 30_000 };
/** Cumulative layout shift within the first seconds and while trades arrive. */
const SHIFT_BUDGET = 0.02;

/** The home page: a chain's market. */
export function homeTests(stage: () => Stage): void {
  figureTests(stage);
  screenerTests(stage);
  tradeTests(stage);
  lightnessTests(stage);
  readingTests(stage);
  absenceTests(stage);
}

/** The figures of the chain. */
function figureTests(stage: () => Stage): void {
  it("shows the indexing progress and totals of the status", async () => {
    await visit(stage(), "/", async (page) => {
      await expect
        .poll(
          async () => {
            const { chains } = await stage().api.get<{ chains: ChainStatus[] }>("/v1/status");
            const { indexed_block, finalized_block, rows } = chains[0]!;
            const expected = [indexed_block, finalized_block, rows.blocks, rows.dex_trades].map(formatCount);
            const names = ["Latest block", "Final block", "Blocks", "Trades"];
            const shown = await Promise.all(names.map((name) => figure(page, name).textContent()));
            return shown.every((text, i) => text?.startsWith(expected[i] ?? "?"));
          },
          { timeout: 30_000, interval: 200 },
        )
        .toBe(true);
    });
  });

  it("shows the figures of the last 24 hours as SQL computes them", async () => {
    await visit(stage(), "/eth", async (page) => {
      const { since, block } = await bounds(await responseOf(page, /^SELECT SUM\(amount_usd\)/));
      const [market] = await stage().api.sql<{ volume: number; trades: number; traders: number }>(
        `SELECT SUM(amount_usd) AS volume, COUNT(*) AS trades, COUNT(DISTINCT trader_address) AS traders
         FROM eth_dex_trades WHERE timestamp > ${since} AND block_number <= ${block}`,
      );
      await expect
        .poll(() => figure(page, "24 h volume").textContent())
        .toBe(formatUsdCompact(market?.volume));
      expect(await figure(page, "24 h trades").textContent()).toBe(formatCount(market?.trades));
      expect(await figure(page, "24 h traders").textContent()).toBe(formatCount(market?.traders));
    });
  });
}

/** The lists of tokens and pools. */
function screenerTests(stage: () => Stage): void {
  it("lists tokens by volume as the API does, at the block of its answer", async () => {
    await visit(stage(), "/", async (page) => {
      const { tokens } = await screenOf(page, () => reload(page));
      const { rows } = list(page, "Top tokens");
      for (const [i, token] of tokens.slice(0, 6).entries()) {
        const cells = rows.nth(i).locator("td");
        await expect.poll(() => cells.nth(1).textContent()).toContain(token.token_symbol);
        await rows
          .nth(i)
          .getByRole("img", { name: /^24 h price: low \$.+, high \$/ })
          .waitFor();
      }
    });
  });

  it("shows the figures of SQL and of the endpoints of prices", async () => {
    await visit(stage(), "/", async (page) => {
      // From here on the page has no further answers, so that it stays at the block of this one.
      const { block, at } = await screenOf(page, () => reload(page), { isLast: true });
      const tokens = await stage().api.sql<{
        token_address: string;
        volume: number;
        trades: number;
      }>(
        `SELECT token_address, SUM(amount_usd) AS volume, COUNT(*) AS trades FROM eth_dex_trades
         WHERE timestamp > ${at - 86_400} AND block_number <= ${block}
         GROUP BY token_address ORDER BY volume DESC LIMIT 4`,
      );
      const { rows } = list(page, "Top tokens");
      for (const [i, { token_address, volume, trades }] of tokens.entries()) {
        const [priced] = await stage().api.sql<{ price: number }>(
          `SELECT price_token_usd_robust_tick_1 AS price FROM eth_dex_trades
           WHERE token_address = '${token_address}' AND price_token_usd_robust_tick_1 IS NOT NULL
           AND block_number <= ${block} ORDER BY record_index DESC LIMIT 1`,
        );
        const changes = new URLSearchParams({
          token_address,
          timestamp: String(at),
          price_type: "price_token_usd_robust_tick_1",
        });
        const [change] = await stage().api.get<{ change_pct: number }[]>(
          `/v1/price-api/batch-latest-price-change?${changes}`,
        );
        const cells = rows.nth(i).locator("td");
        expect(await cells.nth(2).textContent()).toBe(formatUsd(priced?.price));
        expect(await cells.nth(3).textContent()).toBe(formatChange((change?.change_pct ?? Number.NaN) / 100));
        expect(await cells.nth(4).textContent()).toBe(formatUsdCompact(volume));
        expect(await cells.nth(5).textContent()).toBe(formatCount(trades));
      }
    });
  });

  it("lists pools, movers and new ones over another time, and keeps the choices in its URL", async () => {
    await visit(stage(), "/eth", async (page) => {
      await list(page, "Top tokens").rows.first().waitFor();
      await choose(page, "Pools");
      await list(page, "Top pools, 24h").rows.first().waitFor();
      await choose(page, "New");
      await choose(page, "7 d");
      const { rows } = list(page, "New pools, 7d");
      await rows.first().waitFor();
      await page.locator('main [aria-busy="true"]').waitFor({ state: "detached" });
      const [newest] = await stage().api.sql<{ pool: string }>(
        "SELECT pool_address AS pool FROM eth_pool_metadata ORDER BY timestamp_created DESC, pool_address LIMIT 1",
      );
      expect(await rows.locator("a").evaluateAll((links) => links.map((link) => link.title))).toContain(
        newest?.pool,
      );
      const chosen = "/eth?kind=pool&window=7d&sortby=created_timestamp";
      expect(page.url()).toBe(stage().url + chosen);
      await page.goBack();
      await list(page, "New pools, 24h").rows.first().waitFor();
      await open(page, stage().url + chosen);
      await list(page, "New pools, 7d").rows.first().waitFor();
      await choose(page, "Movers");
      await list(page, "Moving pools, 7d").rows.first().waitFor();
    });
  });

  it("filters by volume, and says when nothing is left", async () => {
    await visit(stage(), "/eth", async (page) => {
      const { rows } = list(page, "Top tokens");
      await rows.first().waitFor();
      await page.getByLabel("Least volume").selectOption({ label: "From $100k" });
      await expect.poll(() => new URL(page.url()).searchParams.get("min_volume_usd"), SLOW).toBe("100000");
      await expect
        .poll(async () => (await volumes(rows)).every((text) => /[MB]$|^\$\d{3}/.test(text)), SLOW)
        .toBe(true);
      await open(page, `${stage().url}/eth?window=5m&kind=pool&min_volume_usd=100000`);
      await page.getByText("No trades in this time match these filters.").waitFor();
    });
  });

  it("hides spam until it is wanted", async () => {
    await visit(stage(), "/eth", async (page) => {
      const spam = { spam_reasons: "imitates_listed_symbol" };
      await page.route(/\/v1\/screener/, async (route) => {
        const response = await route.fetch();
        const { tokens, ...answer } = await response.json();
        const isShown = new URL(route.request().url()).searchParams.get("show_spam") === "true";
        const [first, ...others] = tokens;
        const json = {
          ...answer,
          hidden_spam: isShown ? 0 : 1,
          tokens: isShown ? [{ ...first, ...spam }, ...others] : others,
        };
        await route.fulfill({ response, json });
      });
      await reload(page);
      const { rows } = list(page, "Top tokens");
      await page.getByLabel("Show 1 hidden").check();
      const symbol = async () => (await rows.first().locator("td").nth(1).textContent()) ?? "";
      const shown = await symbol();
      await page.getByLabel("Show 1 hidden").uncheck();
      await expect.poll(symbol, SLOW).not.toBe(shown);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("shows the error of the service, and recovers with the next block", async () => {
    await visit(stage(), "/eth", async (page) => {
      let fails = true;
      await page.route(/\/v1\/screener/, (route) =>
        fails ? route.fulfill({ status: 400, json: { error: "No list today." } }) : route.continue(),
      );
      await reload(page);
      await page.getByText("No list today.").waitFor();
      fails = false;
      await page
        .getByRole("button", { name: /try again/i })
        .first()
        .click();
      await list(page, "Top tokens").rows.first().waitFor();
    });
  });

  it("shows symbols and names in full as tooltips, and does not cut names", async () => {
    await visit(stage(), "/", async (page) => {
      const { rows } = list(page, "Top tokens");
      await rows.first().waitFor();
      const [named] = await stage().api.sql<{ address: string; symbol: string; name: string }>(
        `SELECT token_address AS address, token_symbol AS symbol, token_name AS name FROM eth_token_metadata
         WHERE token_symbol = 'WETH'`,
      );
      const link = rows.getByTitle(`${named?.symbol} ${named?.address}`);
      const name = rows.getByTitle(named?.name ?? "?", { exact: true });
      expect(await link.textContent()).toContain(named?.symbol);
      expect(await name.textContent()).toBe(named?.name);
      const hidden = await name.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(hidden).toBeLessThanOrEqual(0);
    });
  });

  it.each([
    [320, { ...PHONE, isMobile: true }],
    [360, { ...PHONE, isMobile: true }],
    [390, { ...PHONE, isMobile: true }],
    [768, {}],
    [1081, {}],
    [1920, {}],
  ] as const)("shows all symbols in full at a width of %i", async (width, options) => {
    const look = async (page: Page) => {
      expect(await cutSymbols(page, "Top tokens")).toEqual([]);
      const choice = page.getByText("Latest trades").first();
      if (width <= 1080) await choice.click();
      expect(await cutSymbols(page, "Latest trades")).toEqual([]);
    };
    await visit(stage(), "/", look, { ...options, viewport: { width, height: 844 } });
  });

  it("sorts the list by the selected column, also by keyboard", async () => {
    await visit(stage(), "/", async (page) => {
      await list(page, "Top tokens").rows.first().waitFor();
      await list(page, "Top tokens").table.getByRole("button", { name: "Trades" }).focus();
      await page.keyboard.press("Enter");
      const { table, rows } = list(page, "Traded tokens");
      const heading = table.getByRole("columnheader", { name: "Trades" });
      await expect.poll(() => heading.getAttribute("aria-sort"), SLOW).toBe("descending");
      const trades = async () => (await rows.locator("td:nth-child(6)").allTextContents()).map(numberOf);
      const isSorted = async (sign: 1 | -1) => {
        const shown = await trades();
        return (
          shown.length > 1 && shown.every((count, i) => i === 0 || sign * (count - (shown[i - 1] ?? 0)) >= 0)
        );
      };
      await expect.poll(() => isSorted(-1), SLOW).toBe(true);
      await page.keyboard.press("Enter");
      await expect.poll(() => heading.getAttribute("aria-sort"), SLOW).toBe("ascending");
      await expect.poll(() => isSorted(1), SLOW).toBe(true);
      expect(new URL(page.url()).search).toBe("?sortby=trades&order=asc");
    });
  });
}

/** The list of latest trades. */
function tradeTests(stage: () => Stage): void {
  it("adds new trades, each with the figures of SQL", async () => {
    await visit(stage(), "/", async (page) => {
      const { rows, table } = list(page, "Latest trades");
      const transaction = (row: Locator) => row.locator("a").nth(2).getAttribute("title");
      const before = await transaction(rows.first());
      await expect.poll(() => transaction(rows.first()), { timeout: 30_000 }).not.toBe(before);
      expect(await table.locator("tr[data-new=true]").count()).toBeGreaterThan(0);
      await page.getByRole("button", { name: "Pause" }).click();
      const links = await rows
        .first()
        .locator("a")
        .evaluateAll((found) => found.map(({ href }) => href.split("/").at(-1)));
      const [token, trader, hash] = links;
      const trades = await stage().api.sql<{ side: string; amount_usd: number; price: number }>(
        `SELECT side, amount_usd, price_token_usd_tick_1 AS price FROM eth_dex_trades WHERE transaction_hash = '${hash}'
         AND token_address = '${token}' AND trader_address = '${trader}'`,
      );
      const expected = trades.map(({ side, amount_usd, price }) => [
        side,
        formatUsdCompact(amount_usd),
        formatUsd(price),
      ]);
      const lines = rows.first().locator("td div");
      const [about = "", value, priced] = await Promise.all(
        [1, 2, 3].map(async (place) => (await lines.nth(place).textContent()) ?? ""),
      );
      expect(expected).toContainEqual([about.split(" ")[0], value, priced]);
    });
  });

  it("pauses the trades while they are being read", async () => {
    await visit(stage(), "/", async (page) => {
      const { rows, table } = list(page, "Latest trades");
      await rows.nth(2).hover();
      const shown = () => table.locator("tbody a").evaluateAll((links) => links.map((link) => link.title));
      const held = await shown();
      await nextBlocks(page, 3);
      expect(await shown()).toEqual(held);
      await page.mouse.move(5, 5);
      await expect.poll(shown, { timeout: 30_000 }).not.toEqual(held);
      await rows.nth(2).locator("a").first().focus();
      const focused = await shown();
      await nextBlocks(page, 3);
      expect(await shown()).toEqual(focused);
      expect(await page.getByText("Paused").count()).toBe(1);
    });
  });
}

/** Layout shift and page weight. */
function lightnessTests(stage: () => Stage): void {
  it("does not shift the layout when data and trades arrive", async () => {
    await visit(stage(), "/", async (page) => {
      await list(page, "Latest trades").rows.first().waitFor();
      await nextBlocks(page, 4);
      expect(await page.evaluate(SHIFTS)).toBeLessThanOrEqual(SHIFT_BUDGET);
    });
  });

  it("stays within its script budget, and loads only the Latin font", async () => {
    await visit(stage(), "/", async (page) => {
      await list(page, "Latest trades").rows.first().waitFor();
      const files: string[] = await page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name)",
      );
      const sizes = await Promise.all(files.filter((file) => file.endsWith(".js")).map(compressedSize));
      expect(sizes.length).toBeGreaterThan(0);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BUDGET);
      expect(files.filter((file) => file.endsWith(".woff2"))).toEqual([
        expect.stringContaining("inter-latin-wght-normal"),
      ]);
    });
  });
}

/** Themes and screen sizes. */
function readingTests(stage: () => Stage): void {
  it.each([
    ["home-light", {}],
    ["home-dark", { colorScheme: "dark" }],
    ["home-wide", { viewport: { width: 1600, height: 1000 } }],
    ["home-phone-light", PHONE],
    ["home-phone-dark", { ...PHONE, colorScheme: "dark" }],
  ] as const)("is accessible: %s", async (name, options) => {
    await visit(
      stage(),
      "/",
      async (page) => {
        await list(page, "Top tokens")
          .rows.first()
          .getByText("%")
          .filter({ visible: true })
          .first()
          .waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await screenshot(page, name);
        const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(width)).toBeLessThanOrEqual(0);
      },
      options,
    );
  });

  it("shows either tokens or trades on a phone", async () => {
    await visit(
      stage(),
      "/",
      async (page) => {
        await list(page, "Top tokens").rows.first().waitFor();
        await page.getByText("Latest trades").first().click();
        await list(page, "Latest trades").rows.first().waitFor();
        expect(await list(page, "Top tokens").table.isVisible()).toBe(false);
        await screenshot(page, "home-phone-trades");
      },
      PHONE,
    );
  });
}

/** Without data or service. */
function absenceTests(stage: () => Stage): void {
  it("says what to do while no block is indexed, and reports an outage until the service responds", async () => {
    const folder = temporaryFolder();
    const serve = async (port: string) => {
      const running = startQuarry(["serve", "--data", folder.path, "--port", port]);
      return { running, url: (await running.printed(/(http:\/\/127\.0\.0\.1:\d+)/))[1] ?? "" };
    };
    const { running, url } = await serve("0");
    const context = await stage().browser.newContext();
    const page = await context.newPage();
    await open(page, url);
    await page.getByText("npx quarry start --chain eth").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await screenshot(page, "home-nothing-indexed");
    await open(page, `${url}/base/block/5`);
    await page.getByText("npx quarry start --chain base").waitFor();
    await open(page, url);
    await page.getByText("npx quarry start --chain eth").waitFor();
    await running.stop();
    const banner = page.getByText("The service is not responding");
    await banner.waitFor();
    const { running: again } = await serve(new URL(url).port);
    await banner.waitFor({ state: "detached" });
    await context.close();
    await again.stop();
    folder.remove();
  });
}

function figure(page: Page, name: string): Locator {
  return page
    .locator("main dl > div")
    .filter({ has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) })
    .locator("dd")
    .first();
}

function list(page: Page, label: string): { table: Locator; rows: Locator } {
  const table = page.locator(`section[aria-label^="${label}"]`);
  return { table, rows: table.locator("tbody tr") };
}

interface ScreenAnswer {
  tokens: { token_symbol: string }[];
  /** Newest block of the answer, and its time. */
  block: number;
  at: number;
}

/** @param isLast further requests of the page wait for ever */
async function screenOf(
  page: Page,
  load: () => Promise<void>,
  { isLast = false } = {},
): Promise<ScreenAnswer> {
  let answers = 0;
  if (isLast) await page.route(/\/v1\/screener/, (route) => (answers++ === 0 ? route.continue() : undefined));
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes("/v1/screener") && one.status() === 200),
    load(),
  ]);
  const header = async (name: string) => Number(await response.headerValue(name));
  const { tokens } = await response.json();
  await list(page, "Top tokens").rows.first().waitFor();
  return { tokens, block: await header("x-indexed-block"), at: await header("x-indexed-timestamp") };
}

/** Chooses an option of the lists. */
async function choose(page: Page, title: string): Promise<void> {
  await page
    .locator("main fieldset label")
    .filter({ hasText: new RegExp(`^${title}$`) })
    .first()
    .click();
}

function volumes(rows: Locator): Promise<string[]> {
  return rows.locator("td:nth-child(5)").allTextContents();
}

/** The symbols that do not fit into their cells. */
async function cutSymbols(page: Page, label: string): Promise<string[]> {
  const { rows } = list(page, label);
  await rows.first().waitFor();
  return rows
    .locator('a[href*="/token/"] > span:last-child')
    .evaluateAll((symbols) =>
      symbols
        .filter((symbol) => symbol.scrollWidth > symbol.clientWidth)
        .map((symbol) => symbol.textContent ?? ""),
    );
}

function responseOf(page: Page, query: RegExp): Promise<Response> {
  const reloaded = reload(page);
  const answer = page.waitForResponse((response) =>
    query.test(response.request().postDataJSON()?.query ?? ""),
  );
  return Promise.all([answer, reloaded]).then(([response]) => response);
}

/** The start time of a query, and the newest block of its response. */
async function bounds(response: Response): Promise<{ since: number; block: number }> {
  const since = Number(/timestamp > (\d+)/.exec(response.request().postDataJSON().query)?.[1]);
  return { since, block: Number(await response.headerValue("x-indexed-block")) };
}

async function nextBlocks(page: Page, count: number): Promise<void> {
  const shown = async () => numberOf((await figure(page, "Latest block").locator("a").textContent()) ?? "");
  const first = await shown();
  await expect.poll(shown, { timeout: 60_000 }).toBeGreaterThanOrEqual(first + count);
}

/** The transferred size; the smallest files are not compressed. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" }, method: "HEAD" });
  return Number(response.headers.get("content-length") ?? Number.NaN);
}

function numberOf(text: string): number {
  return Number(text.replaceAll(",", ""));
}

/** The cumulative layout shift so far. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 300);
})`;
