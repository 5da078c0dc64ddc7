import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { ChainStore } from "../../storage/store.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../support/market.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(5);
const trades = (count: number, price: number) =>
  Array.from({ length: count }, (_, i) => ({ token: TOKEN, at: AT + i, price }));

let market: Market;

beforeAll(async () => {
  market = await openMarket(trades(3, 1));
});
afterAll(() => market.close());

async function pricesUpTo(snapshot: Snapshot): Promise<number[]> {
  const rows = await snapshot.query<{ price: number }>(
    sql`SELECT price_token_usd_tick_1 AS price FROM ${snapshot.table("dex_trades")} WHERE block_number <= ${integer(snapshot.commit.blockNumber)} ORDER BY record_index`,
  );
  return rows.map(({ price }) => price);
}

let fork = 0;

/** Rolls back all but the first block, and stores another fork. */
async function refork(store: ChainStore): Promise<void> {
  fork++;
  await store.rollback({ number: 1000, hash: hashOf(1000), timestamp: AT });
  await commitTrades(store, [{ token: TOKEN, at: AT + 5, price: 9 }], { firstBlock: 1001, fork });
  await commitTrades(store, [{ token: TOKEN, at: AT + 6, price: 9 }], { firstBlock: 1002, fork });
}

describe("readSnapshot", () => {
  it("reads once, as of the newest commit, while further commits follow", async () => {
    let reads = 0;
    const { answer, asOf } = await readSnapshot(market, "eth", {}, async (snapshot) => {
      reads++;
      await commitTrades(market.store, [{ token: TOKEN, at: AT + 3, price: 2 }], { firstBlock: 1003 });
      return pricesUpTo(snapshot);
    });
    expect([answer, asOf?.blockNumber, reads]).toEqual([[1, 1, 1], 1002, 1]);
  });

  it("retries when the chain is rolled back during the read", async () => {
    let reads = 0;
    const { answer, asOf } = await readSnapshot(market, "eth", {}, async (snapshot) => {
      if (++reads === 1) await refork(market.store);
      return pricesUpTo(snapshot);
    });
    expect([answer, asOf?.blockNumber, reads]).toEqual([[1, 9, 9], 1002, 2]);
  });

  it("retries when the same block is rolled back and committed again during the read", async () => {
    const again = { firstBlock: 1002, fork };
    let reads = 0;
    const { answer, asOf } = await readSnapshot(market, "eth", {}, async (snapshot) => {
      if (++reads > 1) return pricesUpTo(snapshot);
      await market.store.rollback({ number: 1001, hash: hashOf(1001, fork), timestamp: AT + 5 });
      const half = await pricesUpTo(snapshot);
      await commitTrades(market.store, [{ token: TOKEN, at: AT + 6, price: 9 }], again);
      return half;
    });
    expect([answer, asOf?.blockHash, reads]).toEqual([[1, 9, 9], hashOf(1002, fork), 2]);
  });

  it("retries when blocks are replaced during the read, even below newer ones", async () => {
    let reads = 0;
    const { asOf } = await readSnapshot(market, "eth", {}, async () => {
      if (++reads > 1) return;
      await market.store.replace({ first: 1000, last: 1000 }, {});
      await commitTrades(market.store, [{ token: TOKEN, at: AT + 7, price: 9 }], { firstBlock: 1003, fork });
    });
    expect([asOf?.blockNumber, reads]).toEqual([1003, 2]);
  });

  it("gives up on a chain that keeps reorganizing", async () => {
    const unstable = readSnapshot(market, "eth", {}, () => refork(market.store));
    await expect(unstable).rejects.toMatchObject({ code: "not-ready", retryable: true });
  });

  it("names the configured chains in the error about an unknown one", async () => {
    const wrong = readSnapshot(market, "doge", {}, async () => 1);
    await expect(wrong).rejects.toThrow('Unknown chain "doge". Configured: eth.');
  });
});
