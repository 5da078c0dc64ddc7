import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { WETH } from "../../devnet/market/tokens.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { ALPHA, BETA, FIRST, PeggedMarket } from "../support/markets/depeg.ts";
import { startDexNode } from "../support/markets/dex-node.ts";
import { type Served, serveIndex } from "../support/markets/played-cases.ts";

const GENESIS_TIME = 1_699_990_000;
const MINUTES = 330;
/** Minutes at which DAI begins to fall and begins to rise again. Each change takes six minutes. */
const FALL = 80;
const RISE = 240;
const BOTTOM = 0.88;
/**
 * Minute by which the fall is noticed: the rule ignores a stablecoin once it has been below its peg for most
 * of an hour.
 */
const NOTICED = FALL + 40;

function daiAt(minute: number): number {
  const fallen = Math.min(1, Math.max(0, (minute - FALL) / 6));
  const risen = Math.min(1, Math.max(0, (minute - RISE) / 6));
  return 1 - (1 - BOTTOM) * (fallen - risen);
}

interface Candle {
  timestamp_open: number;
  price_open: number;
  price_high: number;
  price_low: number;
  price_close: number;
}

describe("a stablecoin at 0.88 for two and a half hours, in whose pools most of ether's reference is", () => {
  let served: Served;
  let start: number;

  beforeAll(async () => {
    const node = await startDexNode([ALPHA, BETA], GENESIS_TIME);
    try {
      const market = new PeggedMarket();
      await market.open(node);
      start = node.head().timestamp;
      await market.trade(
        node,
        MINUTES,
        (minute) => (symbol) => (symbol === "DAI" ? daiAt(minute) : (FIRST[symbol] ?? 1)),
      );
      const chain = { ...devnetChain(), name: "depeg", referencePools: market.referencePools };
      served = await serveIndex(node, chain);
    } finally {
      await node.stop();
    }
  });

  afterAll(() => served?.close());

  const minuteOf = (timestamp: number) => (timestamp - start) / 60;

  /**
   * Returns all prices of a token's robust five-minute candles, each with the minute at which its candle
   * begins.
   */
  async function prices(token: Hex): Promise<{ minute: number; price: number }[]> {
    const { data } = await served.get<{ data: Candle[] }>(
      `/v1/price/historical/ohlc?token_address=${token}&chain=depeg&interval=5m&fill=false` +
        `&open_method=first_trade&max_size=200&until_timestamp=${start + 60 * MINUTES}`,
    );
    expect(data.length).toBeGreaterThan(MINUTES / 5 - 2);
    return data.flatMap((candle) =>
      [candle.price_open, candle.price_high, candle.price_low, candle.price_close].map((price) => ({
        minute: minuteOf(candle.timestamp_open),
        price,
      })),
    );
  }

  it("keeps ether's reference price, once the fall is noticed", async () => {
    const rows = await served.sql<{ timestamp: string; price: number }>(
      `SELECT timestamp, amount_usd / amount_eth AS price FROM depeg_dex_trades
       WHERE amount_eth > 0 ORDER BY record_index LIMIT 10000`,
    );
    const reference = rows.map(({ timestamp, price }) => ({
      minute: minuteOf(Date.parse(timestamp) / 1000),
      price,
    }));
    const [ether = 0] = [FIRST.WETH];
    expect(farthest(reference.filter(isKnown), ether)).toBeLessThan(0.002);
    expect(farthest(reference, ether)).toBeGreaterThan(0.12);
  });

  it.each([
    ["ether", WETH.address, FIRST.WETH],
    ["a token with a pool against it", ALPHA.address, FIRST.ALPHA],
  ])("leaves the robust price of %s where it was, once it is noticed", async (_, token, worth = 0) => {
    const candles = await prices(token);
    expect(farthest(candles.filter(isKnown), worth)).toBeLessThan(0.01);
  });

  it("keeps pricing a token that trades only against it, with each coin counted as one dollar", async () => {
    const candles = await prices(BETA.address);
    const [worth = 0] = [FIRST.BETA];
    const low = candles.filter(({ minute }) => minute > NOTICED && minute < RISE - 5);
    expect(farthest(low, worth / BOTTOM)).toBeLessThan(0.01);
    const back = candles.filter(({ minute }) => minute < FALL - 5 || minute > RISE + 15);
    expect(farthest(back, worth)).toBeLessThan(0.01);
  });
});

/** Returns false if a point is in the minutes in which the fall cannot be detected yet. */
function isKnown({ minute }: { minute: number }): boolean {
  return minute < FALL - 5 || minute > NOTICED;
}

/** Returns the largest distance from a value, in log price. */
function farthest(points: readonly { price: number }[], worth: number): number {
  expect(points.length).toBeGreaterThan(50);
  return Math.max(...points.map(({ price }) => Math.abs(Math.log(price / worth))));
}
