import { z } from "zod";
import { MAX_SEARCH_TEXT } from "../../../reads/search/search-text.ts";
import { findSymbol, readSymbol, type SymbolFacts } from "../../../reads/symbols/symbols.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { HttpError } from "../../errors/errors.ts";
import { CHART_SYMBOL, printSymbol } from "../../parameters/kinds/charts.ts";
import { shortText } from "../../parameters/kinds/words.ts";
import { required } from "../../parameters/parameter.ts";
import { preview } from "../../parameters/preview.ts";
import { maxLagParameter } from "../../parameters/shared-parameters.ts";
import { priceScale } from "./price-scale.ts";
import { MULTIPLIERS, RESOLUTIONS } from "./resolutions.ts";

/** Maximum length of a symbol: a chain, the address of a token, and the address or id of a pool. */
const MAX_SYMBOL = 200;

const symbolInfo = z.strictObject({
  name: z.string(),
  ticker: z.string().describe("the symbol for /udf/history and /udf/marks"),
  full_name: z.string(),
  description: z.string(),
  type: z.literal("crypto"),
  session: z.literal("24x7"),
  timezone: z.literal("Etc/UTC"),
  exchange: z.string().describe("the chain"),
  listed_exchange: z.string(),
  currency_code: z.literal("USD"),
  format: z.literal("price"),
  minmov: z.literal(1),
  pricescale: z
    .int()
    .describe(
      "10 to the power of the number of decimals in prices, chosen so that the current price has five significant digits",
    ),
  visible_plots_set: z.literal("ohlcv").describe("bars have a volume, in USD"),
  volume_precision: z.literal(2),
  has_intraday: z.literal(true),
  has_seconds: z.literal(true),
  has_daily: z.literal(true),
  has_weekly_and_monthly: z.literal(true),
  seconds_multipliers: z.array(z.string()),
  intraday_multipliers: z.array(z.string()),
  daily_multipliers: z.array(z.string()),
  weekly_multipliers: z.array(z.string()),
  monthly_multipliers: z.array(z.string()),
  supported_resolutions: z.array(z.string()),
  data_status: z.literal("streaming"),
});

const FIXED = {
  type: "crypto",
  session: "24x7",
  timezone: "Etc/UTC",
  currency_code: "USD",
  format: "price",
  minmov: 1,
  visible_plots_set: "ohlcv",
  volume_precision: 2,
  has_intraday: true,
  has_seconds: true,
  has_daily: true,
  has_weekly_and_monthly: true,
  data_status: "streaming",
} as const;

const LISTS = {
  seconds_multipliers: [...MULTIPLIERS.seconds],
  intraday_multipliers: [...MULTIPLIERS.minutes],
  daily_multipliers: [...MULTIPLIERS.days],
  weekly_multipliers: [...MULTIPLIERS.weeks],
  monthly_multipliers: [...MULTIPLIERS.months],
  supported_resolutions: [...RESOLUTIONS],
};

export const udfSymbols = endpoint({
  name: "udfSymbols",
  methods: ["GET"],
  path: "/udf/symbols",
  title: "Chart symbol",
  summary:
    "How a chart shows a token's price in USD, across all pools or in one: name, decimals and resolutions.",
  parameters: {
    symbol: required(
      shortText(1, MAX_SYMBOL),
      "<chain>:<token address>, <chain>:<token address>@<pool> or <chain>:<pool>, each with or without the chain; or a token symbol or a pair",
    ),
    max_lag: maxLagParameter(),
  },
  answer: symbolInfo,
  example: {
    parameters: { symbol: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" },
    answer: {
      ...FIXED,
      ...LISTS,
      name: "WETH",
      ticker: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      full_name: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      description: "Wrapped Ether",
      exchange: "eth",
      listed_exchange: "eth",
      pricescale: 100,
    },
  },
  cost: "read",
  protocol: "udf",
  async handle({ symbol: given }, { reader, within, now }) {
    const chains = reader.chains.map(({ chain }) => chain.name);
    const exact = CHART_SYMBOL.parse(given, { method: "GET", now, chains }) ?? null;
    const known = exact && (await readSymbol(reader, exact, within));
    // An address that is not a token with a price may be a pool: the contract of many pools is also the token
    // of their shares.
    const isCertain = exact?.pool !== undefined && (exact.pool !== "all" || known?.answer?.priceUsd != null);
    const found = isCertain ? null : await findSymbol(reader, ...wordsOf(given, chains), within);
    const read = found === null ? known : await readSymbol(reader, found, within);
    if (read === null || read.answer === null) throw new UnknownSymbol(given);
    // The symbol may have been found as of another commit.
    return { body: present(read.answer), asOf: null, asOfEach: read.asOf === null ? [] : [read.asOf] };
  },
});

/** Returns the chain with which a string begins, or null, and the rest of the string. */
function wordsOf(given: string, chains: readonly string[]): [chain: string | null, rest: string] {
  const [, name = "", rest = ""] = /^\s*([A-Za-z0-9]+)\s*:\s*(.+)$/.exec(given) ?? [];
  const chain = chains.find((one) => one === name.toLowerCase()) ?? null;
  const text = chain === null ? given : rest;
  if (text.length > MAX_SEARCH_TEXT) throw new UnknownSymbol(given);
  return [chain, text];
}

function present(facts: SymbolFacts): z.infer<typeof symbolInfo> {
  const { chain, pool, symbol, name, protocol, priceUsd } = facts;
  const ticker = printSymbol(facts);
  const tokenName = symbol ?? facts.token;
  const where = pool === "all" ? "" : ` in ${protocol} ${pool.slice(0, 10)}…`;
  return {
    ...FIXED,
    ...LISTS,
    ...{ name: tokenName, ticker, full_name: ticker, description: `${name ?? tokenName}${where}` },
    ...{ exchange: chain, listed_exchange: chain, pricescale: priceScale(priceUsd) },
  };
}

class UnknownSymbol extends HttpError {
  constructor(given: string) {
    super(404, `No indexed token or pool has the symbol ${preview(given)}.`);
  }
}
