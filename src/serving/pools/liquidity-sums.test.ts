import * as fc from "fast-check";
import { expect, it } from "vitest";
import { liquidityAmounts, sqrtPriceAtTick, type TickLiquidity } from "./liquidity-amounts.ts";
import { LiquiditySums } from "./liquidity-sums.ts";

const tick = fc.integer({ min: -887_272, max: 887_272 });
/** The square root of the price at a tick, or one unit above or below it. */
const price = fc.tuple(tick, fc.constantFrom(-1n, 0n, 1n)).map(([at, more]) => sqrtPriceAtTick(at) + more);
const range = fc
  .record({ lower: tick, upper: tick, net: fc.bigInt(-(2n ** 100n), 2n ** 100n) })
  .map(({ lower, upper, net }): TickLiquidity[] => [
    { tick: lower, net },
    { tick: upper, net: -net },
  ]);

it("equals liquidityAmounts after each change, at each price", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(range, price), { minLength: 1, maxLength: 12 }), (steps) => {
      const sums = new LiquiditySums(steps.flatMap(([ends]) => ends.map((end) => end.tick)));
      const added: TickLiquidity[] = [];
      for (const [ends, at] of steps) {
        for (const end of ends) sums.add(end);
        added.push(...ends);
        const [{ tick: first } = { tick: 0 }] = added;
        for (const sqrtPrice of [at, sqrtPriceAtTick(first)])
          expect(sums.amountsAt(sqrtPrice)).toEqual(liquidityAmounts(sqrtPrice, added));
      }
    }),
  );
});

it("is zero without liquidity", () => {
  expect(new LiquiditySums([]).amountsAt(2n ** 96n)).toEqual({ amount0: 0n, amount1: 0n });
});
