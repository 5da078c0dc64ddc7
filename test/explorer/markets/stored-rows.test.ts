import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
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
import {
  randomVaultLog,
  registration,
  VAULT_FACTORIES,
  type VaultLog,
} from "../../../src/reads/support/vault-logs.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import type { RowOf } from "../../../src/schema/tables.ts";
import { hasChromium, openStageOf, type Stage, screenshot, visit } from "../support/stage.ts";

const START = 1_704_412_800;
/** Three blocks. The transactions, logs and transfers of the first were pruned. */
const [OLD, NEW, LAST] = [1, 2, 3];
const AT = (block: number) => START + 12 * block;

const NAMES = ["OAK", "ASH", "ELM", "FIR"] as const;
const TOKENS = [0xa1, 0xa2, 0xa3, 0xa4].map((number) => hexOf(number));
const [OAK, , ELM] = TOKENS as [Hex, Hex, Hex, Hex];
/** Two Balancer V2 pools: one with three tokens, one with four. */
const [OF_THREE, OF_FOUR] = [hexOf(0xb3), hexOf(0xb4)];
const WALLET = hexOf(0x77);
const LOGS = 120;

/** Returns the hash of the transaction with a block's first trade. */
const hashIn = (block: number) => hexOf(block * 1000, 32);
/** Another transaction of the newest block, with fewer logs. */
const QUIET = hexOf(LAST * 1000 + 1, 32);
const QUIET_LOGS = 60;

const transaction = (transaction_hash: Hex, index: number, fee: number): RowOf<"transactions"> => ({
  ...{ timestamp: AT(LAST), transaction_hash, transaction_index: index, block_number: LAST },
  ...{ block_hash: hashOf(LAST), from_address: WALLET, to_address: OAK, contract_address: null },
  ...{ value_base: 0n, value_eth: 0, nonce: 0, input: "0x", method_id: null, type: 2, status: 1 },
  ...{ gas_limit: 21_000n, gas_used: 21_000, gas_price: 1n, max_fee_per_gas: null },
  ...{ max_priority_fee_per_gas: null, transaction_fee_eth: fee, transaction_fee_usd: null },
  record_index: recordIndexOf("wide", LAST, 500 + index),
});

/** Makes the logs of a transaction, from a contract that is not a pool. */
function logsOf(transaction_hash: Hex, count: number): VaultLog[] {
  const log = {
    ...registration({ pool: OF_THREE, family: "balancer-v2" }, { number: LAST, at: AT(LAST) }),
    address: hexOf(0xc0),
  };
  return Array.from({ length: count }, () => ({ ...log, transaction_hash }));
}

/** Makes the logs of a pool's registration, and of a join that adds one of each of the pool's tokens. */
function poolLogs(pool: Hex, tokens: readonly Hex[]): VaultLog[] {
  const place = { number: NEW, at: AT(NEW) };
  const one = { pool, tokens, family: "balancer-v2" as const };
  return [registration(one, place), randomVaultLog(one, place, (limit) => limit - 1)];
}

const vaultPool = (pool: Hex, tokens: readonly Hex[], ordinal: number) =>
  poolRow(pool, tokens, [NEW, ordinal], {
    ...{
      protocol: "balancer_v2",
      family: "balancer-v2",
      factory_address: VAULT_FACTORIES["balancer-v2"],
      fee: null,
    },
    ...{ block_number_created: NEW, timestamp_created: AT(NEW) },
  });

async function openStoredMarket(): Promise<Market> {
  const market = await openMarket([]);
  const trades = [OLD, NEW, LAST].flatMap((block) =>
    TOKENS.map((token, i) => ({ token, at: AT(block), price: i + 1, usd: 100, trader: WALLET })),
  );
  const pools = [vaultPool(OF_THREE, TOKENS.slice(0, 3), 11), vaultPool(OF_FOUR, TOKENS, 12)];
  const logs = [
    ...poolLogs(OF_THREE, TOKENS.slice(0, 3)),
    ...poolLogs(OF_FOUR, TOKENS),
    ...logsOf(hashIn(LAST), LOGS),
    ...logsOf(QUIET, QUIET_LOGS),
  ];
  await commitTrades(market.store, trades, {
    firstBlock: OLD,
    rows: {
      token_metadata: TOKENS.map((token, i) =>
        tokenRow(token, [OLD, 10 + i], { token_symbol: NAMES[i] ?? "" }),
      ),
      pool_metadata: pools,
      transactions: [transaction(hashIn(LAST), 0, 0.001), transaction(QUIET, 1, 2.1e-7)],
      logs: logs.map((log, i) => ({
        ...log,
        log_index: i,
        record_index: recordIndexOf("wide", log.block_number, 20 + i),
      })),
      // Anyone can send tokens to the address of a pool.
      token_balances: [balanceRow([OF_THREE, ELM], 5, [NEW, 300], AT(NEW))],
    },
  });
  return market;
}

const DEPLOYMENT = {
  ...{ protocol: "balancer_v2", family: "balancer-v2" as const, factory: VAULT_FACTORIES["balancer-v2"] },
  ...{
    vault: "0xba12222222228d8ba445958a75a0704d566bf2c8" as Hex,
    initCodeHash: null,
    fee: null,
    firstBlock: 0,
  },
};
const PRUNED: Chain = { ...ETH, deployments: [DEPLOYMENT], scope: { keep: "all", rawFrom: NEW } };
const TRADES: Chain = { ...ETH, scope: { keep: "trades", rawFrom: 0 } };

