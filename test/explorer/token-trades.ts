import { expect, it } from "vitest";
import { type Stage, screenshot, visit } from "./support/stage.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
/** Timeout for a busy machine, where a late page is slow but not wrong. */
const PATIENT = { timeout: 45_000 };

/** Tests a token's trades: filters, pages and pools. */
export function tokenTradeTests(stage: () => Stage): void {
  it("filters trades, and pages back to older ones", async () => {
    const minUsd = 2_000;
    await visit(stage(), `/eth/token/${WETH}`, async (page) => {
      await page.locator("tbody tr").first().waitFor(PATIENT);
      await page.getByRole("radio", { name: "Sells" }).press("Space");
      await page.getByLabel("Minimum value (USD)").fill("2k");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).toContain(`min_usd=${minUsd}`);
      await expect.poll(() => page.evaluate("document.activeElement.value"), PATIENT).toBe(String(minUsd));
      await page.getByRole("button", { name: "Older" }).click(PATIENT);
      await page.getByText("Older trades").waitFor();
      const rows = page.locator('[data-loading="false"] tbody tr');
      await rows.nth(10).waitFor(PATIENT);
      const hashes = await rows
        .locator('a[href*="/tx/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute("title") ?? ""));
      const [newest, oldest] = [hashes[0], hashes.at(-1)];
      const shown = await stage().api.sql(
        `SELECT record_index, transaction_hash FROM eth_dex_trades WHERE token_address = '${WETH}'
         AND transaction_hash IN ('${newest}', '${oldest}') AND side = 'sell' AND amount_usd >= ${minUsd}
         ORDER BY record_index DESC`,
      );
      const between = await stage().api.sql(
        `SELECT transaction_hash FROM eth_dex_trades WHERE token_address = '${WETH}' AND side = 'sell'
         AND amount_usd >= ${minUsd} AND record_index <= ${shown[0]?.record_index}
         AND record_index >= ${shown.at(-1)?.record_index} ORDER BY record_index DESC`,
      );
      const wanted = between.map((row) => row.transaction_hash);
      expect(wanted.join()).toContain(hashes.join());
      expect(wanted.length - hashes.length).toBeLessThan(5);
      await page.getByRole("button", { name: "Clear" }).click();
      await expect.poll(() => new URL(page.url()).search).toBe("");
    });
  });

  it("keeps the scroll position and the focus when paging", async () => {
    await visit(stage(), `/eth/token/${WETH}`, async (page) => {
      await page.locator("tbody tr").nth(49).waitFor(PATIENT);
      const [older, newer] = ["Older", "Newer"].map((name) => page.getByRole("button", { name }));
      const top = () => older?.evaluate((button) => button.getBoundingClientRect().top);
      const focused = () => page.evaluate("document.activeElement.textContent");
      await older?.focus();
      const place = await top();
      await page.keyboard.press("Enter");
      await page.getByText("Older trades").waitFor();
      await page.locator('[data-loading="false"] tbody tr').nth(49).waitFor(PATIENT);
      expect(await focused()).toBe("Older");
      expect(Math.abs(((await top()) ?? Number.NaN) - (place ?? 0))).toBeLessThan(100);
      await newer?.press("Enter");
      await page.getByText("Latest trades, live").waitFor();
      await page.locator('[data-loading="false"] tbody tr').nth(49).waitFor(PATIENT);
      expect(await newer?.isDisabled()).toBe(true);
      expect(await focused()).toBe("Newer");
    });
  });

  it("offers the pools in which the token is traded, and explains a pool in which it pays", async () => {
    const pools = await poolsOf(stage(), WETH);
    await visit(stage(), `/eth/token/${WETH}?pool_address=${pools.paid[0]}`, async (page) => {
      await page
        .getByText(/^In this pool, WETH pays for \w+, so trades and candles are those of/)
        .first()
        .waitFor(PATIENT);
      await page.getByRole("link", { name: "View pool" }).first().waitFor();
      const options = page.getByRole("combobox", { name: /^Pool/ }).first().locator("option");
      const offered = await options.evaluateAll((found) =>
        found.map((option) => option.getAttribute("value")),
      );
      expect(offered).toEqual(expect.arrayContaining(["all", ...pools.traded]));
      expect(offered.filter((pool) => pools.paid.includes(pool ?? ""))).toEqual([pools.paid[0]]);
      await screenshot(page, "token-pays");
    });
  });
}

/** Returns the pools in which a token is traded, and the pools in which it is only the payment. */
async function poolsOf({ api }: Stage, token: string): Promise<{ traded: string[]; paid: string[] }> {
  const pools = await api.sql<{ pool_address: string }>(
    `SELECT pool_address FROM eth_pool_metadata WHERE token_0_address = '${token}' OR token_1_address = '${token}'`,
  );
  const rows = await api.sql<{ pool_address: string; token_address: string }>(
    `SELECT pool_address, token_address FROM eth_dex_trades WHERE timestamp > NOW() - INTERVAL 20 HOURS
     GROUP BY pool_address, token_address`,
  );
  const addresses = pools.map(({ pool_address }) => pool_address);
  const ofToken = (pool: string) => rows.filter(({ pool_address }) => pool_address === pool);
  const isTraded = (pool: string) => ofToken(pool).some(({ token_address }) => token_address === token);
  return {
    traded: addresses.filter(isTraded),
    paid: addresses.filter((pool) => ofToken(pool).length > 0 && !isTraded(pool)),
  };
}
