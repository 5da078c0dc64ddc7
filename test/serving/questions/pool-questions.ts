import { PRICE_TYPES } from "../../../src/schema/trade-price.ts";
import { POOLS, UNKNOWN_TOKEN } from "../random-chain.ts";
import type { AskAtRandom } from "./question.ts";

const DAY = 86_400;

/**
 * Mostly requests the current state and trade prices, which the serving state has. The engine answers the
 * other requests.
 */
export const poolTvls: AskAtRandom = (random, now) => ({
  path: "/v1/market-api/batch-latest-pool-tvl",
  body: {
    pool_address: random.some([...POOLS, UNKNOWN_TOKEN]),
    price_type: random.below(8) === 0 ? random.pick(PRICE_TYPES) : random.pick(TRADE_PRICE_TYPES),
    ...random.pick([{}, {}, { timestamp: now }, { timestamp: now + DAY }, { timestamp: now - 2 * DAY }]),
  },
});

const TRADE_PRICE_TYPES = ["price_token_usd_tick_1", "price_token_usd_robust_tick_1"] as const;
