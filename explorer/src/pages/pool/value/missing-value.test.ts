import type { PoolTvl } from "@quarry/sdk";
import { expect, it } from "vitest";
import { formatFee, poolKind, protocolName, tokenName } from "../../../format/pool.ts";
import type { Pool } from "../../../queries/pool/pool.ts";
import { otherBalances, type PoolHoldings, pairBalances } from "../../../queries/pool/pool-balance.ts";
import {
  chosenToken,
  hasManyTokens,
  namedTokens,
  tradableTokens,
  tradedTokenByCash,
  tradedTokenByTrades,
} from "../pool-legs.ts";
import { missingValueReasons } from "./missing-value.ts";

const A = `0x${"a".repeat(40)}`;
const B = `0x${"b".repeat(40)}`;

const POOL: Pool = {
  chain: "eth",
  address: `0x${"c".repeat(40)}`,
  protocol: "uniswap_v3",
  fee: 500,
  created: { block: 7, timestamp: 1_700_000_000 },
  tokens: [
    { address: A, symbol: "AAA", decimals: 18 },
    { address: B, symbol: null, decimals: 6 },
  ],
  hasUnknownTokens: false,
  underlying: [],
  hook: null,
};

const TVL: PoolTvl = {
  pool_address: POOL.address,
  block_number: 9,
  timestamp: 1_700_000_100,
  token_0_address: A,
  token_1_address: B,
  token_0_balance: 2,
  token_1_balance: 5,
  token_0_price_usd: 3,
  token_1_price_usd: 1,
  token_0_balance_usd: 6,
  token_1_balance_usd: 5,
  tvl_usd: 11,
  liquidity_usd: 5,
};

it("formats the names of protocols, fees and tokens", () => {
  expect([3000, null].map((fee) => poolKind({ protocol: "uniswap_v3", fee }))).toEqual([
    "Uniswap V3 0.3 %",
    "Uniswap V3",
  ]);
  const protocols = ["uniswap_v3", "pancakeswap_infinity_cl", "woofi_v2", "curve_stable_ng", "constructor"];
  expect(protocols.map(protocolName)).toEqual([
    ...["Uniswap V3", "PancakeSwap Infinity CL", "WOOFi V2", "Curve Stable NG", "Constructor"],
  ]);
  expect(protocolName("smardex_legacy")).toBe("SmarDex Legacy");
  expect([formatFee(500), formatFee(3000), formatFee(10_000), formatFee(null)]).toEqual([
    "0.05 %",
    "0.3 %",
    "1 %",
    "–",
  ]);
  expect(POOL.tokens.map(tokenName)).toEqual(["AAA", "0xbbbb…bbbb"]);
});

const NOTHING: PoolHoldings = { balances: new Map(), prices: new Map() };

function reasonsOf(pool: Pool, tvl: PoolTvl, holdings = NOTHING): string[] {
  return missingValueReasons(pool, tvl, [...pairBalances(pool, tvl), ...otherBalances(pool, tvl, holdings)]);
}

it("returns no reasons if everything is known", () => expect(reasonsOf(POOL, TVL)).toEqual([]));

it.each([
  [{ token_0_balance: null }, {}, /^The AAA balance cannot be derived from transfers/],
  [{ token_0_balance: null }, { created: null }, /^The index starts after the pool's creation/],
  [
    { token_1_balance: null },
    { tokens: [POOL.tokens[0], { ...POOL.tokens[1], decimals: null }] },
    /has no decimals/,
  ],
  [{ token_0_balance: null, token_1_balance: null }, {}, /^The balances cannot be derived/],
  [{}, {}, /^The balance or the price of another token/],
  [{}, { hasUnknownTokens: true }, /^The pool has tokens that have not appeared in a swap/],
  [{ token_1_price_usd: null }, {}, /^0xbbbb…bbbb has no robust price/],
] as const)("explains why the value is unknown: %j %j", (tvl, pool, reason) => {
  const reasons = reasonsOf({ ...POOL, ...pool } as Pool, { ...TVL, tvl_usd: null, ...tvl });
  expect(reasons).toEqual([expect.stringMatching(reason)]);
});

const C = { address: `0x${"d".repeat(40)}`, symbol: "CCC", decimals: 18 };

it("explains it for every token of a pool with more than two, and only if the value is unknown", () => {
  const pool: Pool = { ...POOL, tokens: [...POOL.tokens, C] };
  const unknown = { ...TVL, tvl_usd: null };
  expect(reasonsOf(pool, TVL)).toEqual([]);
  expect(reasonsOf(pool, unknown)).toEqual([expect.stringMatching(/^CCC has no robust price/)]);
  const nothing = { ...unknown, token_0_balance: null, token_1_balance: null };
  const priced = { ...NOTHING, prices: new Map([[C.address, 2]]) };
  expect(reasonsOf(pool, nothing, priced)).toEqual([expect.stringMatching(/^The balances cannot/)]);
  expect(reasonsOf(pool, unknown, priced)).toEqual([
    expect.stringMatching(/balance or the price of another/),
  ]);
});

it("lets the tokens of a pool with more than two be chosen, the most traded one by default", () => {
  const [first, second] = POOL.tokens;
  const underlying = { address: `0x${"e".repeat(40)}`, symbol: "EEE", decimals: 6 };
  const pool: Pool = { ...POOL, tokens: [first, second, C], underlying: [underlying, second] };
  expect(tradableTokens(pool)).toEqual([first, second, C, underlying]);
  expect(chosenToken(pool, "", [])).toBe(first);
  expect(chosenToken(pool, "", [B, C.address])).toBe(second);
  expect(chosenToken(pool, underlying.address, [B])).toBe(underlying);
  expect(chosenToken(pool, `0x${"9".repeat(40)}`, [C.address])).toBe(C);
  expect(namedTokens(pool, { token: C, quote: null, newest: 1 })).toBe(pool.tokens);
  expect(namedTokens(POOL, { token: second, quote: first, newest: 1 })).toEqual([second, first]);
});

it("counts underlying tokens among the tradable tokens", () => {
  const underlying = { address: `0x${"e".repeat(40)}`, symbol: "EEE", decimals: 6 };
  expect(hasManyTokens(POOL)).toBe(false);
  expect(hasManyTokens({ ...POOL, underlying: [POOL.tokens[1]] })).toBe(false);
  expect(hasManyTokens({ ...POOL, underlying: [underlying] })).toBe(true);
  expect(hasManyTokens({ ...POOL, tokens: [...POOL.tokens, C] as unknown as Pool["tokens"] })).toBe(true);
});

it("distinguishes the traded token from the token that pays for it", () => {
  expect(tradedTokenByCash(TVL)).toBe(0);
  expect(tradedTokenByCash({ ...TVL, liquidity_usd: 6 })).toBe(1);
  expect(tradedTokenByCash({ ...TVL, liquidity_usd: null })).toBe(null);
  expect(
    tradedTokenByCash({ ...TVL, token_0_balance_usd: 0, token_1_balance_usd: 0, liquidity_usd: 0 }),
  ).toBe(null);
  expect(tradedTokenByCash(null)).toBe(null);
  expect([[A], [B], [B, A], []].map((traded) => tradedTokenByTrades(POOL, traded))).toEqual([0, 1, 0, 0]);
});
