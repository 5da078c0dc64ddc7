import type { Candle } from "@quarry/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { indexedTime } from "../chain/status.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import type { CandleInterval } from "./candle-intervals.ts";

/** The candles to request. The properties are named like the API's parameters. */
export interface CandleOptions {
  chain: string;
  token_address: string;
  pool_address: string;
  interval: CandleInterval;
  price_type: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
  open_method: "prev_close" | "first_trade";
  fill: boolean;
}

/** Number of candles in a copied request, which is only an example. */
const COPIED_CANDLES = 100;

/** Returns the parameters of a request for the newest candles, for users to copy. */
export function candlesRequest(options: CandleOptions) {
  return { ...options, max_size: COPIED_CANDLES, with_volume: true };
}

/** Number of candles loaded at once when the user scrolls back in time. */
export const CANDLES_PER_PAGE = 300;
/**
 * Maximum number of new candles in a response, which is the API's limit. Once there are half as many new
 * candles, a chart reloads all its candles.
 */
export const MAX_NEW_CANDLES = 2500;

/**
 * Reads candles up to the newest block, page by page into the past; each page is sorted oldest first. Only a
 * reorg can change past candles. `rollbacks` counts reorgs, so the candles are loaded again after each reorg.
 */
export function candlePagesQuery(options: CandleOptions, rollbacks: number) {
  return infiniteQueryOptions({
    queryKey: ["candles", options, rollbacks],
    queryFn: async ({ signal, client, pageParam }): Promise<Candle[]> => {
      const until_timestamp = pageParam ?? (await indexedTime(client, options.chain));
      const max_size = CANDLES_PER_PAGE;
      const request = { ...options, until_timestamp, max_size, with_volume: true, order: "desc" } as const;
      return (await quarry.ohlc(request, { signal })).data.toReversed();
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

/** Reads the candles from a time on, oldest first; the last one is still changing. */
export function newCandlesQuery(options: CandleOptions, from_timestamp: number) {
  return liveQuery(["new candles", options, from_timestamp], async (signal, client): Promise<Candle[]> => {
    const until_timestamp = await indexedTime(client, options.chain);
    if (until_timestamp < from_timestamp) return [];
    const range = { from_timestamp, until_timestamp, max_size: MAX_NEW_CANDLES, order: "asc" } as const;
    return (await quarry.ohlc({ ...options, ...range, with_volume: true }, { signal })).data;
  });
}

/** Joins older and newer candles. If both have a candle for the same time, the newer response wins. */
export function joinCandles(older: readonly Candle[], newer: readonly Candle[]): Candle[] {
  const from = newer[0]?.timestamp_open ?? Number.POSITIVE_INFINITY;
  return [...older.filter(({ timestamp_open }) => timestamp_open < from), ...newer];
}
