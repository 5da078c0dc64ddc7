import { expect, it } from "vitest";
import { addressesIn, tokensOf } from "./pool-row.ts";
import { swapSides, swapTotals } from "./swap-totals.ts";

const pair = (token_address: string, quote_address: string, volume_usd: number | null, trades: number) => ({
  token_address,
  quote_address,
  volume_usd,
  trades,
});

it("counts a swap once, whichever of its tokens pays", () => {
  expect(swapTotals([])).toEqual({ volumeUsd: 0, trades: 0 });
  expect(swapTotals([pair("bal", "weth", 5, 2), pair("dai", "bal", 7, 1)])).toEqual({
    volumeUsd: 12,
    trades: 3,
  });
  const both = [pair("weth", "dai", 9, 4), pair("dai", "weth", 9, 4), pair("bal", "weth", 5, 2)];
  expect(swapTotals(both)).toEqual({ volumeUsd: 14, trades: 6 });
});

it("does not know the volume of swaps without a value", () => {
  expect(swapTotals([pair("a", "b", null, 3), pair("b", "a", null, 3)])).toEqual({
    volumeUsd: null,
    trades: 3,
  });
  expect(swapTotals([pair("a", "b", null, 3), pair("a", "c", 2, 1)])).toEqual({ volumeUsd: 2, trades: 4 });
});

it("counts the buys of a token in all of its pairs", () => {
  const sold = (token: string, quote: string) => ({ ...pair(token, quote, 1, 10), buys: 5 });
  const pairs = ["3crv", "usdc", "dai", "usdt"].map((quote) => sold("x", quote));
  expect(swapSides(pairs, "x")).toEqual({ buys: 20, sells: 20 });
  expect(swapSides([sold("weth", "dai"), sold("dai", "weth")], "weth")).toEqual({ buys: 5, sells: 5 });
  expect(swapSides([], "x")).toEqual({ buys: 0, sells: 0 });
});

it("lists the tokens of a pool, its first two first", () => {
  expect(addressesIn("a,,b,a")).toEqual(["a", "b"]);
  const row = { token_0_address: "c", token_1_address: "a", token_addresses: "a,b,,c" };
  expect(tokensOf(row)).toEqual(["c", "a", "b"]);
});
