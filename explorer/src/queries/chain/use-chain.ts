import type { ChainStatus } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { statusQuery } from "./status.ts";

/** The chain that the page is about: that of its address, else the first that the service has; null until known. */
export function useChain(): string | null {
  const { chain } = useParams({ strict: false });
  const { data } = useQuery({ ...statusQuery(), enabled: chain === undefined });
  return chain ?? data?.chains[0]?.chain ?? null;
}

/** What the service says of a chain; undefined where that is not known, or the service has no such chain. */
export function useChainStatus(chain: string | null): ChainStatus | undefined {
  const { data } = useQuery(statusQuery());
  return data?.chains.find((each) => each.chain === chain);
}

/** Up to when a chain is indexed, in unix seconds; "now" of its market. Null until known. */
export function useIndexedTime(chain: string | null): number | null {
  return useChainStatus(chain)?.indexed_timestamp ?? null;
}
