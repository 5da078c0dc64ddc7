import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import {
  formatChange,
  formatCount,
  formatUsd,
  formatUsdCompact,
} from "../../../explorer/src/format/number.ts";
import { cutSymbols, list, numberOf, PHONE } from "../support/lists.ts";
import { open, reload, type Stage, visit } from "../support/stage.ts";

/** Timeout for updates that are slow on a busy machine. */
const SLOW = { timeout: 30_000 };

/** Tests the lists of tokens and pools. */
export function screenerTests(stage: () => Stage): void {
  it("lists tokens by volume as the API does, at the block of its answer", async () => {
    await visit(stage(), "/", async (page) => {
      const { tokens } = await screenOf(page);
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

  it("shows the figures of SQL and of the price endpoints", async () => {
    await visit(stage(), "/", async (page) => {
      // The page receives no further responses, so it stays at this block.
      const { block, at } = await screenOf(page, { isLast: true });
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

  it("lists pools, movers and new ones over another period, and keeps the choices in its URL", async () => {
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
      await page.getByLabel("Minimum volume").selectOption({ label: "From $100k" });
      await expect.poll(() => new URL(page.url()).searchParams.get("min_volume_usd"), SLOW).toBe("100000");
      await expect
        .poll(async () => (await volumes(rows)).every((text) => /[MB]$|^\$\d{3}/.test(text)), SLOW)
        .toBe(true);
      // A pool of the demo may reach this volume within five minutes, so the request asks for far more.
      await page.route(/\/v1\/screener/, (route) => {
        const url = route.request().url().replace("min_volume_usd=100000", "min_volume_usd=1000000000000");
        return route.continue({ url });
      });
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
      const symbol = async () => (await rows.first().locator("td").nth(1).textContent()) ?? "";
      const visible = await symbol();
      await page.getByLabel("Show 1 hidden").check();
      await expect.poll(symbol, SLOW).not.toBe(visible);
      await page.getByLabel("Show 1 hidden").uncheck();
      await expect.poll(symbol, SLOW).toBe(visible);
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
      // Clicks while requests still fail. Otherwise the next block might remove the button first.
      const asked = page.waitForRequest(/\/v1\/screener/);
      await page
        .getByRole("button", { name: /try again/i })
        .first()
        .click();
      await asked;
      fails = false;
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
    ["phones", [320, 360, 390], { ...PHONE, isMobile: true }],
    ["tablets", [768], {}],
    ["desktops", [1081, 1920], {}],
  ] as const)("shows all symbols in full on %s", async (_, widths, options) => {
    const look = async (page: Page) => {
      const expectAll = async (label: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          expect(await cutSymbols(page, label), `at a width of ${width}`).toEqual([]);
        }
      };
      await expectAll("Top tokens");
      if (widths[0] <= 1080) await page.getByText("Latest trades").first().click();
      await expectAll("Latest trades");
    };
    await visit(stage(), "/", look, options);
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

interface ScreenAnswer {
  tokens: { token_symbol: string }[];
  /** Newest block of the response. `at` is its time in Unix seconds. */
  block: number;
  at: number;
}

/**
 * Opens the page again and returns the first response that it shows.
 *
 * @param isLast leaves later requests of the page unanswered
 */
async function screenOf(page: Page, { isLast = false } = {}): Promise<ScreenAnswer> {
  const address = page.url();
  // An empty page has no pending requests that could be mistaken for the next page's.
  await page.goto("about:blank");
  let answers = 0;
  if (isLast) await page.route(/\/v1\/screener/, (route) => (answers++ === 0 ? route.continue() : undefined));
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes("/v1/screener") && one.status() === 200),
    open(page, address),
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
