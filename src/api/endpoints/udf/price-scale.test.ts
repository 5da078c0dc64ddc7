import { expect, it } from "vitest";
import { priceScale } from "./price-scale.ts";

it.each([
  [67_123.45, 2],
  [2_267.3, 2],
  [99.999, 3],
  [99.9999, 2],
  [1, 4],
  [0.99999, 5],
  [0.999999, 4],
  [0.001, 7],
  [1.2345e-6, 10],
  [1e-12, 16],
  [9.9e-13, 16],
  [1e-20, 16],
  [5e-324, 16],
  [1e300, 2],
  [0, 2],
  [null, 2],
])("prices at %s USD have %i decimals", (price, decimals) => {
  expect(priceScale(price)).toBe(10 ** decimals);
});
