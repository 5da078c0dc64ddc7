import type { ChainStatus } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useReorgs } from "./reorgs.ts";
import { statusQuery } from "./status.ts";

/** Returns the page's chain: from its URL, or else the service's first chain; null until known. */
export function useChain(): string | null {
  const { chain } = useParams({ strict: false });
  const { data } = useQuery({ ...statusQuery(), enabled: chain === undefined });
  return chain ?? data?.chains[0]?.chain ?? null;
}

/** Returns the status of a chain; undefined until known, or if the service does not index it. */
export function useChainStatus(chain: string | null): ChainStatus | undefined {
  const { data } = useQuery(statusQuery());
  return data?.chains.find((each) => each.chain === chain);
}

/** Returns a number that changes when past blocks of the chain may have changed. */
export function useRollbacks(chain: string): number {
  const streamed = useReorgs(chain);
  // A process without an indexer does not count rollbacks, so the page counts the reorgs itself.
  return useChainStatus(chain)?.rollbacks?.count ?? streamed;
}

/**
 * Returns the time of the chain's newest indexed block in unix seconds, the "now" of its market; null until
 * known.
 */
export function useIndexedTime(chain: string | null): number | null {
  return useChainStatus(chain)?.indexed_timestamp ?? null;
}
