import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";

/** How often the newest block is asked for while the page is looked at. */
const HEARTBEAT_MS = 1_500;

export function statusQuery() {
  return queryOptions({
    queryKey: ["status"],
    queryFn: ({ signal }) => quarry.status({ signal }),
    refetchInterval: HEARTBEAT_MS,
    staleTime: HEARTBEAT_MS,
    // The next heartbeat is the next try.
    retry: false,
  });
}

/** How often what is heavy to ask on a large index is asked at most. */
const PACE_MS = 30_000;

/** Up to when a chain is indexed, in unix seconds, as of the last half minute: what is asked by it is asked as often. */
export function pacedTimeQuery(chain: string) {
  return queryOptions({
    queryKey: ["paced time", chain],
    queryFn: ({ client }) => indexedTime(client, chain),
    refetchInterval: PACE_MS,
  });
}

/** Up to when a chain is indexed, in unix seconds, as the last heartbeat told; 0 where nothing is. */
export async function indexedTime(client: QueryClient, chain: string): Promise<number> {
  const { chains } = await client.ensureQueryData(statusQuery());
  return chains.find((each) => each.chain === chain)?.indexed_timestamp ?? 0;
}
