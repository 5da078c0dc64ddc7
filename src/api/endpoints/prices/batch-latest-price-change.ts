import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { type PriceChange, readPriceChanges } from "../../../reads/prices/price-changes.ts";
import { ask } from "../../../reads/snapshot/snapshot.ts";
import { queryLimits } from "../../admission/limits.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { lookback, timestamp } from "../../parameters/kinds.ts";
import { CURRENT_TIME, optional } from "../../parameters/parameter.ts";
import { priceType, theChain, tokenBatch } from "../../parameters/shared-parameters.ts";

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
    token_address: tokenBatch(),
    chain: theChain(),
    price_type: priceType("price_token_usd_tick_1"),
    timestamp: optional(timestamp(), CURRENT_TIME, "end of the period"),
    lookback: optional(
      lookback(),
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
  async handle(values, { reader, limits, signal }) {
    const { token_address: tokens, timestamp: until } = values;
    const from = until - values.lookback;
    const { answer, asOf } = await ask(reader, {
      chain: values.chain,
      limits: queryLimits(limits, signal),
      read: (snapshot) => readPriceChanges(snapshot, { tokens, priceType: values.price_type, from, until }),
    });
    return { body: tokens.map((token) => present(token, answer.get(token), { from, until })), asOf };
  },
});

function present(
  token: Hex,
  change: PriceChange | undefined,
  { from, until }: { from: number; until: number },
): z.infer<typeof priceChange> {
  if (change === undefined) return { token_address: token, ...NOTHING_KNOWN };
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

const NOTHING_KNOWN = {
  timestamp_open: null,
  timestamp_close: null,
  price_open: null,
  price_close: null,
  change_pct: null,
  change_abs: null,
};

/** Against a price of zero there is no change in percent, and doubles end somewhere. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
