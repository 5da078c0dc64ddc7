import { TRADE_PRICES, type TradePrice } from "../reads/trade-price.ts";
import { choice } from "./kinds.ts";
import { optional, type Parameter } from "./parameter.ts";

/** Which price of a trade counts. */
export function priceType(fallback: TradePrice): Parameter<TradePrice> {
  return optional(
    choice(TRADE_PRICES),
    fallback,
    "price_token_usd_tick_1: price of each swap; price_token_usd_robust_tick_1: the same without significant outliers",
  );
}

/** On GET, batch endpoints take no more addresses than these; larger lists go into a body. */
export const MAX_ADDRESSES_ON_GET = 25;
