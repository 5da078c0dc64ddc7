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

/** A query about past or immutable data, whose result only a reorg can change. */
export function settledQuery<T>(queryKey: QueryKey, fetch: Fetch<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => fetch(signal, client),
    staleTime: SETTLED_MS,
  });
}

const SETTLED_MS = 5 * 60_000;
