import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatChange, formatShare, formatUsdCompact } from "../../explorer/src/format/number.ts";
import { formatUnits } from "../../explorer/src/format/units.ts";
import { readableTests } from "./support/readable.ts";
import { accessibilityFindings, reload, type Stage, screenshot, visit } from "./support/stage.ts";

/** Height of the window in pixels. */
const HEIGHT = 900;
const SLOW = 60_000;
/** Timeout of a test that waits for several responses, each of which may be slow on a busy machine. */
const LONG = 3 * SLOW;
/** Address of a pool, which holds tokens and never sends a transaction. */
const HOLDER = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const NOBODY = `0x${"12".repeat(20)}`;

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

type Totals = Record<
  | "total_profit"
  | "realized_profit"
  | "unrealized_profit"
  | "total_buy_volume"
  | "total_sell_volume"
  | "total_return"
  | "win_rate",
  number
>;

async function totalsOf(stage: Stage, query: string): Promise<Totals> {
  return (await stage.api.get(`/v1/wallet-api/latest-total-performance?${query}`)) as Totals;
}

async function busiestTrader(stage: Stage): Promise<string> {
  const [row] = await stage.api.sql(
    "SELECT trader_address, COUNT(*) AS trades FROM eth_dex_trades GROUP BY trader_address ORDER BY trades DESC LIMIT 1",
  );
  return String(row?.trader_address);
}

async function agrees(shown: () => Promise<string | null>, expected: () => Promise<string[]>): Promise<void> {
  const missing = async () => {
    const figures = await expected();
    const text = (await shown()) ?? "";
    return figures.filter((figure) => !text.includes(figure));
  };
  await expect.poll(missing, { timeout: SLOW, interval: 300 }).toEqual([]);
}

/** Tests the wallet page. */
export function walletTests(stage: () => Stage): void {
  performanceTests(stage);
  explanationTests(stage);
  holdingTests(stage);
  accessTests(stage);
}

function performanceTests(stage: () => Stage): void {
  it(
    "shows the performance of the API",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        await agrees(
          () => panel(page, "Performance").textContent(),
          async () => {
            const figures = await totalsOf(stage(), `wallet_address=${wallet}`);
            return [
              formatUsdCompact(figures.total_profit),
              formatUsdCompact(figures.realized_profit),
              formatUsdCompact(figures.unrealized_profit),
              formatUsdCompact(figures.total_buy_volume),
              formatUsdCompact(figures.total_sell_volume),
              formatChange(figures.total_return / 100),
              formatShare(figures.win_rate),
            ];
          },
        );
      });
    },
    LONG,
  );

  it(
    "excludes stablecoins on request, and names them",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        await page.getByLabel("Exclude stablecoins").check();
        const performance = panel(page, "Performance");
        const left = performance.getByText("Excluded:");
        await left.getByRole("link", { name: "USDC", exact: true }).waitFor({ timeout: SLOW });
        await reload(page);
        await left.waitFor({ timeout: SLOW });
        expect(await page.getByLabel("Exclude stablecoins").isChecked()).toBe(true);
        await agrees(
          () => performance.textContent(),
          async () => {
            const figures = await totalsOf(stage(), `wallet_address=${wallet}&total_exclude=true`);
            return [formatUsdCompact(figures.total_profit), formatUsdCompact(figures.total_buy_volume)];
          },
        );
      });
    },
    LONG,
  );

  it(
    "sorts tokens by the selected column",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        const table = panel(page, "Profit and loss by token");
        await table.getByRole("button", { name: "Trades" }).focus({ timeout: SLOW });
        await page.keyboard.press("Enter");
        await table.locator('th[aria-sort="descending"]', { hasText: "Trades" }).waitFor();
        const counts = await table.locator("tbody tr td:nth-child(2)").allTextContents();
        expect(counts.map(Number)).toEqual(counts.map(Number).sort((a, b) => b - a));
        expect(counts.length).toBeGreaterThan(3);
      });
    },
    LONG,
  );
}

