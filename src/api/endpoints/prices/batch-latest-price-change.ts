import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { type PriceChange, readPriceChanges } from "../../../reads/prices/price-changes.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { TIMESTAMP } from "../../../reads/values/number-values.ts";
import { priceChangeIn } from "../../../reads/window/price-changes.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { LOOKBACK } from "../../parameters/kinds/durations.ts";
import { CURRENT_TIME, optional } from "../../parameters/parameter.ts";
import { chainParameter, priceTypeParameter, tokensParameter } from "../../parameters/shared-parameters.ts";

const priceChange = z.strictObject({
  token_address: z.string(),
  timestamp_open: z.int().nullable().describe("start of the period, unix seconds"),
  timestamp_close: z.int().nullable().describe("end of the period, unix seconds"),
  price_open: z
    .number()
    .nullable()
    .describe(
      "price of the last trade at or before the start, or of the first trade in the period if there is none, USD per token",
    ),
  price_close: z.number().nullable().describe("price of the last trade at or before the end, USD per token"),
  change_pct: z.number().nullable().describe("change_abs as a percentage of price_open"),
  change_abs: z.number().nullable().describe("price_close minus price_open, USD per token"),
});

export const batchLatestPriceChange = endpoint({
  name: "getBatchLatestPriceChange",
  methods: ["GET", "POST"],
  path: "/v1/price-api/batch-latest-price-change",
  title: "Price changes",
  summary: "Price change over a period for up to 10,000 tokens, in request order; null if no price is known.",
  parameters: {
    token_address: tokensParameter(),
    chain: chainParameter(),
    price_type: priceTypeParameter("price_token_usd_tick_1"),
    timestamp: optional(TIMESTAMP, CURRENT_TIME, "end of the period"),
    lookback: optional(
      LOOKBACK,
      "24h",
      "length of the period, a number and a unit (s, m, h or d), at most 30d",
    ),
  },
  answer: z.array(priceChange),
  example: {
    parameters: {
      token_address: ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
      timestamp: 1704455999,
      lookback: "1h",
    },
    answer: [
      {
        token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
        timestamp_open: 1704452399,
        timestamp_close: 1704455999,
        price_open: 2240,
        price_close: 2242.8,
        change_pct: 0.125,
        change_abs: 2.8,
      },
    ],
  },
  cost: "read",
  settledAt: ({ timestamp }) => timestamp,
  question({ token_address: tokens, chain, price_type: priceType, timestamp: until, lookback }) {
    const query = { priceType, from: until - lookback, until };
    const presentAll = (changeOf: (token: Hex) => PriceChange | null) =>
      tokens.map((token) => present(token, changeOf(token), query.from, until));
    return {
      chain,
      fromMemory: (memory) => presentAll((token) => priceChangeIn(memory, token, query)),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
          readPriceChanges(snapshot, { ...query, tokens }),
        );
        return { answer: presentAll((token) => answer.get(token) ?? null), asOf };
      },
    };
  },
});

function present(
  token: Hex,
  change: PriceChange | null,
  from: number,
  until: number,
): z.infer<typeof priceChange> {
  if (change === null) return { token_address: token, ...UNKNOWN };
  const { open, close } = change;
  return {
    token_address: token,
    timestamp_open: from,
    timestamp_close: until,
    price_open: open,
    price_close: close,
    change_pct: finite(((close - open) / open) * 100),
    change_abs: finite(close - open),
  };
}

const UNKNOWN = {
  timestamp_open: null,
  timestamp_close: null,
  price_open: null,
  price_close: null,
  change_pct: null,
  change_abs: null,
};

/**
 * Returns a change; null if it is not finite, because it is a percentage of zero or beyond the range of
 * doubles.
 */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
