import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";

type Fetch<T> = (signal: AbortSignal, client: QueryClient) => Promise<T>;

/** A query whose result new blocks may change; it is refetched after each commit. */
export function liveQuery<T>(queryKey: QueryKey, fetch: Fetch<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => fetch(signal, client),
    meta: { live: true },
  });
}

/** A query whose result only a reorg can change: of data in the past, or of data that never changes. */
export function settledQuery<T>(queryKey: QueryKey, fetch: Fetch<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => fetch(signal, client),
    staleTime: SETTLED_MS,
  });
}

const SETTLED_MS = 5 * 60_000;