function explanationTests(stage: () => Stage): void {
  it(
    "explains how its figures are calculated, and links to their formulas",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        const performance = panel(page, "Performance");
        await performance.getByText("How these figures are calculated").click({ timeout: SLOW });
        // The figures also contain the explanation, as a hint for screen readers.
        const explained = performance.getByRole("group");
        await explained.getByText("at the average price of all purchases").waitFor();
        await performance.getByRole("link", { name: "wallets in the API reference" }).click();
        const heading = page.getByRole("heading", { name: "Wallets", exact: true });
        await heading.waitFor({ timeout: SLOW });
        const top = () => heading.evaluate((element) => element.getBoundingClientRect().top);
        await expect.poll(top, { timeout: SLOW }).toBeGreaterThanOrEqual(0);
        await expect.poll(top, { timeout: SLOW }).toBeLessThan(HEIGHT);
      });
    },
    LONG,
  );
}

function holdingTests(stage: () => Stage): void {
  it(
    "shows exact balances",
    async () => {
      await visit(stage(), `/eth/wallet/${HOLDER}`, async (page) => {
        await agrees(
          () => panel(page, "Balances").textContent(),
          async () => {
            const rows = await stage().api.sql(
              `SELECT balance_base, token_symbol FROM eth_token_balances WHERE wallet_address = '${HOLDER}' AND token_symbol = 'WETH'`,
            );
            return rows.map(({ balance_base }) => formatUnits(String(balance_base), 18));
          },
        );
      });
    },
    LONG,
  );

  it(
    "says that a pool does not trade, and links to the pool",
    async () => {
      await visit(stage(), `/eth/wallet/${HOLDER}`, async (page) => {
        await panel(page, "Performance").getByText("No trades on an indexed DEX").waitFor({ timeout: SLOW });
        await page.getByRole("link", { name: "View pool" }).click();
        await page.waitForURL(`**/eth/pool/${HOLDER}`);
      });
    },
    LONG,
  );

  it(
    "says that an unknown address has no records",
    async () => {
      await visit(stage(), `/eth/wallet/${NOBODY}`, async (page) => {
        await page.getByText("No indexed ERC-20 tokens").waitFor({ timeout: SLOW });
        await page.getByText("No indexed transactions from this address").waitFor({ timeout: SLOW });
        await page.getByText("No ERC-20 transfers to or from this address").waitFor({ timeout: SLOW });
        expect(await accessibilityFindings(page)).toEqual([]);
      });
    },
    LONG,
  );
}

function accessTests(stage: () => Stage): void {
  it(
    "shows new trades live",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        const newest = panel(page, "Latest trades of the wallet").getByRole("row").nth(1);
        const transaction = newest.getByRole("link").last();
        await transaction.waitFor({ timeout: SLOW });
        await agrees(
          async () => transaction.getAttribute("href"),
          async () => {
            const [row] = await stage().api.sql(
              `SELECT transaction_hash FROM eth_dex_trades WHERE trader_address = '${wallet}' ORDER BY record_index DESC LIMIT 1`,
            );
            return [String(row?.transaction_hash)];
          },
        );
        await screenshot(page, "wallet");
      });
    },
    LONG,
  );

  it(
    "pages to older trades",
    async () => {
      const wallet = await busiestTrader(stage());
      await visit(stage(), `/eth/wallet/${wallet}`, async (page) => {
        const rows = panel(page, "Latest trades of the wallet").locator("tbody tr");
        await rows.nth(49).waitFor({ timeout: SLOW });
        await page.getByRole("button", { name: "Older" }).click();
        await page.locator('[data-loading="false"]').filter({ has: rows.first() }).waitFor({ timeout: SLOW });
        const shown = await rows.first().getByRole("link").last().getAttribute("title");
        const trades = await stage().api.sql(
          `SELECT transaction_hash FROM eth_dex_trades WHERE trader_address = '${wallet}'
           ORDER BY record_index DESC LIMIT 200`,
        );
        const place = trades.findIndex(({ transaction_hash }) => transaction_hash === shown);
        expect(place).toBeGreaterThanOrEqual(49);
      });
    },
    LONG,
  );

  readableTests({
    stage,
    name: "wallet",
    path: async () => `/eth/wallet/${await busiestTrader(stage())}`,
    ready: async (page) => {
      await panel(page, "Latest trades of the wallet").waitFor({ timeout: SLOW });
      await panel(page, "Profit and loss by token").waitFor({ timeout: SLOW });
    },
  });
}
