import { expect, it } from "vitest";
import { countsOf, detailOf, rowsOf } from "./support/api-rows.ts";
import { readableTests } from "./support/readable.ts";
import { accessibilityFindings, type Stage, visit } from "./support/stage.ts";

/** Tests the block page. */
export function blockTests(stage: () => Stage): void {
  const busiest = async (): Promise<number> => {
    const [row] = await rowsOf(
      stage(),
      "SELECT block_number, COUNT(*) AS n FROM eth_dex_trades GROUP BY block_number ORDER BY n DESC LIMIT 1",
    );
    return Number(row?.block_number);
  };

  it("shows the header of the API, and whether the block is final", async () => {
    const number = await busiest();
    const [block] = await rowsOf(stage(), `SELECT * FROM eth_blocks WHERE block_number = ${number}`);
    await visit(stage(), `/eth/block/${number}`, async (page) => {
      await page.getByRole("heading", { name: `Block ${grouped(number)}`, exact: true }).waitFor();
      expect(await detailOf(page, "Hash")).toBe(block?.block_hash);
      expect(await detailOf(page, "Parent")).toBe(block?.parent_hash);
      expect(await detailOf(page, "Fee recipient")).toBe(block?.miner);
      expect(await detailOf(page, "Time")).toContain(String(block?.timestamp).slice(0, 19).replace("T", " "));
      expect(await detailOf(page, "Size")).toBe(`${grouped(Number(block?.size))} bytes`);
      expect(await detailOf(page, "Gas used")).toContain(
        `${grouped(Number(block?.gas_used))} of ${grouped(Number(block?.gas_limit))}`,
      );
      expect(Number((await detailOf(page, "Base fee")).replace(" gwei", "")) * 1e9).toBeCloseTo(
        Number(block?.base_fee_per_gas),
        0,
      );
      await page.getByText("Final", { exact: true }).waitFor();
      expect(await page.title()).toBe(`Block ${grouped(number)} · eth · Quarry`);
    });
  });

  it("lists all transactions, trades and transfers, page by page", async () => {
    const number = await busiest();
    await visit(stage(), `/eth/block/${number}`, async (page) => {
      for (const [title, table] of Object.entries(LISTS)) {
        const [count] = await rowsOf(
          stage(),
          `SELECT COUNT(*) AS n FROM ${table} WHERE block_number = ${number}`,
        );
        expect(await countsOf(page, title), title).toBe(Number(count?.n));
      }
    });
  });

  it("links to the previous and the next block", async () => {
    await visit(stage(), "/eth/block/5", async (page) => {
      await page.getByRole("link", { name: "Next →" }).click();
      await page.getByRole("heading", { name: "Block 6", exact: true }).waitFor();
      await page.getByRole("link", { name: "← Previous" }).click();
      await page.getByRole("heading", { name: "Block 5", exact: true }).waitFor();
      const [parent] = await rowsOf(stage(), "SELECT parent_hash FROM eth_blocks WHERE block_number = 5");
      await page.getByRole("link", { name: String(parent?.parent_hash) }).click();
      await page.getByRole("heading", { name: "Block 4", exact: true }).waitFor();
    });
    await visit(stage(), "/eth/block/0", async (page) => {
      await page.getByText("None: this is the first block").waitFor();
      expect(await page.getByRole("link", { name: "← Previous" }).count()).toBe(0);
    });
  });

  it("says that a block does not exist yet, and shows it once it does", async () => {
    const [newest] = await rowsOf(stage(), "SELECT MAX(block_number) AS n FROM eth_blocks");
    const next = Number(newest?.n) + 4;
    await visit(stage(), `/eth/block/${next}`, async (page) => {
      await page
        .getByText(/^(Beyond the latest block|Not indexed yet)\. The index reaches block [\d,]+/)
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByText("Fee recipient").waitFor({ timeout: 45_000 });
      await page.getByText(/^Not final: \d+ blocks? to go$/).waitFor();
    });
  });

  readableTests({
    stage,
    name: "block",
    path: async () => `/eth/block/${await busiest()}`,
    ready: async (page) => {
      await page.getByText("Fee recipient").waitFor();
      for (const title of Object.keys(LISTS)) await countsOf(page, title);
    },
  });
}

const LISTS = {
  Transactions: "eth_transactions",
  Trades: "eth_dex_trades",
  "ERC-20 transfers": "eth_erc20",
  "NFT transfers": "eth_erc721",
};

function grouped(number: number): string {
  return new Intl.NumberFormat("en-US").format(number);
}
