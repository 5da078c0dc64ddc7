import type { Hex } from "../../lib/hex.ts";
import { integer } from "../../reads/values/number-values.ts";
import { TRADE_PRICES, type TradePrice } from "../../schema/trade-price.ts";
import { addressList } from "./kinds/lists.ts";
import { BOOLEAN, CHAIN, choice } from "./kinds/words.ts";
import { derived, optional, type Parameter, required } from "./parameter.ts";

/** Makes the parameter that selects which price of a trade to use. */
export function priceTypeParameter(fallback: TradePrice): Parameter<TradePrice> {
  return optional(
    choice(TRADE_PRICES),
    fallback,
    "price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers",
  );
}

/** Makes the parameter that selects whether to exclude trades with a wash verdict. */
export function excludeWashParameter(from: string): Parameter<boolean> {
  return optional(BOOLEAN, false, `true: leaves wash trades (docs/verdicts.md) out of ${from}`);
}

export function chainParameter(): Parameter<string> {
  return optional(CHAIN, "eth", "chain to query; GET /v1/status lists the available chains");
}

/** Maximum value of `max_lag`: ten years; a larger one would be useless. */
const MAX_LAG_SECONDS = 315_360_000;

/**
 * Makes the parameter that limits the age of the newest block. Every endpoint with the parameter `chain` has
 * it.
 */
export function maxLagParameter(): Parameter<number | undefined> {
  return derived(
    integer({ min: 1, max: MAX_LAG_SECONDS }),
    "maximum age of the answer, in seconds: if the newest block that it reflects is older, the request fails with 503; by default, any age is accepted",
  );
}

/** Maximum number of addresses that batch endpoints accept by GET; longer lists need a body. */
export const MAX_ADDRESSES_ON_GET = 25;

/** Maximum number of tokens: a JSON body with this many addresses takes 450 KB. */
const MAX_TOKENS = 10_000;

/** Makes the parameter for the tokens of a batch endpoint. */
export function tokensParameter(): Parameter<Hex[]> {
  return required(
    addressList({ max: MAX_TOKENS, maxOnGet: MAX_ADDRESSES_ON_GET }),
    "tokens; duplicates count once",
  );
}
