import { describe, expect, it } from "vitest";
import {
  changeSign,
  formatChange,
  formatCompact,
  formatCount,
  formatCounted,
  formatExact,
  formatInteger,
  formatPrice,
  formatShare,
  formatUsd,
  formatUsdCompact,
} from "./number.ts";

describe("formatPrice", () => {
  it.each([
    [64250.123, "64,250.12"],
    [999.995, "1,000.00"],
    [123.456789, "123.46"],
    [2.34567891, "2.3457"],
    [0.0512345, "0.05123"],
    [0.000123456, "0.0001235"],
    [0.00001234, "0.0₄1234"],
    [0.00000000000123, "0.0₁₁123"],
    [0.0000099999999, "0.0₄1"],
    [0.99999, "1.0000"],
    [0, "0"],
    [-0.5, "−0.5"],
    [1.5e12, "1.50T"],
    [1e21, "1.00e+21"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("%s is %s", (price, shown) => expect(formatPrice(price)).toBe(shown));

  it("puts the dollar sign after the minus sign", () => {
    expect([formatUsd(-12.5), formatUsd(0.0000012), formatUsd(null)]).toEqual(["−$12.500", "$0.0₅12", "–"]);
  });
});

describe("formatCompact", () => {
  it.each([
    [950.123, "950.12"],
    [999.7, "1.00k"],
    [12_345, "12.35k"],
    [999_999, "1.00M"],
    [123_456_789, "123.5M"],
    [-4_560_000_000, "−4.56B"],
    [0, "0"],
    [0.001234, "0.001234"],
    [999.4e12, "999.4T"],
    [999.6e12, "1.00e+15"],
    [4.2e17, "4.20e+17"],
    [-1.5e60, "−1.50e+60"],
    [null, "–"],
  ])("%s is %s", (amount, shown) => expect(formatCompact(amount)).toBe(shown));

  it("prefixes a dollar sign", () => expect(formatUsdCompact(4_560_000)).toBe("$4.56M"));
});

describe("formatChange", () => {
  it.each([
    [0.0125, "+1.25 %"],
    [-0.004, "−0.40 %"],
    [12.04, "+1,204 %"],
    [0.00001, "0.00 %"],
    [-0.00001, "0.00 %"],
    [-0.00005, "−0.01 %"],
    [0, "0.00 %"],
    [null, "–"],
  ])("%s is %s", (change, shown) => expect(formatChange(change)).toBe(shown));
});

it.each([
  [0.0001, "up"],
  [-0.0001, "down"],
  [-0.00001, undefined],
  [0, undefined],
  [null, undefined],
])("a change of %s has the direction %s", (change, sign) => expect(changeSign(change)).toBe(sign));

it.each([
  [0.625, "62.5 %"],
  [1, "100.0 %"],
  [0, "0.0 %"],
  [null, "–"],
])("a share of %s is %s", (share, shown) => expect(formatShare(share)).toBe(shown));

it.each([
  [301130.53115132742, "301,130.5311513274"],
  [0.000000123456789, "0.000000123456789"],
  [-5, "−5"],
  [null, "–"],
])("writes %s with all its digits as %s", (value, shown) => expect(formatExact(value)).toBe(shown));

it("writes counts and large integers with commas", () => {
  expect([formatCount(12345), formatInteger("1234567890123456789012345")]).toEqual([
    "12,345",
    "1,234,567,890,123,456,789,012,345",
  ]);
});

it("formats counts with the singular or plural of their noun", () => {
  expect([0, 1, 2, 12_345].map((count) => formatCounted(count, "pool"))).toEqual([
    ...["0 pools", "1 pool", "2 pools", "12,345 pools"],
  ]);
  expect(formatCounted(2, "query", "queries")).toBe("2 queries");
});
