import { describe, expect, it } from "vitest";
import { SHARED_PAIRS, WEIGHTED_POOL, type WeightedPair } from "./shared-pools.ts";
import { amountToPrice, weightedPrice } from "./weighted-price.ts";

const PAIRS = SHARED_PAIRS.filter((pair): pair is WeightedPair => pair.kind === "weighted");
const RESERVES: [bigint, bigint] = [5n * 10n ** 20n, 3n * 10n ** 20n];

describe.each(PAIRS)("a weighted pool's places $places", (pair) => {
  const [weight0, weight1] = pair.places.map((place) => WEIGHTED_POOL.weights[place] ?? 0) as [
    number,
    number,
  ];

  it("has the price at which a small swap keeps the weighted product", () => {
    const out = 3e20 * (1 - (1 / (1 + 1e-6)) ** (weight0 / weight1));
    expect(weightedPrice(pair, RESERVES)).toBeCloseTo(out / (5e20 * 1e-6), 5);
  });

  it.each([0.5, 0.99, 1.01, 2])("multiplies its price by %d when the amount is sold", (factor) => {
    const wanted = weightedPrice(pair, RESERVES) * factor;
    const amount = amountToPrice(pair, RESERVES, wanted);
    const [sold, weights] = factor < 1 ? [0, [weight0, weight1]] : [1, [weight1, weight0]];
    const after = RESERVES.map(Number) as [number, number];
    const before = after[sold] ?? 0;
    after[sold] = before + Number(amount);
    const [own, other] = weights as [number, number];
    after[1 - sold] = (after[1 - sold] ?? 0) * (before / (after[sold] ?? 0)) ** (own / other);
    const reserves = after.map((value) => BigInt(Math.round(value))) as [bigint, bigint];
    expect(weightedPrice(pair, reserves) / wanted).toBeCloseTo(1, 9);
  });
});
