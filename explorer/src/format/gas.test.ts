import { expect, it } from "vitest";
import { percentOfGas } from "./gas.ts";

it.each([
  [21_000, 42_000, 50],
  [0, 0, 0],
  [17_425, "9223372036854775807", (17_425 / 2 ** 63) * 100],
])("percentOfGas(%d, %s) is %d", (used, limit, percent) => {
  expect(percentOfGas(used, limit)).toBe(percent);
});
