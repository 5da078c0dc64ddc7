import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { readPoolTvls } from "../../../reads/pools/pool-tvl.ts";
import type { PoolTvl } from "../../../reads/pools/pool-value.ts";
import { poolTvlsIn } from "../../../reads/pools/pools-in-memory.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { TIMESTAMP } from "../../../reads/values/number-values.ts";
import { PRICE_TYPES } from "../../../schema/trade-price.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { poolList } from "../../parameters/kinds/lists.ts";
import { choice } from "../../parameters/kinds/words.ts";
import { CURRENT_TIME, optional, required } from "../../parameters/parameter.ts";
import { chainParameter, MAX_ADDRESSES_ON_GET } from "../../parameters/shared-parameters.ts";
import {
  TRADE_EXAMPLE,
  TRADE_FIELDS,
  tradeFieldsOf,
  VALUE_EXAMPLE,
  VALUE_FIELDS,
  valueFieldsOf,
} from "./tvl-fields.ts";

/**
 * Maximum number of pools. Each needs the newest rows of several histories: this many take a fraction of a
 * second.
 */
const MAX_POOLS = 1_000;

const poolTvl = z.strictObject({
  pool_address: z.string(),
  ...TRADE_FIELDS,
  token_0_address: z.string().nullable(),
  token_1_address: z.string().nullable(),
  ...VALUE_FIELDS,
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
          ...TRADE_EXAMPLE,
          token_0_address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
          token_1_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
          ...VALUE_EXAMPLE,
        },
      ],
    },
  },
  cost: "read",
  dependsOn: (values, commit) => ({ ...values, timestamp: Math.min(values.timestamp, commit.timestamp) }),
  question: ({ pool_address: pools, chain, price_type: priceType, timestamp: at }) => {
    const answerOf = (tvls: ReadonlyMap<Hex, PoolTvl>) => ({
      data: pools.map((pool) => present(pool, tvls.get(pool))),
    });
    return {
      chain,
      fromMemory: (memory, facts) => answerOf(poolTvlsIn(memory, facts, pools, { priceType, at })),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
          readPoolTvls(snapshot, pools, priceType, at),
        );
        return { answer: answerOf(answer), asOf };
      },
    };
  },
});

function present(pool: Hex, tvl: PoolTvl | undefined): z.infer<typeof poolTvl> {
  const [side0, side1] = tvl?.sides ?? [];
  return {
    pool_address: pool,
    ...tradeFieldsOf(tvl),
    token_0_address: side0?.token ?? null,
    token_1_address: side1?.token ?? null,
    ...valueFieldsOf(tvl),
  };
}
