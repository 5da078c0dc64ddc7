import type { PoolTvl } from "@quarry/sdk";
import { expect, it } from "vitest";
import type { Pool, PoolToken } from "./pool.ts";
import { otherBalances, type PoolHoldings } from "./pool-balance.ts";

const token = (symbol: string): PoolToken => ({ address: `0x${symbol.repeat(40)}`, symbol, decimals: 18 });
const [A, B, C, D] = ["a", "b", "c", "d"].map(token) as [PoolToken, PoolToken, PoolToken, PoolToken];

const POOL: Pool = {
  ...{ chain: "eth", address: `0x${"e".repeat(40)}`, protocol: "balancer_v2", fee: null, hook: null },
  created: { block: 7, timestamp: 1_700_000_000 },
  tokens: [A, B, C],
  hasUnknownTokens: false,
  underlying: [],
};

/** 200 of token A at 1 USD, 50 of token B at 2 USD, and other tokens worth 30 USD. */
const TVL = {
  ...{ token_0_balance: 200, token_0_price_usd: 1, token_0_balance_usd: 200 },
  ...{ token_1_balance: 50, token_1_price_usd: 2, token_1_balance_usd: 100 },
  tvl_usd: 330,
} as PoolTvl;

function holdings(balances: [PoolToken, number | null][], prices: [PoolToken, number][]): PoolHoldings {
  const byAddress = <T>(entries: [PoolToken, T][]) =>
    new Map(entries.map(([{ address }, value]) => [address, value]));
  return { balances: byAddress(balances), prices: byAddress(prices) };
}

it("takes the third balance from the value of the pool, whatever was sent to the pool's address", () => {
  const fakes = [
    [],
    [[C, 5]],
    [
      [C, 10],
      [A, 1],
    ],
  ] as [PoolToken, number][][];
  for (const sent of fakes)
    expect(otherBalances(POOL, TVL, holdings(sent, [[C, 3]]))).toEqual([
      { tokens: [C], balance: 10, price: 3, value: 30 },
    ]);
});

it("values several others together, unless the pool holds its tokens itself", () => {
  const pool: Pool = { ...POOL, tokens: [A, B, C, D] };
  const prices: [PoolToken, number][] = [
    [C, 3],
    [D, 5],
  ];
  const together = [{ tokens: [C, D], balance: null, price: null, value: 30 }];
  expect(otherBalances(pool, TVL, holdings([[C, 10]], prices))).toEqual(together);
  const pair: [PoolToken, number][] = [
    [A, 200.1],
    [B, 50],
  ];
  expect(otherBalances(pool, TVL, holdings([...pair, [C, 5], [D, 3]], prices))).toEqual([
    { tokens: [C], balance: 5, price: 3, value: 15 },
    { tokens: [D], balance: 3, price: 5, value: 15 },
  ]);
  expect(otherBalances(pool, TVL, holdings([...pair, [C, 50], [D, 3]], prices))).toEqual(together);
});

it("shows what a pool holds itself even if its value is unknown, and nothing that it does not hold", () => {
  const tvl = { ...TVL, tvl_usd: null };
  const held = holdings(
    [
      [A, 200],
      [B, 50],
      [C, 4],
    ],
    [],
  ); // C has no price
  expect(otherBalances(POOL, tvl, held)).toEqual([{ tokens: [C], balance: 4, price: null, value: null }]);
  expect(otherBalances(POOL, tvl, holdings([[C, 4]], []))).toEqual([
    { tokens: [C], balance: null, price: null, value: null },
  ]);
  expect(otherBalances({ ...POOL, tokens: [A, B] }, TVL, held)).toEqual([]);
});
