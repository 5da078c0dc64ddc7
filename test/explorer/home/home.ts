import type { Locator, Page, Response } from "playwright-core";
import { expect, it } from "vitest";
import { formatCount, formatUsd, formatUsdCompact } from "../../../explorer/src/format/number.ts";
import { startQuarry, temporaryFolder } from "../../support/processes/processes.ts";
import { list, numberOf, PHONE } from "../support/lists.ts";
import { expectAccessible, expectNoOverflow } from "../support/readable.ts";
import { accessibilityFindings, open, reload, type Stage, screenshot, visit } from "../support/stage.ts";
import { screenerTests } from "./screener.ts";

interface ChainStatus {
  indexed_block: number;
  finalized_block: number;
  rows: Record<string, number>;
}

/** Maximum compressed size of the home page's scripts, in bytes. */
const SCRIPT_BUDGET = 200_000;
/** Maximum cumulative layout shift, in the first seconds and while trades arrive. */
const SHIFT_BUDGET = 0.02;

/** Tests the home page, which shows a chain's market. */
export function homeTests(stage: () => Stage): void {
  figureTests(stage);
  screenerTests(stage);
  tradeTests(stage);
  lightnessTests(stage);
  readingTests(stage);
  absenceTests(stage);
}

/** Tests the figures of the chain. */
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

  it.each([
    ["one line on a desktop", {}, [11]],
    ["three lines of three on a phone", PHONE, [3, 3, 3]],
  ])("shows the figures in %s", async (_, options, lines) => {
    const look = async (page: Page) => {
      await figure(page, "24 h traders").waitFor();
      expect(await page.evaluate(FIGURES_PER_LINE)).toEqual(lines);
      await expectNoOverflow(page);
    };
    await visit(stage(), "/eth", look, options);
  });
}

/** Script that returns the number of visible figures in each line, from top to bottom. */
const FIGURES_PER_LINE = `(() => {
  const figures = [...document.querySelector("dl").children].filter((one) => one.offsetHeight > 0);
  const counts = new Map();
  for (const { offsetTop } of figures) counts.set(offsetTop, (counts.get(offsetTop) ?? 0) + 1);
  return [...counts.values()];
})()`;

/** Tests the list of latest trades. */
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

/** Tests layout shift and the size of scripts and fonts. */
function lightnessTests(stage: () => Stage): void {
  it("does not shift the layout when data and trades arrive", async () => {
    const look = async (page: Page) => {
      await list(page, "Latest trades").rows.first().waitFor();
      await nextBlocks(page, 4);
      expect(await page.evaluate(SHIFTS)).toBeLessThanOrEqual(SHIFT_BUDGET);
    };
    await visit(stage(), "/", look, { isFirstVisit: true });
  });

  it("stays within its script budget, and loads only the Latin font", async () => {
    const look = async (page: Page) => {
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
    };
    await visit(stage(), "/", look, { isFirstVisit: true });
  });
}

/** Tests themes and screen sizes. */
function readingTests(stage: () => Stage): void {
  const look = async (page: Page, name: string) => {
    const changes = list(page, "Top tokens").rows.first().getByText("%");
    await changes.filter({ visible: true }).first().waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page, name);
  };

  it("is accessible in light and dark, on a desktop and on a wide one", async () => {
    await visit(stage(), "/", async (page) => {
      await look(page, "home");
      await page.setViewportSize({ width: 1600, height: 1000 });
      await look(page, "home-wide");
    });
  });

  it("is accessible in light and dark, on a phone", async () => {
    await visit(stage(), "/", (page) => look(page, "home-phone"), PHONE);
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

/** Tests the page without data and without a service. */
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

function responseOf(page: Page, query: RegExp): Promise<Response> {
  const reloaded = reload(page);
  const answer = page.waitForResponse((response) =>
    query.test(response.request().postDataJSON()?.query ?? ""),
  );
  return Promise.all([answer, reloaded]).then(([response]) => response);
}

/** Returns the start time of a query and the newest block of its response. */
async function bounds(response: Response): Promise<{ since: number; block: number }> {
  const since = Number(/timestamp > (\d+)/.exec(response.request().postDataJSON().query)?.[1]);
  return { since, block: Number(await response.headerValue("x-indexed-block")) };
}

async function nextBlocks(page: Page, count: number): Promise<void> {
  const shown = async () => numberOf((await figure(page, "Latest block").locator("a").textContent()) ?? "");
  const first = await shown();
  await expect.poll(shown, { timeout: 60_000 }).toBeGreaterThanOrEqual(first + count);
}

/** Returns the transferred size. The smallest files are not compressed. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" }, method: "HEAD" });
  return Number(response.headers.get("content-length") ?? Number.NaN);
}

/** Script that resolves to the cumulative layout shift so far. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 300);
})`;
