import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";

/** A state that a stream follows: the price or the candles of a token, or a pool. */
export type StateQuery =
  | { kind: "price"; token: Hex; priceType: TradePrice }
  | { kind: "candles"; token: Hex; pool: Hex | "all"; interval: number; priceType: TradePrice }
  | { kind: "pool"; pool: Hex };
