import { describe, expect, it } from "vitest";
import { CHAIN, hex, REFERENCES, USDC, WETH } from "../../../test/support/markets/market.ts";
import type { PastTrade } from "../trades/past-trade.ts";
import { ReferencePrice } from "./reference-price.ts";

type Step = [pool: number, price: number, usd?: number, timestamp?: number];

const priceAfter = (...steps: Step[]) => recorded(...steps).price;

function recorded(...steps: Step[]): ReferencePrice {
  const reference = new ReferencePrice(CHAIN);
  for (const [index, price, amountUsd = 1000, timestamp = 0] of steps) {
    const pool = REFERENCES[index]?.address ?? hex("b", 99);
    reference.advance(timestamp);
    reference.record(WETH, { pool, quote: USDC, priceTick1: price, amountUsd, timestamp, blockNumber: 1 });
  }
  return reference;
}

const repeated = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

describe("reference price", () => {
  it("is null before the first trade, and then that trade's price", () => {
    expect(priceAfter()).toBeNull();
    expect(priceAfter([0, 2000])).toBe(2000);
  });

  it("is the median over the pools", () => {
    expect(priceAfter([0, 2000], [1, 2010], [2, 1900])).toBe(2000);
    expect(priceAfter([0, 2000], [1, 2010])).toBe(2005);
  });

  it("is the volume-weighted median of a pool's last five trades", () => {
    expect(priceAfter([0, 2000, 100], [0, 2001, 100], [0, 2002, 100], [0, 2003, 100], [0, 2004, 100])).toBe(
      2002,
    );
    expect(priceAfter([0, 2000, 300], [0, 2001, 200], [0, 2002, 10], [0, 2003, 10], [0, 2004, 10])).toBe(
      2001.5,
    );
    expect(priceAfter(...repeated(5, [0, 9999]), ...repeated(5, [0, 2000]))).toBe(2000);
  });

  it("does not follow one large trade", () => {
    expect(priceAfter(...repeated(4, [0, 2000]), [0, 3000, 1e9])).toBe(2000);
  });

  it("does not follow one manipulated pool of three", () => {
    expect(priceAfter([0, 2000], [1, 2004], ...repeated(20, [2, 90_000, 1e9]))).toBe(2004);
  });

  it("ignores trades of a few units of a stablecoin, whose price is mostly rounding", () => {
    const dust = [0, 1, 2].flatMap((pool) => repeated(5, [pool, 1e12, 1e-6]));
    const trades: Step[] = [
      [0, 2000],
      [1, 2010],
      [2, 1990],
    ];
    expect(priceAfter(...trades, ...dust)).toBe(2000);
    expect(priceAfter(...dust)).toBeNull();
    expect(priceAfter([0, 2100, 9.99])).toBeNull();
    expect(priceAfter([0, 2100, 10])).toBe(2100);
  });

  it("ignores pools that have been silent for an hour longer than the others", () => {
    const steps: Step[] = [
      [0, 1000, 1000, 0],
      [1, 1001, 1000, 0],
    ];
    expect(priceAfter(...steps, [2, 2000, 1000, 3600])).toBe(1001);
    expect(priceAfter(...steps, [2, 2000, 1000, 3601])).toBe(2000);
  });

  it("is null once the newest trade is an hour old, until the next one", () => {
    const reference = recorded([0, 2000, 1000, 100], [1, 2010, 1000, 160]);
    const at = (now: number) => {
      reference.advance(now);
      return reference.price;
    };
    expect([160, 3760, 3761, 90_000].map(at)).toEqual([2005, 2005, null, null]);
    const trade = { quote: USDC, priceTick1: 3000, amountUsd: 1000, timestamp: 90_000, blockNumber: 2 };
    reference.record(WETH, { ...trade, pool: REFERENCES[0].address });
    expect(reference.price).toBe(2500);
  });

  it("counts longer on quiet chains: for as long as the last five trades took, up to a day", () => {
    const lifeOf = (...times: number[]) => {
      const reference = recorded(...times.map((time, i): Step => [i % 2, 2000, 1000, time]));
      const newest = times.at(-1) ?? 0;
      const isAlive = (age: number) => {
        reference.advance(newest + age);
        return reference.price !== null;
      };
      const hour = Array.from({ length: 30 }, (_, i) => 3600 * (i + 1)).findLast(isAlive) ?? 0;
      expect(isAlive(hour + 1)).toBe(false);
      return hour / 3600;
    };
    expect(lifeOf(0)).toBe(1);
    expect(lifeOf(0, 3000, 6000, 9000, 10_800)).toBe(3);
    expect(lifeOf(0, 3000, 6000, 9000, 10_800, 10_800, 10_800, 10_800, 10_800)).toBe(1);
    expect(lifeOf(0, 3000, 2 * 86_400 - 3000, 2 * 86_400)).toBe(24);
  });

  it("is the same after its trades were restored", () => {
    const steps: Step[] = [0, 2000, 4000, 6000, 8000, 9000].map((time, i) => [i % 2, 2000 + i, 1000, time]);
    const reference = recorded(...steps);
    const restored = new ReferencePrice(CHAIN);
    const native = steps.map(([index, priceTick1, amountUsd = 0, timestamp = 0]) => ({
      ...({} as PastTrade),
      ...{ pool: REFERENCES[index]?.address ?? WETH, quote: USDC, blockNumber: 1 },
      ...{ priceTick1, amountUsd, timestamp },
    }));
    restored.restore({ native, stable: [] });
    for (const now of [9000, 12_600, 15_999, 16_000, 16_001, 100_000]) {
      reference.advance(now);
      restored.advance(now);
      expect([now, restored.price]).toEqual([now, reference.price]);
      expect(reference.price === null).toBe(now > 16_000);
    }
  });

  it("counts only the wrapped native coin's priced trades in reference pools", () => {
    expect(priceAfter([0, 2000], [7, 5000])).toBe(2000);
    const reference = new ReferencePrice(CHAIN);
    reference.advance(0);
    const pool = REFERENCES[0].address;
    reference.record(hex("e", 1), {
      pool,
      quote: USDC,
      priceTick1: 5,
      amountUsd: 1000,
      timestamp: 0,
      blockNumber: 1,
    });
    reference.record(WETH, {
      pool,
      quote: USDC,
      priceTick1: null,
      amountUsd: 1000,
      timestamp: 0,
      blockNumber: 1,
    });
    expect(reference.price).toBeNull();
  });
});
