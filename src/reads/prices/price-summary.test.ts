import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import {
  CHECKPOINT_BLOCKS,
  invalidateSummary,
  newestCheckpoint,
} from "../../storage/summaries/price-summary.ts";
import { readSnapshot } from "../snapshot/snapshot.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket, type Trade } from "../support/market.ts";
import { readAllTime } from "./all-time-prices.ts";
import { readLatestPrices } from "./latest-prices.ts";

const TOKENS = Array.from({ length: 12 }, (_, i) => hexOf(i + 1));
const START = 1_700_000_000;
const priceType = "price_token_usd_robust_tick_1";

let market: Market;
const history: (Trade & { block: number })[] = [];
const random = seeded(7);

beforeAll(async () => {
  market = await openMarket([]);
});
afterAll(() => market.close());

const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

/**
 * Returns a random trade. There are few different prices, so that ties are common; some trades have no robust
 * price.
 */
function tradeAt(at: number): Trade {
  return {
    token: pick(TOKENS),
    at,
    price: 1 + Math.floor(random() * 5),
    ...(random() < 0.3 ? { robust: null } : {}),
  };
}

/** Appends blocks with some trades each. */
async function grow(blocks: number, finalized: number | null, fork = 0): Promise<void> {
  const firstBlock = ((await market.store.committed())?.blockNumber ?? 0) + 1;
  const trades = Array.from({ length: blocks }, (_, i) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => tradeAt(START + firstBlock + i)),
  );
  history.push(...trades.flatMap((list, i) => list.map((trade) => ({ ...trade, block: firstBlock + i }))));
  await commitTrades(market.store, trades.flat(), { firstBlock, fork, finalized });
}

async function rollBack(block: number): Promise<void> {
  const kept = history.filter((trade) => trade.block <= block);
  history.splice(0, history.length, ...kept);
  await market.store.rollback({ number: block, hash: hashOf(block), timestamp: START + block });
}

/** Returns the expected prices, found by a loop over all trades. */
function expectedPrices(token: Hex) {
  const prices = history.flatMap(({ token: of, at, price, robust = price }) =>
    of === token && robust !== null ? [{ at, price: robust }] : [],
  );
  const extreme = (isBeyond: (a: number, b: number) => boolean) =>
    prices.reduce(
      (best, one) => (best !== undefined && !isBeyond(one.price, best.price) ? best : one),
      prices[0],
    );
  return {
    open: prices[0],
    high: extreme((a, b) => a > b),
    low: extreme((a, b) => a < b),
    close: prices.at(-1),
  };
}

async function requireExpected(engine = market.engine): Promise<void> {
  const { answer } = await readSnapshot({ ...market, engine }, "eth", {}, async (snapshot) => ({
    allTime: await readAllTime(snapshot, TOKENS, "all", priceType),
    latest: await readLatestPrices(snapshot, TOKENS, priceType),
  }));
  for (const token of TOKENS) {
    const { open, high, low, close } = expectedPrices(token);
    const prices = answer.allTime.get(token);
    const moment = (trade: { tradedAt: number; price: number } | undefined) =>
      trade && { at: trade.tradedAt, price: trade.price };
    expect({
      open: moment(prices?.opened),
      high: moment(prices?.highest),
      low: moment(prices?.lowest),
      close: moment(prices?.closed),
    }).toEqual({ open, high, low, close });
    const latest = answer.latest.get(token);
    expect(latest && { at: latest.tradedAt, price: latest.price }).toEqual(close);
  }
}

const checkpoint = async () => newestCheckpoint(market.engine, "eth");

describe("prices from the summary and the newer trades", () => {
  it("equal those of the trades alone, wherever the checkpoint is", async () => {
    await grow(20, null);
    await requireExpected();
    expect(await checkpoint()).toMatchObject({ complete: null, started: null });
    await grow(CHECKPOINT_BLOCKS, 70);
    await requireExpected();
    await grow(10, 75);
    expect(await checkpoint()).toMatchObject({ complete: 70, started: 70 });
    await requireExpected();
    await grow(CHECKPOINT_BLOCKS, 150);
    await grow(1, 150);
    expect(await checkpoint()).toMatchObject({ complete: 150, started: 150 });
    await requireExpected();
  });

  it("are repaired on start after a power failure lost rows of the summary", async () => {
    await market.engine.execute("TRUNCATE TABLE eth_price_extremes" as Sql);
    await expect(requireExpected()).rejects.toThrow();
    market.store = await openChainStore(market.engine, "eth");
    expect(await checkpoint()).toMatchObject({ complete: 150, started: 150 });
    await requireExpected();
  });

  it("follow a reorg above the checkpoint, and one below it", async () => {
    await rollBack(152);
    expect(await checkpoint()).toMatchObject({ complete: 150, started: 150 });
    await requireExpected();
    await grow(5, 151, 1);
    await requireExpected();
    await rollBack(100);
    expect(await checkpoint()).toMatchObject({ complete: null, started: null });
    await requireExpected();
    await grow(3, 100, 2);
    await grow(3, 100, 2);
    expect(await checkpoint()).toMatchObject({ complete: 100, started: 100 });
    await requireExpected();
  });

  it("are read again when the summary is dropped during the read", async () => {
    let isDropped = false;
    const dropping: typeof market.engine = {
      ...boundMethods(market.engine),
      async query(statement, bounds) {
        if (!isDropped && statement.includes("eth_price_extremes")) {
          isDropped = true;
          await invalidateSummary(market.engine, "eth");
        }
        return market.engine.query(statement, bounds);
      },
    };
    await requireExpected(dropping);
    expect(isDropped).toBe(true);
    expect(await checkpoint()).toMatchObject({ complete: null });
  });
});

function boundMethods({ stream, execute, insert, close }: typeof market.engine) {
  const of = market.engine;
  return {
    stream: stream.bind(of),
    execute: execute.bind(of),
    insert: insert.bind(of),
    close: close.bind(of),
  };
}
