import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openStage, type Stage, visit } from "./support/stage.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
/** Days of market history. With so few, the demo is ready within seconds. */
const DAYS = "0.1";

/**
 * Opens each page and fails on browser warnings. test/explorer/explorer.test.ts tests the pages in detail.
 */
describe.skipIf(!hasChromium)("the explorer's pages, in a browser", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage(DAYS);
  }, 180_000);

  afterAll(() => stage?.close());

  async function pathsOfThings(): Promise<string[]> {
    const [trade] = await stage.api.sql<Record<string, string>>(
      `SELECT trader_address, transaction_hash, pool_address, block_number FROM eth_dex_trades
       WHERE token_address = '${WETH}' ORDER BY record_index DESC LIMIT 1`,
    );
    return [
      `/eth/token/${WETH}`,
      `/eth/pool/${trade?.pool_address}`,
      `/eth/wallet/${trade?.trader_address}`,
      `/eth/tx/${trade?.transaction_hash}`,
      `/eth/block/${trade?.block_number}`,
    ];
  }

  it("lists tokens and trades on the first page, animated", async () => {
    const look = async (page: Page) => {
      await page.locator("tbody tr").first().waitFor();
      expect(await page.locator("tbody tr").count()).toBeGreaterThan(1);
    };
    await visit(stage, "/eth", look, { reducedMotion: "no-preference" });
  });

  it("has a page for a token, a pool, a wallet, a transaction and a block", async () => {
    for (const path of await pathsOfThings()) {
      await visit(stage, path, async (page) => {
        await page.locator("main h1").waitFor();
        await page.locator("main :is(dd, td, canvas)").first().waitFor();
      });
    }
  });

  it("runs SQL and shows the rows", async () => {
    const query = "SELECT block_number FROM eth_blocks WHERE block_number < 5 ORDER BY block_number";
    await visit(stage, `/sql?${new URLSearchParams({ query })}`, async (page) => {
      await page.getByRole("grid").getByText("4", { exact: true }).first().waitFor();
    });
  });
});
