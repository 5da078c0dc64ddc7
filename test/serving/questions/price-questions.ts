import type { Random } from "../random.ts";
import { POOLS, TOKENS, UNKNOWN_TOKEN } from "../random-chain.ts";
import type { AskAtRandom } from "./question.ts";

const PRICE_TYPES = ["price_token_usd_robust_tick_1", "price_token_usd_tick_1"];

export const latestPrices: AskAtRandom = (random) => ({
  path: "/v1/price-api/batch-latest-token-prices",
  body: { token_address: random.some([...TOKENS, UNKNOWN_TOKEN]), price_type: random.pick(PRICE_TYPES) },
});

export const allTimePrices: AskAtRandom = (random) => ({
  path: "/v1/price-api/batch-all-time-ohlc",
  body: {
    token_address: random.some([...TOKENS, UNKNOWN_TOKEN]),
    price_type: random.pick(PRICE_TYPES),
    ...(random.below(6) === 0 ? { pool_address: random.pick(POOLS) } : {}),
  },
});

export const priceChanges: AskAtRandom = (random, now) => ({
  path: "/v1/price-api/batch-latest-price-change",
  body: {
    token_address: random.some([...TOKENS, UNKNOWN_TOKEN]),
    price_type: random.pick(PRICE_TYPES),
    lookback: random.pick(["1s", "7m", "1h", "24h", "3d", "30d"]),
    timestamp: random.below(3) === 0 ? timeBefore(random, now) : now + random.below(100),
  },
});

export const candles: AskAtRandom = (random, now) => {
  const times = [timeBefore(random, now), timeBefore(random, now)].sort((a, b) => a - b);
  return {
    path: "/v1/price/historical/ohlc",
    body: {
      token_address: random.pick([...TOKENS, UNKNOWN_TOKEN]),
      price_type: random.pick(PRICE_TYPES),
      interval: random.pick(["1m", "7m", "1h", "1d", "5d", "45d"]),
      max_size: random.pick([1, 10, 100, 2500]),
      order: random.pick(["asc", "desc"]),
      fill: random.below(2) === 0,
      with_volume: random.below(2) === 0,
      exclude_wash: random.below(4) === 0,
      open_method: random.pick(["prev_close", "first_trade"]),
      ...(random.below(3) === 0 ? { pool_address: random.pick(POOLS) } : {}),
      ...(random.below(2) === 0 ? { from_timestamp: times[0] } : {}),
      ...(random.below(2) === 0 ? { until_timestamp: times[1] } : {}),
    },
  };
};

/** Requests chart bars. Mostly up to now, but sometimes for a past period, or by weeks or months. */
export const bars: AskAtRandom = (random, now) => {
  const times = [timeBefore(random, now), timeBefore(random, now)].sort((a, b) => a - b);
  const pool = random.below(3) === 0 ? `@${random.pick(POOLS)}` : "";
  const given = {
    symbol: `eth:${random.pick([...TOKENS, UNKNOWN_TOKEN])}${pool}`,
    resolution: random.pick(["15S", "1", "7", "60", "1D", "5D", "1W", "1M", "3M"]),
    ...(random.below(3) > 0 ? { countback: String(random.pick([1, 2, 10, 300, 9_999])) } : {}),
    ...(random.below(3) > 0 ? { from: String(times[0]) } : {}),
    to: String(random.below(3) === 0 ? times[1] : now + random.below(100)),
  };
  return { path: `/udf/history?${new URLSearchParams(given)}` };
};

export const ticks: AskAtRandom = (random, now) => {
  const times = [timeBefore(random, now), timeBefore(random, now)].sort((a, b) => a - b);
  return {
    path: "/v1/price/historical/tick",
    body: {
      token_address: random.some([...TOKENS, UNKNOWN_TOKEN], 4),
      price_type: random.pick(PRICE_TYPES),
      size: random.pick([1, 3, 100]),
      ...(random.below(3) === 0 ? { pool_address: random.some(POOLS) } : {}),
      ...(random.below(2) === 0 ? { from_timestamp: times[0] } : {}),
      until_timestamp: random.below(3) === 0 ? times[1] : now + random.below(100),
    },
  };
};

/** Returns a time that is often a few minutes before now, and sometimes months. */
function timeBefore(random: Random, now: number): number {
  return now - random.below(10 ** (1 + random.below(7)));
}
