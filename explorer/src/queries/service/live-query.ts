import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";

type Ask<T> = (signal: AbortSignal, client: QueryClient) => Promise<T>;

/** A question whose answer new blocks may change: it is asked again when one was indexed. */
export function liveQuery<T>(queryKey: QueryKey, ask: Ask<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => ask(signal, client),
    meta: { live: true },
  });
}

/** A question whose answer stays, but for a reorg: of what was long ago, or of what never changes. */
export function settledQuery<T>(queryKey: QueryKey, ask: Ask<T>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }) => ask(signal, client),
    staleTime: SETTLED_MS,
  });
}

const SETTLED_MS = 5 * 60_000;
