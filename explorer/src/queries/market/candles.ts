import type { Candle } from "@quarry/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { indexedTime } from "../chain/status.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import type { CandleInterval } from "./candle-intervals.ts";

/** What candles are asked for by, as the API names it. */
export interface CandleOptions {
  chain: string;
  token_address: string;
  pool_address: string;
  interval: CandleInterval;
  price_type: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
  open_method: "prev_close" | "first_trade";
  fill: boolean;
}

/** So many candles a request asks for that is copied: enough to see what they are. */
const COPIED_CANDLES = 100;

/** The newest candles, as one asks the API for them oneself. */
export function candlesRequest(choice: CandleOptions) {
  return { ...choice, max_size: COPIED_CANDLES, with_volume: true };
}

/** So many candles come at once as one goes back in time. */
export const CANDLES_PER_PAGE = 300;
/** The API's most; a page that is left open for longer is asked for anew. */
export const MAX_NEW_CANDLES = 2500;

/**
 * Candles up to the newest block, page by page into the past, each page oldest first. What is past stays, but for a
 * reorg: `rollbacks` counts those, so that a page asks anew after one.
 */
export function candlePagesQuery(choice: CandleOptions, rollbacks: number) {
  return infiniteQueryOptions({
    queryKey: ["candles", choice, rollbacks],
    queryFn: async ({ signal, client, pageParam }): Promise<Candle[]> => {
      const until_timestamp = pageParam ?? (await indexedTime(client, choice.chain));
      const max_size = CANDLES_PER_PAGE;
      const question = { ...choice, until_timestamp, max_size, with_volume: true, order: "desc" } as const;
      return (await quarry.ohlc(question, { signal })).data.toReversed();
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => {
      const oldest = page[0];
      return page.length < CANDLES_PER_PAGE || oldest === undefined ? null : oldest.timestamp_open - 1;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The candles from a time on, the last one still growing, oldest first. */
export function newCandlesQuery(choice: CandleOptions, from_timestamp: number) {
  return liveQuery(["new candles", choice, from_timestamp], async (signal, client): Promise<Candle[]> => {
    const until_timestamp = await indexedTime(client, choice.chain);
    if (until_timestamp < from_timestamp) return [];
    const range = { from_timestamp, until_timestamp, max_size: MAX_NEW_CANDLES, order: "asc" } as const;
    return (await quarry.ohlc({ ...choice, ...range, with_volume: true }, { signal })).data;
  });
}

/** Older and newer candles as one row: each time once, the newer answer where both have it. */
export function joinCandles(older: readonly Candle[], newer: readonly Candle[]): Candle[] {
  const from = newer[0]?.timestamp_open ?? Number.POSITIVE_INFINITY;
  return [...older.filter(({ timestamp_open }) => timestamp_open < from), ...newer];
}
