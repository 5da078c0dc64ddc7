import { describe, expect, it } from "vitest";
import { CHAIN, hex, REFERENCES, USDC, WETH } from "../../../test/support/markets/market.ts";
import { ReferencePrice } from "./reference-price.ts";

type Step = [pool: number, price: number, usd?: number, timestamp?: number];

function priceAfter(...steps: Step[]): number | null {
  const reference = new ReferencePrice(CHAIN);
  for (const [index, price, amountUsd = 1000, timestamp = 0] of steps) {
    const pool = REFERENCES[index]?.address ?? hex("b", 99);
    reference.record(WETH, { pool, quote: USDC, priceTick1: price, amountUsd, timestamp, blockNumber: 1 });
  }
  return reference.price;
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

  it("ignores pools that have been silent for an hour longer than the others", () => {
    const steps: Step[] = [
      [0, 1000, 1000, 0],
      [1, 1001, 1000, 0],
    ];
    expect(priceAfter(...steps, [2, 2000, 1000, 3600])).toBe(1001);
    expect(priceAfter(...steps, [2, 2000, 1000, 3601])).toBe(2000);
  });

  it("counts only the wrapped native coin's priced trades in reference pools", () => {
    expect(priceAfter([0, 2000], [7, 5000])).toBe(2000);
    const reference = new ReferencePrice(CHAIN);
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
