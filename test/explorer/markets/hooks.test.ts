import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import {
  CHERT,
  DOLLARS,
  ETHER,
  HOOKS,
  type HookedMarket,
  openHookedMarket,
} from "../../support/markets/hooked-market.ts";
import { poolIdOf } from "../../support/markets/uniswap-v4.ts";
import { readableTests } from "../support/readable.ts";
import { hasChromium, openStageOf, type Stage, visit } from "../support/stage.ts";

const PATH = `/hooked/pool/${poolIdOf(DOLLARS)}`;
const REASON =
  "The pool's hook may change what the swapper pays and receives, and the transaction's transfers do not show the amounts.";

const panel = (page: Page, title: string) => page.getByRole("region", { name: title });
const rowsOf = (page: Page, title: string) => panel(page, title).locator("tbody tr");

/** Returns the text of each of a row's cells that shows an unknown amount with its reason. */
async function unknownIn(page: Page, title: string, row: number): Promise<(string | null)[]> {
  const cells = rowsOf(page, title).nth(row).getByTitle(REASON);
  await cells.first().waitFor();
  return cells.allTextContents();
}

describe.skipIf(!hasChromium)("Uniswap V4 pools whose hook changes amounts, in a browser", () => {
  let market: HookedMarket;
  let stage: Stage;

  beforeAll(async () => {
    market = await openHookedMarket();
    const { engine, chain } = market;
    stage = await openStageOf({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
  }, 180_000);

  afterAll(async () => {
    await stage?.close();
    await market?.close();
  });

  it("shows the hook, its permissions and what they mean for amounts", async () => {
    await visit(stage, PATH, async (page) => {
      const hook = panel(page, "Hook");
      await hook.getByRole("note").waitFor();
      expect(await hook.getByRole("note").textContent()).toMatch(/^This hook may change what swappers pay/);
      expect(await hook.locator("dt").allTextContents()).toEqual(["after swap", "after swap returns delta"]);
      await hook.getByRole("link", { name: HOOKS }).click();
      await page.getByRole("heading", { name: "Wallet" }).waitFor();
      expect(page.url()).toBe(`${stage.url}/hooked/wallet/${HOOKS}`);
    });
  });

  it("shows the amounts that transfers show, and why the others are unknown", async () => {
    await visit(stage, PATH, async (page) => {
      const rows = rowsOf(page, "Latest trades");
      await rows.nth(2).waitFor();
      expect(await unknownIn(page, "Latest trades", 0)).toEqual(Array(2).fill(`unknown: ${REASON}`));
      const [, second, first] = await rows.allTextContents();
      expect([first, second].join(" ")).not.toContain("unknown");
      expect(first).toContain("$2.96");
      expect(second).toContain("$3.00");
    });
  });

  it("has neither candles nor a price where no amount is known", async () => {
    await visit(stage, `/hooked/pool/${poolIdOf(ETHER)}`, async (page) => {
      await page.getByText("No trade in this pool has a price yet.").waitFor();
      expect(await unknownIn(page, "Latest trades", 0)).toHaveLength(2);
    });
  });

  it("says so on the pages of the token, the wallet, the block and the transaction", async () => {
    const [trade] = await stage.api.sql<{ transaction_hash: string; block_number: number }>(
      `SELECT transaction_hash, block_number FROM hooked_dex_trades
       WHERE amounts_unknown_reason IS NOT NULL ORDER BY record_index LIMIT 1`,
    );
    for (const path of [`token/${CHERT}`, `wallet/${market.node.trader}`])
      await visit(stage, `/hooked/${path}`, async (page) => {
        expect(await unknownIn(page, "Latest trades", 0)).toHaveLength(1);
      });
    for (const path of [`block/${trade?.block_number}`, `tx/${trade?.transaction_hash}`])
      await visit(stage, `/hooked/${path}`, async (page) => {
        const trades = page.getByRole("region", { name: "Trades", exact: true }).last();
        await trades.getByTitle(REASON).nth(1).waitFor();
        const verdict = trades.getByText("no price", { exact: true });
        expect(await verdict.getAttribute("title")).toBe(
          "Has no price, because the value paid or the amount is unknown.",
        );
      });
  });

  readableTests({
    stage: () => stage,
    name: "pool-with-hook",
    path: () => PATH,
    ready: (page) => rowsOf(page, "Latest trades").nth(2).waitFor(),
  });
});
