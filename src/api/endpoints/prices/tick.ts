import { z } from "zod";
import { DAY_SECONDS } from "../../../lib/seconds.ts";
import { readTicks } from "../../../reads/prices/ticks.ts";
import { collectSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { integer, TIMESTAMP } from "../../../reads/values/number-values.ts";
import { ticksIn } from "../../../reads/window/ticks.ts";
import { JsonText } from "../../answers/json-text.ts";
import { bufferAnswer } from "../../answers/unread/buffered-answer.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { addressList, poolListOrAll } from "../../parameters/kinds/lists.ts";
import { CURRENT_TIME, derived, InvalidParameter, optional, required } from "../../parameters/parameter.ts";
import { requirePeriod } from "../../parameters/period.ts";
import {
  chainParameter,
  excludeWashParameter,
  MAX_ADDRESSES_ON_GET,
  priceTypeParameter,
} from "../../parameters/shared-parameters.ts";

const tick = z.strictObject({
  block_number: z.int(),
  timestamp: z.int().describe("unix seconds"),
  transaction_hash: z.string(),
  price_usd: z.number().describe("USD per token"),
  price_eth: z.number().nullable().describe("native coin per token"),
  amount_token: z.number().nullable().describe("tokens traded"),
});

const ticksOfToken = z.strictObject({
  token_address: z.string(),
  token_symbol: z.string().nullable(),
  token_name: z.string().nullable(),
  data: z.array(tick).describe("newest first"),
});

/**
 * Limits on the number of tokens. Each token needs its own query, so an answer for 100 tokens takes seconds.
 */
const LISTED = { max: 100, maxOnGet: MAX_ADDRESSES_ON_GET };

const MAX_TICKS_PER_TOKEN = 100_000;

/**
 * Maximum number of ticks for all tokens together: 200 MB of JSON, which the service buffers on disk before
 * sending it.
 */
const MAX_TICKS = 1_000_000;

const DEFAULT_PERIOD_SECONDS = 10 * DAY_SECONDS;

export const tickPrices = endpoint({
  name: "getPriceHistoricalTick",
  methods: ["GET", "POST"],
  path: "/v1/price/historical/tick",
  title: "Ticks",
  summary:
    "Prices of individual trades, newest first: one object for one token, an array of objects for several.",
  parameters: {
    token_address: required(addressList(LISTED), "one or more tokens; duplicates count once"),
    pool_address: optional(
      poolListOrAll(LISTED),
      "all",
      "one or more pools whose trades are used; all: every pool",
    ),
    chain: chainParameter(),
    price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
    from_timestamp: derived(
      TIMESTAMP,
      "earliest trade time, unix seconds; by default ten days before until_timestamp",
    ),
    until_timestamp: optional(TIMESTAMP, CURRENT_TIME, "latest trade time, unix seconds"),
    exclude_wash: excludeWashParameter("the ticks"),
    size: optional(
      integer({ min: 1, max: MAX_TICKS_PER_TOKEN }),
      100,
      "number of newest ticks per token; at most 1,000,000 across all tokens",
    ),
  },
  answer: z.union([ticksOfToken, z.array(ticksOfToken)]),
  example: {
    parameters: { token_address: ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"], size: 1 },
    answer: {
      token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      token_symbol: "WETH",
      token_name: "Wrapped Ether",
      data: [
        {
          block_number: 18937382,
          timestamp: 1704412823,
          transaction_hash: "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
          price_usd: 2268.611,
          price_eth: 1,
          amount_token: 0.01,
        },
      ],
    },
  },
  cost: "read",
  dependsOn: (values, commit) => ({
    ...values,
    from_timestamp: startOf(values.from_timestamp, values.until_timestamp),
    until_timestamp: Math.min(values.until_timestamp, commit.timestamp),
  }),
  question(values, { limits: apiLimits, client, now }) {
    const { token_address: tokens, until_timestamp: until, size } = values;
    const from = startOf(values.from_timestamp, until);
    requirePeriod(from, until, now);
    requireSize(size, tokens.length);
    const { pool_address: pools, price_type: priceType, exclude_wash: excludeWash } = values;
    const query = { tokens, pools, priceType, from, until, size, excludeWash };
    return {
      chain: values.chain,
      fromMemory: (memory) => new JsonText(ticksIn(memory, query)),
      fromEngine: (reader, limits) =>
        collectSnapshot(reader, {
          chain: values.chain,
          limits,
          pieces: (snapshot) => readTicks(snapshot, query),
          collect: (json) => bufferAnswer(json, apiLimits, client()),
        }),
    };
  },
});

function startOf(from: number | undefined, until: number): number {
  return from ?? Math.max(0, until - DEFAULT_PERIOD_SECONDS);
}

function requireSize(size: number, tokens: number): void {
  if (tokens * size <= MAX_TICKS) return;
  const allowed = `an integer from 1 to ${Math.floor(MAX_TICKS / tokens)}`;
  throw new InvalidParameter("size", String(size), allowed, `for ${tokens} tokens`);
}
