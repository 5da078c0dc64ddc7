import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../../src/lib/hex.ts";
import {
  commitTrades,
  ETH,
  hashOf,
  hexOf,
  type Market,
  openMarket,
} from "../../../src/reads/support/market.ts";
import { balanceRow, poolRow, tokenRow } from "../../../src/reads/support/metadata-rows.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import type { RowOf } from "../../../src/schema/tables.ts";
import { WASH } from "../../../src/sql/verdicts/wash.ts";
import { list } from "../support/lists.ts";
import {
  accessibilityFindings,
  hasChromium,
  openStageOf,
  type Stage,
  screenshot,
  visit,
} from "../support/stage.ts";

const AT = 1_704_412_800;
const BLOCK = 1;
const WETH = ETH.wrappedNative;
const OAK = hexOf(0xa1);
/** A token that imitates the symbol of a listed token. */
const FAKE = hexOf(0xa2);
/** A token whose name is a link, and that has no trades. */
const GIFT = hexOf(0xa3);
const [OAK_POOL, FAKE_POOL, WASH_POOL] = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3)];
const WALLET = hexOf(0x77);
const GIVEN = hexOf(0xfeed, 32);
/** Timeout for updates that are slow on a busy machine. */
const SLOW = { timeout: 30_000 };
const SPAM = /^Probably spam: /;

const token = (address: Hex, symbol: string, ordinal: number) =>
  tokenRow(address, [BLOCK, ordinal], { token_symbol: symbol, token_name: `${symbol} token` });

const pool = (address: Hex, of: Hex, ordinal: number) => poolRow(address, [of, WETH], [BLOCK, ordinal]);

const held = (of: Hex, ordinal: number) => balanceRow([WALLET, of], 1, [BLOCK, ordinal], AT);

const sent = (of: Hex, ordinal: number): RowOf<"erc20"> => ({
  ...{ record_index: recordIndexOf("wide", BLOCK, ordinal), transaction_hash: GIVEN, transaction_index: 0 },
  ...{ block_number: BLOCK, timestamp: AT, from_address: hexOf(9), to_address: WALLET, log_index: ordinal },
  ...{ token_address: of, token_symbol: null, token_name: null },
  ...{ value_base: 10n ** 18n, value_token: 1, value_usd: null },
});

const TRANSACTION: RowOf<"transactions"> = {
  ...{ timestamp: AT, transaction_hash: GIVEN, transaction_index: 0, block_number: BLOCK },
  ...{ block_hash: hashOf(BLOCK), from_address: hexOf(9), to_address: GIFT, contract_address: null },
  ...{ value_base: 0n, value_eth: 0, nonce: 0, input: "0x", method_id: null, type: 2, status: 1 },
  ...{ gas_limit: 21_000n, gas_used: 21_000, gas_price: 1n, max_fee_per_gas: null },
  ...{ max_priority_fee_per_gas: null, transaction_fee_eth: 0.001, transaction_fee_usd: null },
  record_index: recordIndexOf("wide", BLOCK, 11),
};

/** Opens a market with two spam tokens, and a pool in which one trader trades with itself. */
async function openSuspiciousMarket(): Promise<Market> {
  const market = await openMarket([]);
  const washed = Array.from({ length: WASH.minTrades }, () => ({
    ...{ token: OAK, at: AT, price: 1, usd: 100, pool: WASH_POOL },
  }));
  const trades = [
    { token: OAK, at: AT, price: 1, usd: 700, pool: OAK_POOL, trader: WALLET },
    { token: FAKE, at: AT, price: 1, robust: null, usd: 1e6, pool: FAKE_POOL, trader: WALLET },
    ...washed,
  ];
  await commitTrades(market.store, trades, {
    firstBlock: BLOCK,
    rows: {
      token_metadata: [
        ...[token(WETH, "WETH", 0), token(OAK, "OAK", 1)],
        ...[token(FAKE, "WETH", 2), token(GIFT, "gift-claim.com", 3)],
      ],
      pool_metadata: [pool(OAK_POOL, OAK, 4), pool(FAKE_POOL, FAKE, 5), pool(WASH_POOL, OAK, 6)],
      token_balances: [held(OAK, 7), held(GIFT, 8)],
      erc20: [sent(OAK, 9), sent(GIFT, 10)],
      transactions: [TRANSACTION],
    },
  });
  return market;
}

const panel = (page: Page, title: string) => page.getByRole("region", { name: title }).first();

