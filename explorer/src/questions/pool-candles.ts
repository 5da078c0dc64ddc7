import type { Candle } from "@quarry/sdk";
import { quarry } from "./client.ts";
import { liveQuestion } from "./live.ts";
import type { Pool, PoolToken } from "./pool.ts";
import { indexedTime } from "./status.ts";

export const CANDLE_INTERVALS = ["1m", "5m", "15m", "1h", "4h", "1d"] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

export const MAX_CANDLES = 500;

/** Candles of a token's trades in one pool alone, as the API is asked. */
export function poolCandlesRequest(pool: Pool, token: PoolToken, interval: CandleInterval) {
  return {
    chain: pool.chain,
    token_address: token.address,
    pool_address: pool.address,
    interval,
    max_size: MAX_CANDLES,
    with_volume: true,
  };
}

/** The newest candles up to the newest block, oldest first. */
export function poolCandlesQuestion(pool: Pool, token: PoolToken, interval: CandleInterval) {
  const request = poolCandlesRequest(pool, token, interval);
  return liveQuestion(["pool-candles", request], async (signal, client): Promise<Candle[]> => {
    const until_timestamp = await indexedTime(client, pool.chain);
    return (await quarry.ohlc({ ...request, until_timestamp }, { signal })).data.toReversed();
  });
}
