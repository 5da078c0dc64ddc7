import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { quarry } from "../service/client.ts";

/** Intervals at which a visible page polls the status, in ms: usually, and if streams report all new blocks. */
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
    // The next poll serves as the retry.
    retry: false,
  });
}

/** Minimum interval between runs of queries that are heavy on a large index, in ms. */
const PACE_MS = 30_000;

/**
 * Returns the chain's indexed time in unix seconds, updated every half minute, so that queries that depend on
 * it do not run more often.
 */
export function pacedTimeQuery(chain: string) {
  return queryOptions({
    queryKey: ["paced time", chain],
    queryFn: ({ client }) => indexedTime(client, chain),
    refetchInterval: PACE_MS,
  });
}

/**
 * Returns the time of the chain's newest indexed block in unix seconds, as of the last poll; 0 if none is
 * indexed.
 */
export async function indexedTime(client: QueryClient, chain: string): Promise<number> {
  const { chains } = await client.ensureQueryData(statusQuery());
  return chains.find((each) => each.chain === chain)?.indexed_timestamp ?? 0;
}