const panel = (page: Page, title: string) => page.getByRole("region", { name: title }).first();
const says = (page: Page, title: string, text: RegExp) => panel(page, title).getByText(text).waitFor();

describe.skipIf(!hasChromium)("an index without the rows of some blocks, in a browser", () => {
  let market: Market;
  let pruned: Stage;
  let trades: Stage;

  beforeAll(async () => {
    market = await openStoredMarket();
    const { engine, store } = market;
    pruned = await openStageOf({ engine, chains: [{ chain: PRUNED, store }] });
    trades = await openStageOf({ engine, chains: [{ chain: TRADES, store }] });
  }, 240_000);

  afterAll(async () => {
    await pruned?.close();
    await trades?.close();
    await market?.close();
  });

  it("says that the transaction of a trade was pruned, and shows the trade", async () => {
    await visit(pruned, `/eth/tx/${hashIn(OLD)}`, async (page) => {
      await says(
        page,
        "Summary",
        /^The transactions of blocks before 2 were pruned\. Of this transaction, only/,
      );
      await panel(page, "Trades").locator("tbody tr").first().waitFor();
      await screenshot(page, "transaction-pruned");
    });
    await visit(pruned, `/eth/tx/${hexOf(5, 32)}`, (page) =>
      says(
        page,
        "Transaction not found",
        /in blocks 2 to 3 of eth\. Transactions in earlier blocks were pruned/,
      ),
    );
  });

  it("says which rows of a block were pruned", async () => {
    await visit(pruned, `/eth/block/${OLD}`, async (page) => {
      await says(page, "Transactions", /^The transactions of blocks before 2 were pruned\.$/);
      await says(page, "ERC-20 transfers", /^The ERC-20 transfers of blocks before 2 were pruned\.$/);
      await says(page, "NFT transfers", /^The NFT transfers of blocks before 2 were pruned\.$/);
      await panel(page, "Trades").locator("tbody tr").first().waitFor();
      await screenshot(page, "block-pruned");
    });
    await visit(pruned, `/eth/block/${LAST}`, (page) =>
      panel(page, "Transactions").locator("tbody tr").nth(1).waitFor(),
    );
  });

  it("shows the trades of an index that stores no transactions, and no errors", async () => {
    await visit(trades, `/eth/tx/${hashIn(LAST)}`, async (page) => {
      await says(
        page,
        "Summary",
        /does not store transactions: .* --keep trades\. Of this transaction, only/,
      );
      await panel(page, "Trades").locator("tbody tr").first().waitFor();
      await screenshot(page, "transaction-trades-only");
    });
    await visit(trades, `/eth/block/${LAST}`, async (page) => {
      await says(page, "NFT transfers", /does not store NFT transfers/);
      await panel(page, "Trades").locator("tbody tr").first().waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    });
    await visit(trades, `/eth/wallet/${WALLET}`, async (page) => {
      await says(page, "Latest transactions", /does not store transactions/);
      await says(page, "Latest transfers", /does not store ERC-20 transfers/);
      expect(await page.getByRole("alert").count()).toBe(0);
    });
  });

  it("shows a small fee with all its digits", async () => {
    await visit(pruned, `/eth/tx/${QUIET}`, (page) => says(page, "Summary", /^0\.00000021 ETH/));
  });

  it("begins at the first page of each transaction", async () => {
    await visit(pruned, `/eth/tx/${QUIET}`, async (page) => {
      const logs = panel(page, "Logs");
      await logs.getByText("1 to 50").waitFor();
      await page.getByRole("combobox", { name: "Search" }).fill(hashIn(LAST));
      await page
        .getByRole("option", { name: /block 3/ })
        .first()
        .click();
      await page.getByText(hashIn(LAST)).first().waitFor();
      for (const range of ["51 to 100", "101 to 120"]) {
        await logs.getByRole("button", { name: "Next" }).click();
        await logs.getByText(range).waitFor();
      }
      await page.goBack();
      await page.getByText(QUIET).first().waitFor();
      await logs.getByText("1 to 50").waitFor();
    });
  });

  it("values the other tokens of a pool in a vault without what was sent to its address", async () => {
    await visit(pruned, `/eth/pool/${OF_THREE}`, async (page) => {
      const composition = panel(page, "Composition");
      await composition.getByText("$6.00").waitFor();
      const elm = composition.locator("dl").filter({ hasText: "ELM" });
      expect(await elm.locator("dd").allTextContents()).toEqual(["$3.00 50.0 %", "1", "at $3.0000"]);
      expect(await composition.textContent()).not.toContain("The value is unknown");
      await screenshot(page, "pool-in-vault");
    });
    await visit(pruned, `/eth/pool/${OF_FOUR}`, async (page) => {
      const composition = panel(page, "Composition");
      await composition.getByText("$10.00").waitFor();
      const others = composition.locator("dl").filter({ hasText: "together" });
      expect(await others.locator("dd").allTextContents()).toEqual(["$7.00 70.0 %", "together"]);
      expect(await others.getByRole("link").count()).toBe(2);
      await screenshot(page, "pool-of-four");
    });
  });
});
