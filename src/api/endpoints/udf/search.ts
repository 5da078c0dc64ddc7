import { z } from "zod";
import type { PoolResult, TokenResult } from "../../../reads/search/search.ts";
import { searchChains } from "../../../reads/search/search-chains.ts";
import { MAX_SEARCH_TEXT, searchTextOf } from "../../../reads/search/search-text.ts";
import type { Reader } from "../../../reads/snapshot/snapshot.ts";
import { symbolOfPool } from "../../../reads/symbols/symbols.ts";
import { integer } from "../../../reads/values/number-values.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { CHAIN_OR_ALL, choiceOrAll, printSymbol } from "../../parameters/kinds/charts.ts";
import { shortText } from "../../parameters/kinds/words.ts";
import { optional } from "../../parameters/parameter.ts";
import { maxLagParameter } from "../../parameters/shared-parameters.ts";

/** Maximum number of results: as many as /v1/search returns of each kind. */
const MAX_RESULTS = 50;

const foundSymbol = z.strictObject({
  symbol: z.string().describe("symbol of the token, or of the pool's tokens"),
  full_name: z.string(),
  ticker: z.string().describe("the symbol for the other requests"),
  description: z.string(),
  exchange: z.string().describe("the chain"),
  type: z.enum(["token", "pool"]),
});

export const udfSearch = endpoint({
  name: "udfSearch",
  methods: ["GET"],
  path: "/udf/search",
  title: "Chart symbol search",
  summary: "Symbols by name, as /v1/search finds them: tokens, then pools; without spam.",
  parameters: {
    query: optional(shortText(0, MAX_SEARCH_TEXT), "", "as in /v1/search; empty: the most traded tokens"),
    type: optional(choiceOrAll(["token", "pool"]), "all", "kind of symbols"),
    exchange: optional(CHAIN_OR_ALL, "all", "chain"),
    limit: optional(integer({ min: 1, max: MAX_RESULTS }), 30, "maximum number of symbols"),
    max_lag: maxLagParameter(),
  },
  answer: z.array(foundSymbol),
  example: {
    parameters: { query: "weth", limit: 1 },
    answer: [
      {
        symbol: "WETH",
        full_name: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
        ticker: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
        description: "Wrapped Ether",
        exchange: "eth",
        type: "token",
      },
    ],
  },
  cost: "read",
  protocol: "udf",
  async handle({ query: text, type, exchange, limit: size }, { reader, within }) {
    const query = {
      text: searchTextOf(text),
      ...{ wantsTokens: type !== "pool", wantsPools: type !== "token" },
    };
    const { answer, ...asOf } = await searchChains(
      reader,
      exchange,
      { ...query, size, showsSpam: false },
      within,
    );
    const found = [
      ...answer.tokens.map(tokenSymbol),
      ...answer.pools.flatMap((pool) => poolSymbol(reader, pool)),
    ];
    return { body: found.slice(0, size), ...asOf };
  },
});

function tokenSymbol({ chain, token, symbol, name }: TokenResult): z.infer<typeof foundSymbol> {
  const ticker = printSymbol({ chain, token, pool: "all" });
  const title = symbol ?? token;
  return {
    symbol: title,
    full_name: ticker,
    ticker,
    description: name ?? title,
    exchange: chain,
    type: "token",
  };
}

/** Returns the symbol of a pool in a list; the list is empty if the pool's tokens are not known. */
function poolSymbol(reader: Reader, pool: PoolResult): z.infer<typeof foundSymbol>[] {
  const known = symbolOfPool(reader, pool);
  if (known === null) return [];
  const ticker = printSymbol(known);
  const symbol = pool.symbols.map((each) => each ?? "?").join("/");
  const description = `${symbol} ${pool.protocol} ${pool.pool.slice(0, 10)}…`;
  return [{ symbol, full_name: ticker, ticker, description, exchange: pool.chain, type: "pool" }];
}
