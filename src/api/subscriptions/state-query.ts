import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";

/** What a state is about. */
export type StateQuery =
  | { kind: "price"; token: Hex; priceType: TradePrice }
  | { kind: "candles"; token: Hex; pool: Hex | "all"; interval: number; priceType: TradePrice }
  | { kind: "pool"; pool: Hex };
