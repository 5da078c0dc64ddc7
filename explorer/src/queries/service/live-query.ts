import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";

type Fetch<T> = (signal: AbortSignal, client: QueryClient) => Promise<T>;

/** Creates a query whose result new blocks may change. It is refetched after each commit. */
export function liveQuery<T>(queryKey: QueryKey, fetch: Fetch<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => fetch(signal, client),
    meta: { live: true },
  });
}

/** Creates a query for past or immutable data, whose result only a reorg can change. */
export function settledQuery<T>(queryKey: QueryKey, fetch: Fetch<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => fetch(signal, client),
    staleTime: SETTLED_MS,
  });
}

const SETTLED_MS = 5 * 60_000;
