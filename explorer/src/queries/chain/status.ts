import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";

/** How often a visible page polls the status, and how often if streams report every block of all chains. */
const POLL_MS = 1_500;
const STREAMED_POLL_MS = 5_000;

/** Chains whose blocks a stream reports to this page. */
export const STREAMED_CHAINS = new Set<string>();

export function statusQuery() {
  return queryOptions({
    queryKey: ["status"],
    queryFn: ({ signal }) => quarry.status({ signal }),
    refetchInterval: ({ state: { data } }) => {
      const isStreamed = data?.chains.every(({ chain }) => STREAMED_CHAINS.has(chain)) ?? false;
      return isStreamed ? STREAMED_POLL_MS : POLL_MS;
    },
    staleTime: POLL_MS,
    // The next poll is the retry.
    retry: false,
  });
}

/** Shortest interval between runs of queries that are heavy on a large index. */
const PACE_MS = 30_000;

/**
 * The chain's indexed time in unix seconds, updated every half minute, so that queries that depend on it run
 * only that often.
 */
export function pacedTimeQuery(chain: string) {
  return queryOptions({
    queryKey: ["paced time", chain],
    queryFn: ({ client }) => indexedTime(client, chain),
    refetchInterval: PACE_MS,
  });
}

/** Time of the chain's newest indexed block in unix seconds, as of the last poll; 0 if none is indexed. */
export async function indexedTime(client: QueryClient, chain: string): Promise<number> {
  const { chains } = await client.ensureQueryData(statusQuery());
  return chains.find((each) => each.chain === chain)?.indexed_timestamp ?? 0;
}
