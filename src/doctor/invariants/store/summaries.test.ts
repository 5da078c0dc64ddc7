import { expect, it } from "vitest";
import type { Sql } from "../../../engine-sql/sql-text.ts";
import { commitTrades, ETH, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { Engine } from "../../../storage/store.ts";
import { newestCheckpoint, writeCheckpoint } from "../../../storage/summaries/price-summary.ts";
import { STORE_INVARIANTS } from "./store-invariants.ts";

const START = 1_700_000_000;

async function findWrong({ engine, store }: Market, blockNumber?: number) {
  const invariant = STORE_INVARIANTS.find(({ name }) => name === "prices summarized");
  const newest = await store.committed();
  if (newest === null || invariant === undefined) throw new Error("nothing to check");
  const commit = { ...newest, blockNumber: blockNumber ?? newest.blockNumber };
  return invariant.find({ engine, chain: ETH, commit });
}

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
    const find = () => findWrong(market);
    expect(await find()).toEqual([]);
    const examples = async () => (await find())?.map(({ example }) => example);
    await market.engine.execute("ALTER TABLE eth_dex_trades DELETE WHERE block_number = 90" as Sql);
    expect(await find()).toMatchObject(Array(4).fill({ first: 1, last: 90, rows: 1 }));
    expect(await examples()).toEqual([
      `price_token_usd_robust_tick_1 for ${hexOf(3)}`,
      `month-end price_token_usd_robust_tick_1 for ${hexOf(3)}`,
      `price_token_usd_tick_1 for ${hexOf(3)}`,
      `month-end price_token_usd_tick_1 for ${hexOf(3)}`,
    ]);
    await market.engine.execute("ALTER TABLE eth_dex_trades DELETE WHERE block_number = 2" as Sql);
    expect(await examples()).toContain(`first trade for ${hexOf(2)}`);
  } finally {
    await market.close();
  }
});

/** Returns an engine that runs `look` after each statement, because the process may end there. */
function lookingBetween(engine: Engine, look: () => Promise<void>): Engine {
  const execute: Engine["execute"] = async (...args) => {
    await engine.execute(...args);
    await look();
  };
  return { ...boundMethods(engine), execute };
}

function boundMethods(engine: Engine) {
  return {
    query: engine.query.bind(engine),
    stream: engine.stream.bind(engine),
    insert: engine.insert.bind(engine),
    close: engine.close.bind(engine),
  };
}

it("finds nothing wrong wherever a checkpoint is interrupted, and still finds damage there", async () => {
  const market = await openMarket([]);
  const { engine } = market;
  const run = (statement: string) => engine.execute(`${statement} SETTINGS mutations_sync = 1` as Sql);
  try {
    // Prices rise, and there are a second month and a second token, so the second checkpoint changes every
    // part of the summary.
    const trades = Array.from({ length: 40 }, (_, i) => ({
      token: hexOf(i < 20 ? 1 : 1 + (i % 2)),
      at: START + i * 86_400,
      price: 1 + i,
    }));
    await commitTrades(market.store, trades, { firstBlock: 1 });
    await writeCheckpoint(engine, "eth", 20);
    const seen: { complete: number | null; wrong: unknown }[] = [];
    const look = async () => {
      const { complete } = await newestCheckpoint(engine, "eth");
      seen.push({ complete, wrong: await findWrong(market) });
    };
    await writeCheckpoint(lookingBetween(engine, look), "eth", 40);
    const interrupted = Array(6).fill({ complete: 20, wrong: [] });
    expect(seen).toEqual([...interrupted, { complete: 40, wrong: [] }]);

    await run("ALTER TABLE eth_seals DELETE WHERE block_number = 40 AND done = 1");
    await engine.execute("OPTIMIZE TABLE eth_price_extremes FINAL" as Sql);
    expect(await findWrong(market)).toEqual([]);
    await run("ALTER TABLE eth_price_extremes DELETE WHERE extreme = 'lowest'");
    const lost = { first: 1, last: 40, rows: 1, example: expect.stringContaining(hexOf(1)) };
    expect(await findWrong(market)).toEqual([lost, lost]);
  } finally {
    await market.close();
  }
});

it("does not compare a summary that an interrupted rollback left above the newest commit", async () => {
  const market = await openMarket([]);
  try {
    const trades = [1, 2, 3].map((at) => ({ token: hexOf(1), at: START + at, price: at }));
    await commitTrades(market.store, trades, { firstBlock: 1 });
    await writeCheckpoint(market.engine, "eth", 3);
    await market.engine.execute("ALTER TABLE eth_dex_trades DELETE WHERE block_number = 3" as Sql);
    expect(await findWrong(market)).not.toEqual([]);
    expect(await findWrong(market, 2)).toEqual([]);
  } finally {
    await market.close();
  }
});
