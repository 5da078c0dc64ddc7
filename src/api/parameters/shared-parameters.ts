import type { Hex } from "../../lib/hex.ts";
import { TRADE_PRICES, type TradePrice } from "../../reads/trades/trade-price.ts";
import { addressList, chain, choice } from "./kinds.ts";
import { optional, type Parameter, required } from "./parameter.ts";

/** Which price of a trade counts. */
export function priceType(fallback: TradePrice): Parameter<TradePrice> {
  return optional(
    choice(TRADE_PRICES),
    fallback,
    "price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers",
  );
}

/** The chain that a question is about. */
export function theChain(): Parameter<string> {
  return optional(chain(), "eth", "chain to query; GET /v1/status lists the available chains");
}

/** On GET, batch endpoints take no more addresses than these; larger lists go into a body. */
export const MAX_ADDRESSES_ON_GET = 25;

/** A body takes 450 KB for as many. */
const MAX_TOKENS = 10_000;

/** The tokens of a batch endpoint. */
export function tokenBatch(): Parameter<Hex[]> {
  return required(
    addressList({ max: MAX_TOKENS, maxOnGet: MAX_ADDRESSES_ON_GET }),
    "tokens; duplicates count once",
  );
}
