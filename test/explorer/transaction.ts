import { expect, it } from "vitest";
import { formatCompact, formatUsd, formatUsdCompact } from "../../explorer/src/format/number.ts";
import { type ApiRow, countsOf, detailOf, rowsOf } from "./support/api-rows.ts";
import { readableTests } from "./support/readable.ts";
import { accessibilityFindings, type Stage, screenshot, visit } from "./support/stage.ts";

/** Returns the transaction with the most trades. */
async function mostTraded(stage: Stage): Promise<string> {
  const query =
    "SELECT transaction_hash, COUNT(*) AS n FROM eth_dex_trades WHERE amount_usd > 1 GROUP BY transaction_hash ORDER BY n DESC LIMIT 1";
  const [row] = await rowsOf(stage, query);
  return String(row?.transaction_hash);
}

async function transactionOf(stage: Stage, hash: string): Promise<ApiRow> {
  const [row] = await rowsOf(stage, `SELECT * FROM eth_transactions WHERE transaction_hash = '${hash}'`);
  return row ?? {};
}

/** Tests the transaction page. */
export function transactionTests(stage: () => Stage): void {
  it("shows the transaction of the API: status, parties, fee, gas, input", async () => {
    const hash = await mostTraded(stage());
    const expected = await transactionOf(stage(), hash);
    await visit(stage(), `/eth/tx/${hash}`, async (page) => {
      await page.getByText("Nonce").waitFor();
      expect(await detailOf(page, "Hash")).toBe(hash);
      expect(await detailOf(page, "From")).toBe(expected.from_address);
      expect(await detailOf(page, "To")).toBe(expected.to_address);
      expect(await detailOf(page, "Method")).toBe(expected.method_id);
      expect(await detailOf(page, "Nonce")).toBe(String(expected.nonce));
      expect(await detailOf(page, "Block")).toContain(Number(expected.block_number).toLocaleString("en-US"));
      const fee = await detailOf(page, "Fee");
      expect(fee).toContain(`${expected.transaction_fee_eth} ETH`);
      expect(fee).toContain(formatUsd(Number(expected.transaction_fee_usd)));
      await page.getByText("Success", { exact: true }).waitFor();
      await page.getByText(/^\d+ bytes$/).click();
      await page.getByText(String(expected.input), { exact: true }).waitFor();
    });
  });

  it("shows the exact value, and the value in US dollars", async () => {
    const [sent] = await rowsOf(
      stage(),
      "SELECT transaction_hash, value_base, value_eth, transaction_fee_usd / transaction_fee_eth AS price FROM eth_transactions WHERE value_eth > 0 AND transaction_fee_usd > 0 ORDER BY record_index DESC LIMIT 1",
    );
    await visit(stage(), `/eth/tx/${sent?.transaction_hash}`, async (page) => {
      await page.getByText("Nonce").waitFor();
      const value = await detailOf(page, "Value");
      const [whole = "", rest = ""] = value.split(" ")[0]?.replaceAll(",", "").split(".") ?? [];
      expect(BigInt(whole + rest.padEnd(18, "0"))).toBe(BigInt(String(sent?.value_base)));
      expect(value).toContain(formatUsd(Number(sent?.value_eth) * Number(sent?.price)));
    });
  });

  listTests(stage);
}

/** Tests the lists of a transaction, including empty ones. */
function listTests(stage: () => Stage): void {
  it("lists trades, transfers and logs with the figures of the API", async () => {
    const hash = await mostTraded(stage());
    const of = (table: string) =>
      rowsOf(stage(), `SELECT * FROM ${table} WHERE transaction_hash = '${hash}' ORDER BY record_index`);
    const [swaps, transfers, logs] = [
      await of("eth_dex_trades"),
      await of("eth_erc20"),
      await of("eth_logs"),
    ];
    await visit(stage(), `/eth/tx/${hash}`, async (page) => {
      expect(await countsOf(page, "Trades")).toBe(swaps.length);
      expect(await countsOf(page, "ERC-20 transfers")).toBe(transfers.length);
      expect(await countsOf(page, "Logs")).toBe(logs.length);
      const rows = page.getByRole("region", { name: "Trades", exact: true }).locator("tbody tr");
      for (const [index, swap] of swaps.entries()) {
        const text = await rows.nth(index).innerText();
        expect(text).toContain(String(swap.side));
        expect(text).toContain(String(swap.token_symbol));
        expect(text).toContain(formatCompact(Number(swap.amount_token)));
        expect(text).toContain(formatUsdCompact(Number(swap.amount_usd)));
        expect(text).toContain(swap.price_token_usd_robust_tick_1 === null ? "outlier" : "accepted");
      }
      const log = page.getByRole("region", { name: /^Logs/ }).locator("li").first();
      await log.locator("summary").click();
      expect(await log.locator("dd").allInnerTexts()).toEqual(
        ["address", "topic_0", "topic_1", "topic_2", "topic_3", "data"]
          .map((field) => logs[0]?.[field])
          .filter((value) => value !== null),
      );
    });
  });

  it("marks outliers and failed transactions", async () => {
    const [failed] = await rowsOf(
      stage(),
      "SELECT transaction_hash FROM eth_transactions WHERE status = 0 ORDER BY record_index DESC LIMIT 1",
    );
    await visit(stage(), `/eth/tx/${failed?.transaction_hash}`, async (page) => {
      await page.getByText("Failed", { exact: true }).waitFor();
      await page.getByText("No trades.").waitFor();
    });
    const [outlier] = await rowsOf(
      stage(),
      "SELECT transaction_hash FROM eth_dex_trades WHERE price_token_usd_robust_tick_1 IS NULL AND amount_usd >= 1 ORDER BY record_index DESC LIMIT 1",
    );
    if (outlier === undefined) return;
    await visit(stage(), `/eth/tx/${outlier.transaction_hash}`, (page) =>
      page.getByText("outlier", { exact: true }).first().waitFor(),
    );
  });

  it("says which blocks it searched for an unknown hash", async () => {
    const hash = `0x${"ab".repeat(32)}`;
    await visit(stage(), `/eth/tx/${hash}`, async (page) => {
      await page
        .getByText(/^No transaction with this hash in blocks 0 to [\d,]+|No transaction with this/)
        .waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, "transaction-unknown");
    });
  });

  readableTests({
    stage,
    name: "transaction",
    path: async () => `/eth/tx/${await mostTraded(stage())}`,
    ready: async (page) => {
      await page.getByText("Nonce").waitFor();
      for (const title of ["Trades", "ERC-20 transfers", "Logs"]) await countsOf(page, title);
    },
  });
}