/** Returns the addresses of the tokens in a list. */
const tokensIn = (page: Page, title: string): Promise<string[]> =>
  panel(page, title)
    .locator('tbody a[href*="/token/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("/").at(-1) ?? ""));

/** Expects a list to hide a token at first, and to show it after a click. */
async function expectHidden(page: Page, title: string, visible: Hex[], hidden: Hex): Promise<void> {
  const toggle = panel(page, title).getByLabel("Show 1 hidden");
  await toggle.waitFor();
  await expect.poll(() => tokensIn(page, title), SLOW).toEqual(visible);
  await toggle.check();
  await expect
    .poll(async () => (await tokensIn(page, title)).sort(), SLOW)
    .toEqual([...visible, hidden].sort());
  await toggle.uncheck();
  await expect.poll(() => tokensIn(page, title), SLOW).toEqual(visible);
}

describe.skipIf(!hasChromium)("verdicts on tokens and pools, in a browser", () => {
  let market: Market;
  let stage: Stage;

  beforeAll(async () => {
    market = await openSuspiciousMarket();
    stage = await openStageOf({ engine: market.engine, chains: market.chains });
  }, 120_000);

  afterAll(async () => {
    await stage?.close();
    await market?.close();
  });

  it("hide spam in the list of traded tokens until it is wanted", async () => {
    await visit(stage, "/eth", async (page) => {
      await expectHidden(page, "Top tokens", [OAK], FAKE);
      await panel(page, "Top tokens").getByLabel("Show 1 hidden").check();
      const marked = list(page, "Top tokens").rows.filter({ has: page.getByText("spam", { exact: true }) });
      await expect.poll(() => marked.locator("a").first().getAttribute("title"), SLOW).toContain(FAKE);
      expect(await marked.count()).toBe(1);
      await screenshot(page, "spam-shown");
    });
  });

  it("hide spam among a wallet's balances and transfers, and a transaction's", async () => {
    await visit(stage, `/eth/wallet/${WALLET}`, async (page) => {
      await expectHidden(page, "Latest transfers", [OAK], GIFT);
      await screenshot(page, "spam-wallet");
      await expectHidden(page, "Balances", [OAK], GIFT);
    });
    await visit(stage, `/eth/tx/${GIVEN}`, async (page) => {
      await expectHidden(page, "ERC-20 transfers", [OAK], GIFT);
    });
  });

  it("hide spam in the search until it is wanted", async () => {
    await visit(stage, "/eth", async (page) => {
      await page.getByRole("combobox", { name: "Search" }).fill("weth token");
      const found = page.getByRole("option").filter({ hasText: "WETH token" });
      const toggle = page.getByText("Probably spam.").getByLabel("Show 1 hidden");
      await toggle.waitFor();
      expect(await found.count()).toBe(1);
      await toggle.check();
      await expect.poll(() => found.count(), SLOW).toBe(2);
      expect(await found.getByText("spam", { exact: true }).count()).toBe(1);
      expect(await found.last().textContent()).toMatch(/spam.*00a2$/);
      await screenshot(page, "spam-search");
    });
  });

  it.each([
    [FAKE, "the symbol of a listed token"],
    [GIFT, "a link in its name"],
  ])("leave the page of spam token %s open, with the reason", async (address, reason) => {
    await visit(stage, `/eth/token/${address}`, async (page) => {
      const badge = page.getByText(SPAM);
      await badge.waitFor();
      expect(await badge.textContent()).toContain(reason);
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, `spam-${address.slice(-2)}`);
    });
  });

  it("find nothing about an honest token", async () => {
    await visit(stage, `/eth/token/${OAK}`, async (page) => {
      await page.getByText("$1.00").first().waitFor();
      expect(await page.getByText(SPAM).count()).toBe(0);
    });
  });

  it("leave wash trades out of volume where asked, and mark their pool", async () => {
    await visit(stage, "/eth", async (page) => {
      const volume = () => list(page, "Top tokens").rows.first().locator("td").nth(4).textContent();
      await expect.poll(volume, SLOW).toBe("$50.70k");
      await page.getByLabel("No wash trades").check();
      await expect.poll(volume, SLOW).toBe("$700.00");
    });
    await visit(stage, `/eth/pool/${WASH_POOL}`, (page) => page.getByText("Probably wash trading").waitFor());
    await visit(stage, `/eth/pool/${OAK_POOL}`, async (page) => {
      await page.getByText("24 h volume").waitFor();
      expect(await page.getByText("Probably wash trading").count()).toBe(0);
    });
  });
});
