import type { PoolTvl } from "@quarry/sdk";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Pool, pastTvlQuery } from "./pool.ts";

/** The pool's TVL at a time. */
export interface HistoryPoint {
  /** Unix seconds. */
  time: number;
  tvl: PoolTvl | null;
}

/** Most concurrent requests, so that one page does not occupy the service. */
const CONCURRENCY = 3;

/** The pool's TVL at each of the times. */
export function poolHistoryQuery({ chain, address }: Pool, times: readonly number[]) {
  return queryOptions({
    queryKey: ["pool-history", chain, address, times[0], times.at(-1)],
    queryFn: ({ client, signal }) => readPoints({ client, signal, chain, pool: address, times }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** The newest first: points already loaded are reused when the user leaves early and comes back. */
async function readPoints(options: HistoryOptions): Promise<HistoryPoint[]> {
  const { client, signal, chain, pool, times } = options;
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

interface HistoryOptions {
  client: QueryClient;
  signal: AbortSignal;
  chain: string;
  pool: string;
  times: readonly number[];
}
