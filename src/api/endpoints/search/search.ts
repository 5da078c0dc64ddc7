import { z } from "zod";
import type { ChainResults, PoolResult, SearchQuery, TokenResult } from "../../../reads/search/search.ts";
import { searchChains } from "../../../reads/search/search-chains.ts";
import { MAX_SEARCH_TEXT, searchTextOf } from "../../../reads/search/search-text.ts";
import { integer } from "../../../reads/values/number-values.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { BOOLEAN, CHAIN, choice, shortText } from "../../parameters/kinds/words.ts";
import { derived, optional, required } from "../../parameters/parameter.ts";
import { POOL_FIELDS, SPAM_FIELD, TOKEN_FIELDS } from "./listed-fields.ts";

/** Maximum number of results, as many as a list shows; each further result makes the verdicts slower. */
const MAX_RESULTS = 50;

const TRADING_FIELDS = {
  volume_24h_usd: z
    .number()
    .nullable()
    .describe(
      "volume in the 24 hours before the newest block, USD; null if the value of every trade is unknown",
    ),
  trades_24h: z.int().describe("trades in that time"),
  accepted_trades_24h: z.int().describe("trades whose price was accepted: see docs/prices.md"),
  ...SPAM_FIELD,
};

const tokenResult = z.strictObject({ ...TOKEN_FIELDS, ...TRADING_FIELDS });
const poolResult = z.strictObject({ ...POOL_FIELDS, ...TRADING_FIELDS });

export const searchAnswer = z.strictObject({
  tokens: z.array(tokenResult),
  pools: z.array(poolResult),
  hidden_spam: z.int().describe("results that were left out because they are spam"),
});

export const search = endpoint({
  name: "search",
  methods: ["GET", "POST"],
  path: "/v1/search",
  title: "Search",
  summary:
    "Tokens and pools by symbol, name, pair or start of the address: exact symbols first, then those with accepted trades, then by volume. Spam is left out.",
  parameters: {
    query: required(
      shortText(1, MAX_SEARCH_TEXT),
      "a symbol or name, or part of one; a pair such as weth/usdc; or the start of an address or pool id, 0x and at least two digits",
    ),
    chain: derived(CHAIN, "chain to search; by default all chains that are served"),
    kind: optional(choice(["all", "token", "pool"]), "all", "all: tokens and pools"),
    size: optional(integer({ min: 1, max: MAX_RESULTS }), 10, "maximum number of tokens, and of pools"),
    show_spam: optional(BOOLEAN, false, "true: include spam tokens and their pools, after the others"),
  },
  answer: searchAnswer,
  example: {
    parameters: { query: "weth", size: 1 },
    answer: {
      tokens: [
        {
          chain: "eth",
          token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
          token_symbol: "WETH",
          token_name: "Wrapped Ether",
          volume_24h_usd: 186402113.5,
          trades_24h: 3040,
          accepted_trades_24h: 3021,
          spam_reasons: null,
        },
      ],
      pools: [
        {
          chain: "eth",
          pool_address: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
          protocol: "uniswap_v3",
          fee: 500,
          token_addresses: [
            "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
          ],
          token_symbols: ["USDC", "WETH"],
          volume_24h_usd: 120402113.25,
          trades_24h: 2140,
          accepted_trades_24h: 2139,
          spam_reasons: null,
        },
      ],
      hidden_spam: 0,
    },
  },
  cost: "read",
  async handle({ query: text, chain, kind, size, show_spam: showsSpam }, { reader, within }) {
    const query: SearchQuery = {
      text: searchTextOf(text),
      wantsTokens: kind !== "pool",
      wantsPools: kind !== "token",
      ...{ size, showsSpam },
    };
    const { answer, ...asOf } = await searchChains(reader, chain ?? "all", query, within);
    return { body: present(answer), ...asOf };
  },
});

function present({ tokens, pools, hidden }: ChainResults) {
  return { tokens: tokens.map(presentToken), pools: pools.map(presentPool), hidden_spam: hidden };
}

function presentToken(found: TokenResult): z.infer<typeof tokenResult> {
  const { chain, token, symbol, name } = found;
  return { chain, token_address: token, token_symbol: symbol, token_name: name, ...trading(found) };
}

function presentPool(found: PoolResult): z.infer<typeof poolResult> {
  const { chain, pool, protocol, fee, tokens, symbols } = found;
  return {
    ...{ chain, pool_address: pool, protocol, fee },
    ...{ token_addresses: tokens, token_symbols: symbols, ...trading(found) },
  };
}

function trading({ volumeUsd, trades, accepted, spamReasons }: TokenResult | PoolResult) {
  return {
    ...{ volume_24h_usd: volumeUsd, trades_24h: trades },
    ...{ accepted_trades_24h: accepted, spam_reasons: spamReasons },
  };
}
