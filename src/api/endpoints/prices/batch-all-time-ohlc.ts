import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { readAllTime } from "../../../reads/prices/all-time-prices.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import type { ExtremeTrades, PriceExtremes } from "../../../serving/tokens/price-extremes.ts";
import { JsonCache, JsonText } from "../../answers/json-text.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { POOL_OR_ALL } from "../../parameters/kinds/lists.ts";
import { optional } from "../../parameters/parameter.ts";
import { chainParameter, priceTypeParameter, tokensParameter } from "../../parameters/shared-parameters.ts";

const price = z.number().nullable().describe("USD per token");
const time = z.int().nullable().describe("unix seconds");
const transaction = z.string().nullable();

const allTimePrices = z.strictObject({
  token_address: z.string(),
  price_open: price.describe("price of the first trade with a price, USD per token"),
  price_high: price,
  price_low: price,
  price_close: price.describe("price of the newest trade with a price, USD per token"),
  timestamp_open: time,
  timestamp_high: time,
  timestamp_low: time,
  timestamp_close: time,
  transaction_hash_open: transaction,
  transaction_hash_high: transaction.describe("first trade at that price"),
  transaction_hash_low: transaction.describe("first trade at that price"),
  transaction_hash_close: transaction,
});

export const batchAllTimeOhlc = endpoint({
  name: "getBatchAllTimeOHLC",
  methods: ["GET", "POST"],
  path: "/v1/price-api/batch-all-time-ohlc",
  title: "All-time prices",
  summary:
    "First, highest, lowest and latest price ever of up to 10,000 tokens, in request order; null if unknown.",
  parameters: {
    token_address: tokensParameter(),
    pool_address: optional(POOL_OR_ALL, "all", "pool whose trades are used; all: every pool"),
    chain: chainParameter(),
    price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
  },
  answer: z.array(allTimePrices),
  example: {
    parameters: { token_address: ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"] },
    answer: [
      {
        token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
        price_open: 2268.17,
        price_high: 2277.64,
        price_low: 2205.13,
        price_close: 2241.92,
        timestamp_open: 1704412823,
        timestamp_high: 1704440087,
        timestamp_low: 1704452411,
        timestamp_close: 1704455951,
        transaction_hash_open: "0x0bb5e0dc49ae0b5a1949beabadc64522dd5615415a168650a3b592a84ae5ee05",
        transaction_hash_high: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
        transaction_hash_low: "0x82c97699fb60a3f82b8cfa14cf6640e181bce5a940cfa0f7511e94edb47e33b8",
        transaction_hash_close: "0x3c78e0a92d12b38375da794749bcf8e3e6ac25de29f4ffdf5a9a21f72e0dafde",
      },
    ],
  },
  cost: "read",
  question: ({ token_address: tokens, pool_address: pool, chain, price_type }) => ({
    chain,
    fromMemory(memory) {
      // The serving state does not hold prices per pool.
      if (pool !== "all") memory.leaveToEngine();
      return JsonText.list(tokens.map((token) => printed(token, memory.prices(token, price_type))));
    },
    fromEngine: async (reader, limits) => {
      const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
        readAllTime(snapshot, tokens, pool, price_type),
      );
      return { answer: tokens.map((token) => present(token, answer.get(token) ?? null)), asOf };
    },
  }),
});

const texts = new JsonCache<PriceExtremes>();

function printed(token: Hex, prices: PriceExtremes | null): string {
  return texts.textOf(
    prices,
    () => present(token, prices),
    () => true,
  );
}

function present(token: Hex, prices: ExtremeTrades | null): z.infer<typeof allTimePrices> {
  return {
    token_address: token,
    price_open: prices?.opened.price ?? null,
    price_high: prices?.highest.price ?? null,
    price_low: prices?.lowest.price ?? null,
    price_close: prices?.closed.price ?? null,
    timestamp_open: prices?.opened.tradedAt ?? null,
    timestamp_high: prices?.highest.tradedAt ?? null,
    timestamp_low: prices?.lowest.tradedAt ?? null,
    timestamp_close: prices?.closed.tradedAt ?? null,
    transaction_hash_open: prices?.opened.transactionHash ?? null,
    transaction_hash_high: prices?.highest.transactionHash ?? null,
    transaction_hash_low: prices?.lowest.transactionHash ?? null,
    transaction_hash_close: prices?.closed.transactionHash ?? null,
  };
}
