import { describe, expect, it } from "vitest";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import { pricedToken } from "./priced-token.ts";

const TOKEN: Hex = `0x${"11".repeat(20)}`;
const OTHER: Hex = `0x${"22".repeat(20)}`;
const WETH = ethereum.wrappedNative;
const [USDC, USDT] = ethereum.stableCoins as [Hex, Hex];

describe("the priced token of a pool", () => {
  it.each([
    ["a token against cash", [USDC, TOKEN], TOKEN],
    ["two tokens: the first", [TOKEN, OTHER], TOKEN],
    ["the wrapped native coin against stablecoins, in any order", [USDT, WETH, USDC], WETH],
    ["stablecoins alone: the pool's first, whatever the order of the configuration", [USDT, USDC], USDT],
    ["no known token", [], null],
  ])("%s", (_, tokens, expected) => {
    expect(pricedToken(tokens, ethereum)).toBe(expected);
  });
});
