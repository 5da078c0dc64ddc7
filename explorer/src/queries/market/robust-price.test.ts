import { expect, it } from "vitest";
import { verdictOf } from "./robust-price.ts";

it.each([
  [{ amount_usd: 5, price_token_usd_tick_1: 2, price_token_usd_robust_tick_1: 2 }, "accepted"],
  [{ amount_usd: null, price_token_usd_tick_1: null, price_token_usd_robust_tick_1: null }, "no price"],
  [{ amount_usd: 0.99, price_token_usd_tick_1: 2, price_token_usd_robust_tick_1: null }, "too small"],
  [{ amount_usd: 1, price_token_usd_tick_1: 2, price_token_usd_robust_tick_1: null }, "outlier"],
  [{ amount_usd: null, price_token_usd_tick_1: 2, price_token_usd_robust_tick_1: null }, "outlier"],
])("gives %j its verdict", (trade, verdict) => expect(verdictOf(trade)).toBe(verdict));
