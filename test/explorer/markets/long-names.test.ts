import { afterAll, beforeAll, describe, it } from "vitest";
import { commitTrades, hexOf, type Market, openMarket } from "../../../src/reads/support/market.ts";
import { poolRow, tokenRow } from "../../../src/reads/support/metadata-rows.ts";
import { expectNoOverflow } from "../support/readable.ts";
import { hasChromium, openStageOf, type Stage, visit } from "../support/stage.ts";

const AT = 1_704_412_800;
const [LONG, CASH] = [hexOf(0xa1), hexOf(0xa2)];
const POOL = hexOf(0xb1);
const WALLET = hexOf(0x77);
/** As long as a stored symbol can be, without a place at which a line could break. */
const SYMBOL = "SUPERCALIFRAGILISTICEXPIALIDOCIOUS".repeat(8).slice(0, 256);
/** Timeout for pages on a busy machine. */
const SLOW = { timeout: 30_000 };

describe.skipIf(!hasChromium)("a token with a very long symbol, in a browser", () => {
  let market: Market;
  let stage: Stage;

  beforeAll(async () => {
    market = await openMarket([]);
    const trade = { token: LONG, at: AT, price: 1, usd: 700, trader: WALLET, pool: POOL };
    await commitTrades(market.store, [trade], {
      firstBlock: 1,
      rows: {
        token_metadata: [
          tokenRow(LONG, [1, 10], { token_symbol: SYMBOL, token_name: SYMBOL }),
          tokenRow(CASH, [1, 11], { token_symbol: "CASH" }),
        ],
        pool_metadata: [poolRow(POOL, [LONG, CASH], [1, 12])],
      },
    });
    stage = await openStageOf({ engine: market.engine, chains: market.chains });
  }, 120_000);

  afterAll(async () => {
    await stage?.close();
    await market?.close();
  });

  it.each([
    ["token", `token/${LONG}`, "Latest trades"],
    ["pool", `pool/${POOL}`, "Composition"],
    ["wallet", `wallet/${WALLET}`, "Profit by token"],
  ])(
    "does not widen the page of the %s",
    async (_, path, title) => {
      await visit(stage, `/eth/${path}`, async (page) => {
        await page.getByRole("heading", { name: title }).waitFor(SLOW);
        await page.getByText(SYMBOL.slice(0, 30)).first().waitFor(SLOW);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 850 });
          await expectNoOverflow(page);
        }
      });
    },
    120_000,
  );
});
