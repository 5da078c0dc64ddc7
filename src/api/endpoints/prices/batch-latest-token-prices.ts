import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { readLatestPrices } from "../../../reads/prices/latest-prices.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { readTokenFacts } from "../../../reads/trades/token-facts.ts";
import type { TradePrice } from "../../../schema/trade-price.ts";
import type { MemoryRead } from "../../../serving/memory-read.ts";
import type { PricedTrade, PriceExtremes } from "../../../serving/tokens/price-extremes.ts";
import type { TokenFacts } from "../../../serving/tokens/token-facts.ts";
import { JsonCache, JsonText } from "../../answers/json-text.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { chainParameter, priceTypeParameter, tokensParameter } from "../../parameters/shared-parameters.ts";

const latestPriceShape = z.strictObject({
  token_address: z.string(),
  token_symbol: z.string().nullable(),
  token_name: z.string().nullable(),
  block_number: z.int().nullable(),
  timestamp: z.int().nullable().describe("unix seconds"),
  transaction_hash: z.string().nullable(),
  price_eth: z.number().nullable().describe("native coin per token"),
  price_usd: z.number().nullable().describe("USD per token"),
});

export const batchLatestTokenPrices = endpoint({
  name: "getBatchLatestTokenPrices",
  methods: ["GET", "POST"],
  path: "/v1/price-api/batch-latest-token-prices",
  title: "Latest prices",
  summary: "Latest price of up to 10,000 tokens, in request order; null if unknown.",
  parameters: {
    token_address: tokensParameter(),
    chain: chainParameter(),
    price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
  },
  answer: z.array(latestPriceShape),
  example: {
    parameters: { token_address: ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"] },
    answer: [
      {
        token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
        token_symbol: "WETH",
        token_name: "Wrapped Ether",
        block_number: 17686121,
        timestamp: 1689280259,
        transaction_hash: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
        price_eth: 1,
        price_usd: 2004.51,
      },
    ],
  },
  cost: "read",
  question: ({ token_address: tokens, chain, price_type }) => ({
    chain,
    fromMemory: (memory) => JsonText.list(tokens.map((token) => printed(memory, token, price_type))),
    fromEngine: async (reader, limits) => {
      const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
        Promise.all([readLatestPrices(snapshot, tokens, price_type), readTokenFacts(snapshot, tokens)]),
      );
      const [trades, facts] = answer;
      const items = tokens.map((token) => present(token, trades.get(token), facts.get(token)));
      return { answer: items, asOf };
    },
  }),
});

const texts = new JsonCache<PriceExtremes>();

function printed(memory: MemoryRead, token: Hex, priceType: TradePrice): string {
  const prices = memory.prices(token, priceType);
  return texts.textOf(
    prices,
    () => present(token, prices?.closed, memory.facts(token)),
    () => memory.isComplete,
  );
}

/** @param trade the token's newest trade with a price */
function present(
  token: Hex,
  trade: PricedTrade | null | undefined,
  facts: TokenFacts | null | undefined,
): z.infer<typeof latestPriceShape> {
  return {
    token_address: token,
    token_symbol: facts?.tokenSymbol ?? null,
    token_name: facts?.tokenName ?? null,
    block_number: trade?.blockNumber ?? null,
    timestamp: trade?.tradedAt ?? null,
    transaction_hash: trade?.transactionHash ?? null,
    price_eth: trade?.priceEth ?? null,
    price_usd: trade?.price ?? null,
  };
}
