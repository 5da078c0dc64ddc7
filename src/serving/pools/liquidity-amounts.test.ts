import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liquidityAmounts, sqrtPriceAtTick } from "./liquidity-amounts.ts";

const Q96 = 2n ** 96n;

describe("sqrtPriceAtTick", () => {
  // Values from TickMath of Uniswap V4 and its tests.
  it.each([
    [-887_272, 4_295_128_739n],
    [-887_271, 4_295_343_490n],
    [0, Q96],
    [887_271, 1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249n],
    [887_272, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n],
  ])("is the contract's at %i", (tick, expected) => {
    expect(sqrtPriceAtTick(tick)).toBe(expected);
  });

  it("rejects ticks that no pool has", () => {
    for (const tick of [887_273, -887_273, 0.5, Number.NaN]) expect(() => sqrtPriceAtTick(tick)).toThrow();
  });
});

/**
 * Returns the amounts of a range as SqrtPriceMath.getAmount0Delta and getAmount1Delta compute them, rounded
 * down.
 */
function amountsOfRange(price: bigint, { lower, upper, liquidity }: Range): [bigint, bigint] {
  const [a, b] = [sqrtPriceAtTick(lower), sqrtPriceAtTick(upper)];
  const between = (root: bigint) => (root < a ? a : root > b ? b : root);
  const current = between(price);
  return [(liquidity * Q96 * (b - current)) / b / current, (liquidity * (current - a)) / Q96];
}

interface Range {
  lower: number;
  upper: number;
  liquidity: bigint;
}

const tick = fc.integer({ min: -887_272, max: 887_272 });
const range = fc
  .tuple(tick, tick, fc.bigInt(1n, 2n ** 100n))
  .filter(([one, other]) => one !== other)
  .map(([one, other, liquidity]): Range => {
    return { lower: Math.min(one, other), upper: Math.max(one, other), liquidity };
  });
const endsOf = ({ lower, upper, liquidity }: Range) => [
  { tick: lower, net: liquidity },
  { tick: upper, net: -liquidity },
];

describe("liquidityAmounts", () => {
  it("equals the contract's amounts for all ranges, except that the contract rounds each range down", () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), tick, (ranges, at) => {
        const price = sqrtPriceAtTick(at);
        const { amount0, amount1 } = liquidityAmounts(price, ranges.flatMap(endsOf));
        const paid = ranges.map((one) => amountsOfRange(price, one));
        const kept0 = amount0 - paid.reduce((sum, [amount]) => sum + amount, 0n);
        const kept1 = amount1 - paid.reduce((sum, [, amount]) => sum + amount, 0n);
        const most = BigInt(2 * ranges.length);
        expect(kept0 >= 0n && kept0 <= most, `${kept0} of token 0`).toBe(true);
        expect(kept1 >= 0n && kept1 <= most, `${kept1} of token 1`).toBe(true);
      }),
    );
  });

  it("is zero without liquidity, and one token alone for ranges above or below the price", () => {
    expect(liquidityAmounts(Q96, [])).toEqual({ amount0: 0n, amount1: 0n });
    const above = endsOf({ lower: 60, upper: 120, liquidity: 10n ** 18n });
    expect(liquidityAmounts(Q96, above)).toEqual({ amount0: 2_986_382_804_598_881n, amount1: 0n });
    const below = endsOf({ lower: -120, upper: -60, liquidity: 10n ** 18n });
    expect(liquidityAmounts(Q96, below)).toEqual({ amount0: 0n, amount1: 2_986_382_804_598_881n });
  });
});
