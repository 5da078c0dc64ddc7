import { z } from "zod";
import type { PoolTvl } from "../../../reads/pools/pool-value.ts";

const amount = (side: string) => z.number().nullable().describe(`balance of ${side}, tokens`);
const price = (side: string) => z.number().nullable().describe(`price used to value ${side}, USD`);
const balanceUsd = (side: string) => z.number().nullable().describe(`USD value of the balance of ${side}`);

/** A pool's newest trade at a given time. */
export const TRADE_FIELDS = {
  block_number: z.int().nullable().describe("block of the most recent swap in the pool"),
  timestamp: z.int().nullable().describe("time of the most recent swap, unix seconds"),
};

/** A pool's balances at a given time, and their value. */
export const VALUE_FIELDS = {
  token_0_balance: amount("token 0"),
  token_1_balance: amount("token 1"),
  token_0_price_usd: price("token 0"),
  token_1_price_usd: price("token 1"),
  token_0_balance_usd: balanceUsd("token 0"),
  token_1_balance_usd: balanceUsd("token 1"),
  tvl_usd: z
    .number()
    .nullable()
    .describe("USD value of all tokens; if there are two, token_0_balance_usd plus token_1_balance_usd"),
  liquidity_usd: z
    .number()
    .nullable()
    .describe(
      "USD value of the stablecoin balance or, if the pool has no stablecoin, of the wrapped native coin balance",
    ),
};

export function tradeFieldsOf(tvl: PoolTvl | undefined) {
  return {
    block_number: tvl?.newestTrade?.blockNumber ?? null,
    timestamp: tvl?.newestTrade?.tradedAt ?? null,
  };
}

export function valueFieldsOf(tvl: PoolTvl | undefined) {
  const [side0, side1] = tvl?.sides ?? [];
  return {
    token_0_balance: side0?.balance ?? null,
    token_1_balance: side1?.balance ?? null,
    token_0_price_usd: side0?.price ?? null,
    token_1_price_usd: side1?.price ?? null,
    token_0_balance_usd: side0?.balanceUsd ?? null,
    token_1_balance_usd: side1?.balanceUsd ?? null,
    tvl_usd: tvl?.tvlUsd ?? null,
    liquidity_usd: tvl?.liquidityUsd ?? null,
  };
}

/** The USDC/WETH pair of Uniswap V2 on 2024-01-05. */
export const TRADE_EXAMPLE = { block_number: 18940012, timestamp: 1704455951 };

export const VALUE_EXAMPLE = {
  token_0_balance: 44_800_000,
  token_1_balance: 20_000,
  token_0_price_usd: 1,
  token_1_price_usd: 2240,
  token_0_balance_usd: 44_800_000,
  token_1_balance_usd: 44_800_000,
  tvl_usd: 89_600_000,
  liquidity_usd: 44_800_000,
};
