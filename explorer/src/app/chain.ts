import type { ChainStatus } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { statusQuestion } from "../questions/status.ts";

/** The chain that the page is about: that of its address, else the first that the service has; null until known. */
export function useChain(): string | null {
  const { chain } = useParams({ strict: false });
  const { data } = useQuery({ ...statusQuestion(), enabled: chain === undefined });
  return chain ?? data?.chains[0]?.chain ?? null;
}

/** The coin in which a chain's fees are paid; null until known. */
export function useNativeCoin(chain: string): NativeCoin | null {
  const { data } = useQuery(statusQuestion());
  return data?.chains.find((each) => each.chain === chain)?.native_coin ?? null;
}

type NativeCoin = ChainStatus["native_coin"];

/** Up to when a chain is indexed, in unix seconds; "now" of its market. Null until known. */
export function useIndexedTime(chain: string | null): number | null {
  const { data } = useQuery(statusQuestion());
  return data?.chains.find((each) => each.chain === chain)?.indexed_timestamp ?? null;
}
