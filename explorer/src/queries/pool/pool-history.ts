import type { PoolTvl } from "@quarry/sdk";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Pool, pastTvlQuery } from "./pool.ts";

/** What a pool held at a time. */
export interface HistoryPoint {
  /** Unix seconds. */
  time: number;
  tvl: PoolTvl | null;
}

/** So many of them at once: a page must not keep others from being answered. */
const CONCURRENCY = 3;

/** What a pool held over time, point by point. */
export function poolHistoryQuery({ chain, address }: Pool, times: readonly number[]) {
  return queryOptions({
    queryKey: ["pool-history", chain, address, times[0], times.at(-1)],
    queryFn: ({ client, signal }) => readPoints({ client, signal, chain, pool: address }, times),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

interface Asking {
  client: QueryClient;
  signal: AbortSignal;
  chain: string;
  pool: string;
}

/** The newest first, so that what is waited for is the least when one leaves early and comes back. */
async function readPoints(asking: Asking, times: readonly number[]): Promise<HistoryPoint[]> {
  const { client, signal, chain, pool } = asking;
  const left = [...times];
  const points: HistoryPoint[] = [];
  const work = async () => {
    for (let time = left.pop(); time !== undefined; time = left.pop()) {
      signal.throwIfAborted();
      points.push({ time, tvl: await client.fetchQuery(pastTvlQuery(chain, pool, time)) });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return points.toSorted((a, b) => a.time - b.time);
}
