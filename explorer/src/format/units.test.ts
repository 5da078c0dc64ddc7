import { expect, it } from "vitest";
import { formatBytes, formatGwei, formatUnits, percentOfGas } from "./units.ts";

it.each([
  ["12345", 3, "12.345"],
  ["5", 18, "0.000000000000000005"],
  ["123456789012345678901234567890", 18, "123,456,789,012.34567890123456789"],
  ["1000000", 6, "1"],
  ["0", 18, "0"],
  ["1234567", 0, "1,234,567"],
  ["1234567", null, "1,234,567"],
])("%s base units with %s decimals are %s", (base, decimals, shown) =>
  expect(formatUnits(base, decimals)).toBe(shown),
);

it("writes gas prices in gwei, even if given as a string of digits", () => {
  expect([formatGwei(1_500_000_000), formatGwei(0), formatGwei("9007199254740993")]).toEqual([
    "1.5 gwei",
    "0 gwei",
    "9,007,199.254740993 gwei",
  ]);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KiB"],
  [10 * 1024, "10 KiB"],
  [812 * 2 ** 20, "812 MiB"],
  [1_010 * 2 ** 20, "1.0 GiB"],
  [5.24 * 2 ** 30, "5.2 GiB"],
  [5_000 * 2 ** 40, "5000 TiB"],
  [null, "–"],
])("formats %s bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [21_000, 42_000, 50],
  [0, 0, 0],
  [17_425, "9223372036854775807", (17_425 / 2 ** 63) * 100],
])("percentOfGas(%d, %s) is %d", (used, limit, percent) => {
  expect(percentOfGas(used, limit)).toBe(percent);
});
