import { describe, expect, it } from "vitest";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import { balancesOf, tvlOf } from "./pool-value.ts";

const [A, B, C]: [Hex, Hex, Hex] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`, `0x${"cc".repeat(20)}`];
const POOL: Hex = `0x${"11".repeat(20)}`;
const FACTORY: Hex = `0x${"22".repeat(20)}`;
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

const FACTS = {
  pool: POOL,
  family: "uniswap-v3",
  factory: FACTORY,
  tokens: [A, B],
  createdBlock: 7,
} as const;
const STATE = { reserves: undefined, amounts: undefined, held: [undefined, undefined] } as const;

describe("balancesOf", () => {
  it("knows that a pool which holds its tokens and never got any has none", () => {
    expect(balancesOf(FACTS, STATE, true, ethereum)).toEqual([0n, 0n]);
  });

  it("does not know the balances of a pool whose tokens are elsewhere", () => {
    const held = [5n, 6n];
    expect(balancesOf({ ...FACTS, family: "fluid" }, { ...STATE, held }, true, ethereum)).toEqual([
      null,
      null,
    ]);
  });

  it("knows the balances of all tokens of a pool, except a token that is not known", () => {
    const facts = { ...FACTS, family: "curve-stable", tokens: [A, B, null] };
    expect(balancesOf(facts, { ...STATE, held: [5n, 6n, null] }, false, ethereum)).toEqual([5n, 6n, null]);
  });

  it("does not know the wrapped native coin of a pool that may hold the native one", () => {
    const weth = ethereum.wrappedNative;
    const balances = (pool: Hex, factory: Hex) => {
      const facts = { ...FACTS, family: "curve-crypto", pool, factory, tokens: [weth, A] };
      return balancesOf(facts, { ...STATE, held: [5n, 6n] }, false, ethereum);
    };
    const registry: Hex = "0x9a32af1a11d9c937aea61a3790c2983257ea8bc0";
    // CRV/ETH holds the native coin, tricrypto2 the wrapped one.
    expect(balances("0x8301ae4fc9c624d1d396cbdaa1ed877821d7c511", registry)).toEqual([null, 6n]);
    expect(balances("0xd51a44d3fae010294c616388b506acda1bfaae46", registry)).toEqual([5n, 6n]);
    // The factory of old pools, which may hold the native coin, and the factory of new pools, which do not.
    expect(balances(POOL, "0xf18056bbd320e96a48e3fbf8bc061322531aac99")).toEqual([null, 6n]);
    expect(balances(POOL, "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f")).toEqual([5n, 6n]);
  });
});

describe("tvlOf", () => {
  const prices = new Map([
    [A, 2],
    [B, 3],
    [USDC, 1],
  ]);
  const facts = { pool: POOL, token0: A, token1: B, tokens: [A, B, USDC], decimals: [0, 0, 0] };

  it("adds up all tokens, and has the first two in detail", () => {
    const { tvlUsd, liquidityUsd, sides } = tvlOf(facts, [10n, 10n, 5n], prices, ethereum);
    expect([tvlUsd, liquidityUsd]).toEqual([55, 5]);
    expect(sides).toMatchObject([
      { token: A, balance: 10, balanceUsd: 20 },
      { token: B, balance: 10, balanceUsd: 30 },
    ]);
  });

  it("has both sides of a pool of the native coin and its wrapped token, which are the same token", () => {
    const wrapped = { ...facts, token1: A, tokens: [A, A], decimals: [0, 0] };
    const { tvlUsd, sides } = tvlOf(wrapped, [10n, 25n], prices, ethereum);
    expect([tvlUsd, ...sides.map(({ balance }) => balance)]).toEqual([70, 10, 25]);
  });

  it("is null if the balance or the price of one token, or the token itself, is unknown", () => {
    const tvl = (changes: Partial<typeof facts>, third: bigint | null) =>
      tvlOf({ ...facts, ...changes } as typeof facts, [10n, 10n, third], prices, ethereum).tvlUsd;
    expect(tvl({}, null)).toBeNull();
    expect(tvl({ tokens: [A, B, C] }, 5n)).toBeNull();
    expect(tvl({ tokens: [A, B, null as never] }, null)).toBeNull();
    expect(tvl({ decimals: [0, 0, null as never] }, 5n)).toBeNull();
  });
});
