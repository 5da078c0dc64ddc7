import { describe, expect, it } from "vitest";
import { hiddenPrice } from "./price-path.ts";
import { USDC, WETH } from "./tokens.ts";

const START = 1_700_000_000;
const HOUR = 3_600;

function hourlyReturns(seed: number): number[] {
  return Array.from({ length: 24 * 60 }, (_, hour) => {
    const time = START + hour * HOUR;
    return Math.log(hiddenPrice(seed, WETH, time + HOUR) / hiddenPrice(seed, WETH, time));
  });
}

describe("hiddenPrice", () => {
  it("depends only on seed and time", () => {
    expect(hiddenPrice(1, WETH, START)).toBe(hiddenPrice(1, WETH, START));
    expect(hiddenPrice(1, WETH, START)).not.toBe(hiddenPrice(2, WETH, START));
  });

  it("keeps ether near its mean and moves it like a market", () => {
    const prices = Array.from({ length: 200 }, (_, day) => hiddenPrice(3, WETH, START + day * 24 * HOUR));
    expect(Math.min(...prices)).toBeGreaterThan(1_800);
    expect(Math.max(...prices)).toBeLessThan(5_000);
    const deviation = Math.sqrt(hourlyReturns(3).reduce((sum, value) => sum + value ** 2, 0) / (24 * 60));
    expect(deviation).toBeGreaterThan(0.001);
    expect(deviation).toBeLessThan(0.02);
  });

  it("never jumps between two live blocks", () => {
    for (let second = 0; second < 5_000; second += 2) {
      const move = hiddenPrice(5, WETH, START + second + 2) / hiddenPrice(5, WETH, START + second);
      expect(Math.abs(move - 1)).toBeLessThan(0.005);
    }
  });

  it("keeps stablecoins at a dollar", () => {
    expect(hiddenPrice(1, USDC, START)).toBe(1);
  });
});
