import { z } from "zod";
import { readPoolTvlHistory, type TvlPoint } from "../../../reads/pools/pool-tvl-history.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { POOL } from "../../../reads/values/hex-values.ts";
import { integer, TIMESTAMP } from "../../../reads/values/number-values.ts";
import { PRICE_TYPES } from "../../../schema/trade-price.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { INTERVAL } from "../../parameters/kinds/durations.ts";
import { choice } from "../../parameters/kinds/words.ts";
import { CURRENT_TIME, optional, required } from "../../parameters/parameter.ts";
import { requirePeriod } from "../../parameters/period.ts";
import { chainParameter } from "../../parameters/shared-parameters.ts";
import {
  TRADE_EXAMPLE,
  TRADE_FIELDS,
  tradeFieldsOf,
  VALUE_EXAMPLE,
  VALUE_FIELDS,
  valueFieldsOf,
} from "./tvl-fields.ts";

/** Maximum number of points: more than a chart can show; 400 KB as JSON. */
const MAX_POINTS = 1_000;

const tvlPoint = z.strictObject({
  as_of_timestamp: z.int().describe("time of the balances and prices, unix seconds"),
  ...TRADE_FIELDS,
  ...VALUE_FIELDS,
});

export const poolTvlHistory = endpoint({
  name: "getPoolTvlHistory",
  methods: ["GET", "POST"],
  path: "/v1/market-api/pool-tvl-history",
  title: "Pool TVL over time",
  summary: "Balances and value of a pool at up to 1,000 points in time.",
  parameters: {
    pool_address: required(POOL, "pool"),
    chain: chainParameter(),
    price_type: optional(choice(PRICE_TYPES), "price_token_usd_tick_1", "price used to value the tokens"),
    interval: optional(INTERVAL, "1d", "time between two points; every point is at a multiple of it"),
    from_timestamp: optional(TIMESTAMP, 0, "earliest as_of_timestamp"),
    until_timestamp: optional(TIMESTAMP, CURRENT_TIME, "latest as_of_timestamp"),
    max_size: optional(
      integer({ min: 1, max: MAX_POINTS }),
      100,
      "maximum number of points in the response, after ordering",
    ),
    order: optional(choice(["desc", "asc"]), "desc", "desc: newest first; asc: oldest first"),
  },
  answer: z.strictObject({
    pool_address: z.string(),
    token_0_address: z.string().nullable(),
    token_1_address: z.string().nullable(),
    data: z.array(tvlPoint),
  }),
  example: {
    parameters: {
      pool_address: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
      interval: "1h",
      until_timestamp: 1704456000,
      max_size: 1,
    },
    answer: {
      pool_address: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
      token_0_address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      token_1_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      data: [
        {
          as_of_timestamp: 1704456000,
          ...TRADE_EXAMPLE,
          ...VALUE_EXAMPLE,
        },
      ],
    },
  },
  cost: "read",
  async handle(values, { reader, within, now }) {
    const { pool_address: pool, from_timestamp: from, until_timestamp: until } = values;
    requirePeriod(from, until, now);
    const query = {
      ...{ pool, from, until, order: values.order },
      ...{ priceType: values.price_type, intervalSeconds: values.interval, maxSize: values.max_size },
    };
    const { answer, asOf } = await readSnapshot(reader, values.chain, within, (snapshot) =>
      readPoolTvlHistory(snapshot, query),
    );
    const [token0 = null, token1 = null] = answer?.tokens ?? [];
    const data = (answer?.points ?? []).map(present);
    return { body: { pool_address: pool, token_0_address: token0, token_1_address: token1, data }, asOf };
  },
});

function present(point: TvlPoint): z.infer<typeof tvlPoint> {
  return { as_of_timestamp: point.at, ...tradeFieldsOf(point), ...valueFieldsOf(point) };
}
