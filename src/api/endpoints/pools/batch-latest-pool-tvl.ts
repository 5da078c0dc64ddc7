import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { type PoolTvl, readPoolTvls } from "../../../reads/pools/pool-tvl.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { PRICE_TYPES } from "../../../reads/trades/trade-price.ts";
import { TIMESTAMP } from "../../../reads/values/number-values.ts";
import { queryLimits } from "../../admission/limits.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { poolList } from "../../parameters/kinds/lists.ts";
import { choice } from "../../parameters/kinds/words.ts";
import { CURRENT_TIME, optional, required } from "../../parameters/parameter.ts";
import { chainParameter, MAX_ADDRESSES_ON_GET } from "../../parameters/shared-parameters.ts";

/** Each pool needs the newest rows of several histories: this many take a fraction of a second. */
const MAX_POOLS = 1_000;

const amount = (side: string) => z.number().nullable().describe(`balance of ${side}, tokens`);
const price = (side: string) => z.number().nullable().describe(`price of ${side} in force, USD`);
const balanceUsd = (side: string) => z.number().nullable().describe(`USD value of the balance of ${side}`);

const poolTvl = z.strictObject({
  pool_address: z.string(),
  block_number: z.int().nullable().describe("block of the most recent swap in the pool"),
  timestamp: z.int().nullable().describe("time of the most recent swap, unix seconds"),
  token_0_address: z.string().nullable(),
  token_1_address: z.string().nullable(),
  token_0_balance: amount("token 0"),
  token_1_balance: amount("token 1"),
  token_0_price_usd: price("token 0"),
  token_1_price_usd: price("token 1"),
  token_0_balance_usd: balanceUsd("token 0"),
  token_1_balance_usd: balanceUsd("token 1"),
  tvl_usd: z.number().nullable().describe("token_0_balance_usd plus token_1_balance_usd"),
  liquidity_usd: z
    .number()
    .nullable()
    .describe("USD value of the stable coin's balance, otherwise of the wrapped native coin's"),
});

export const batchLatestPoolTvl = endpoint({
  name: "getBatchLatestPoolTvl",
  methods: ["GET", "POST"],
  path: "/v1/market-api/batch-latest-pool-tvl",
  title: "Pool TVL",
  summary: "Balances and value of up to 1,000 pools, in request order; null if unknown.",
  parameters: {
    pool_address: required(
      poolList({ max: MAX_POOLS, maxOnGet: MAX_ADDRESSES_ON_GET }),
      "pools; duplicates count once",
    ),
    chain: chainParameter(),
    price_type: optional(choice(PRICE_TYPES), "price_token_usd_tick_1", "price used to value the tokens"),
    timestamp: optional(TIMESTAMP, CURRENT_TIME, "time of the balances and prices"),
  },
  answer: z.strictObject({ data: z.array(poolTvl) }),
  example: {
    parameters: {
      pool_address: ["0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"],
      timestamp: 1704455999,
    },
    answer: {
      data: [
        {
          pool_address: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
          block_number: 18940012,
          timestamp: 1704455951,
          token_0_address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
          token_1_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
          token_0_balance: 44_800_000,
          token_1_balance: 20_000,
          token_0_price_usd: 1,
          token_1_price_usd: 2240,
          token_0_balance_usd: 44_800_000,
          token_1_balance_usd: 44_800_000,
          tvl_usd: 89_600_000,
          liquidity_usd: 44_800_000,
        },
      ],
    },
  },
  cost: "read",
  async handle({ pool_address: pools, chain, price_type, timestamp: at }, { reader, limits, signal }) {
    const { answer, asOf } = await readSnapshot(reader, chain, queryLimits(limits, signal), (snapshot) =>
      readPoolTvls(snapshot, pools, price_type, at),
    );
    return { body: { data: pools.map((pool) => present(pool, answer.get(pool))) }, asOf };
  },
});

function present(pool: Hex, tvl: PoolTvl | undefined): z.infer<typeof poolTvl> {
  const [side0, side1] = tvl?.sides ?? [];
  return {
    pool_address: pool,
    block_number: tvl?.newestTrade?.blockNumber ?? null,
    timestamp: tvl?.newestTrade?.tradedAt ?? null,
    token_0_address: side0?.token ?? null,
    token_1_address: side1?.token ?? null,
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
