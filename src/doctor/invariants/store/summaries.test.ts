import { expect, it } from "vitest";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import { commitTrades, hexOf, openMarket } from "../../../reads/support/market.ts";
import { STORE_INVARIANTS } from "./store-invariants.ts";

const START = 1_700_000_000;

it("finds tokens whose summary differs from their trades", async () => {
  const market = await openMarket([]);
  try {
    const trades = Array.from({ length: 100 }, (_, i) => ({
      token: hexOf(1 + (i % 3)),
      at: START + i,
      price: 1 + i,
    }));
    await commitTrades(market.store, trades, { firstBlock: 1, finalized: 90 });
    await commitTrades(market.store, [{ token: hexOf(1), at: START + 200, price: 5 }], { firstBlock: 101 });
    const invariant = STORE_INVARIANTS.find(({ name }) => name === "prices summarized");
    const store = { chain: "eth", wrappedNative: hexOf(99), singletons: [] };
    const find = async () => {
      const commit = await market.store.committed();
      return commit === null ? null : invariant?.find({ ...store, engine: market.engine, commit });
    };
    expect(await find()).toEqual([]);
    const examples = async () => (await find())?.map(({ example }) => example);
    await market.engine.execute("ALTER TABLE eth_dex_trades DELETE WHERE block_number = 90" as Sql);
    expect(await find()).toMatchObject(Array(4).fill({ first: 1, last: 90, rows: 1 }));
    expect(await examples()).toEqual([
      `price_token_usd_tick_1 of ${hexOf(3)}`,
      `price_token_usd_tick_1 at a month's end of ${hexOf(3)}`,
      `price_token_usd_robust_tick_1 of ${hexOf(3)}`,
      `price_token_usd_robust_tick_1 at a month's end of ${hexOf(3)}`,
    ]);
    await market.engine.execute("ALTER TABLE eth_dex_trades DELETE WHERE block_number = 2" as Sql);
    expect(await examples()).toContain(`first trade of ${hexOf(2)}`);
  } finally {
    await market.close();
  }
});
