import type { Candle } from "@quarry/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useChainStatus, useRollbacks } from "../../queries/chain/use-chain.ts";
import {
  type CandleOptions,
  candlePagesQuery,
  joinCandles,
  MAX_NEW_CANDLES,
  newCandlesQuery,
} from "../../queries/market/candles.ts";

export interface LoadedCandles {
  /** Oldest first; undefined until loaded. */
  candles: readonly Candle[] | undefined;
  error: Error | null;
  retry: () => void;
  isLoadingOlder: boolean;
  /** Whether there are trades before the oldest candle. */
  hasOlder: boolean;
  loadOlder: () => void;
}

/** Loads candles; the last one is live, and older ones load on demand. */
export function useCandles(options: CandleOptions): LoadedCandles {
  const status = useChainStatus(options.chain);
  const rollbacks = useRollbacks(options.chain);
  const pages = useInfiniteQuery({
    ...candlePagesQuery(options, rollbacks),
    enabled: status !== undefined,
  });
  const { data, refetch, fetchNextPage, isFetching, isFetchingNextPage, hasNextPage } = pages;
  const older = useMemo(() => data?.pages.toReversed().flat(), [data]);
  const from = older?.at(-1)?.timestamp_open ?? 0;
  const newer = useQuery({ ...newCandlesQuery(options, from), enabled: older !== undefined });
  const isFull = (newer.data?.length ?? 0) >= MAX_NEW_CANDLES / 2;
  useEffect(() => {
    if (isFull) void refetch();
  }, [isFull, refetch]);
  const candles = useMemo(() => older && joinCandles(older, newer.data ?? []), [older, newer.data]);
  return {
    candles,
    error: pages.error ?? newer.error,
    retry: () => void refetch(),
    isLoadingOlder: isFetchingNextPage,
    hasOlder: hasNextPage,
    loadOlder: () => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
  };
}
