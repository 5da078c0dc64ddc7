import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../src/reads/support/market.ts";
import { hasChromium, openStageOf, type Stage, visit } from "../support/stage.ts";

const AT = 1_704_412_800;
const OAK = hexOf(0xa1);
const WALLET = hexOf(0x77);
/** Timeout for updates that are slow on a busy machine. */
const SLOW = { timeout: 30_000 };

describe.skipIf(!hasChromium)("a wallet with more trades than one request counts, in a browser", () => {
  let market: Market;
  let stage: Stage;

  beforeAll(async () => {
    const trade = { token: OAK, at: AT, price: 1, usd: 700, trader: WALLET };
    market = await openMarket([trade, { ...trade, at: AT + 7_200, side: "sell" }]);
    stage = await openStageOf({ engine: market.engine, chains: market.chains });
  }, 120_000);

  afterAll(async () => {
    await stage?.close();
    await market?.close();
  });

  it("has figures of its latest trades, which do not pass for all", async () => {
    await visit(stage, "/eth", async (page) => {
      // The service responds like this for a wallet with more than 100,000 trades, which would take minutes
      // to make.
      await page.route("**/batch-latest-total-performance*", (route) =>
        route.fulfill({ json: { data: {}, remainder: [WALLET] } }),
      );
      await page.goto(`${stage.url}/eth/wallet/${WALLET}`);
      await page.getByRole("button", { name: "Use the latest 100,000 trades" }).click(SLOW);
      const flow = page.getByRole("region", { name: "Cash flow" });
      await flow.getByText("Begins with the earliest of the latest 100,000 trades.").waitFor(SLOW);
      await flow
        .getByLabel(/^Cash flow of the wallet per /)
        .first()
        .waitFor(SLOW);
      await page.getByText("Includes only the latest 100,000 trades.").waitFor(SLOW);
      expect(await page.getByText("Over 100,000").count()).toBe(1);
    });
  }, 120_000);
});
