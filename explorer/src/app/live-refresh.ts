import { type QueryClient, type QueryFilters, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { notePolledReorgs } from "../queries/chain/polled-reorgs.ts";
import { REORGS } from "../queries/chain/reorgs.ts";
import { STREAMED_CHAINS, statusQuery } from "../queries/chain/status.ts";
import { useChain } from "../queries/chain/use-chain.ts";
import { quarry } from "../queries/service/client.ts";
import { refresh } from "../queries/service/refresh.ts";
import { streamRetryDelay } from "./stream-retry.ts";

/**
 * Maximum number of streamed chains, starting with the page's chain; the others are polled. A browser opens
 * at most six connections to a service, and all its windows share them.
 */
const MAX_STREAMS = 2;

const LIVE: QueryFilters = { predicate: ({ meta }) => meta?.live === true };

/**
 * Refetches live queries after each commit (new blocks or a reorg), and failed queries once the service
 * responds again. Block streams report commits at once. If the service has no streams, the polled status
 * reports them.
 */
export function useLiveRefresh(): void {
  const queries = useQueryClient();
  const { data, isSuccess } = useQuery(statusQuery());
  useBlockStreams(data?.chains.map(({ chain }) => chain) ?? []);
  const commits = data?.chains.map(({ chain, commit }) => `${chain} ${commit}`).join();
  const isFirst = useRef(true);
  useEffect(() => {
    if (commits === undefined) return;
    // The page's first requests are sent together with the first status request, so they are not repeated.
    if (isFirst.current) void queries.invalidateQueries(LIVE, { cancelRefetch: false });
    else refresh(queries, LIVE);
    isFirst.current = false;
  }, [queries, commits]);
  useEffect(() => {
    if (data !== undefined) void notePolledReorgs(data.chains);
  }, [data]);
  useEffect(() => {
    if (isSuccess) void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  }, [queries, isSuccess]);
}

/**
 * Refetches the status whenever a streamed chain has a new block or a reorg. If the status has a new commit,
 * live queries are refetched.
 */
function useBlockStreams(chains: readonly string[]): void {
  const queries = useQueryClient();
  const isVisible = useIsVisible();
  const current = useChain();
  const inOrder = [...chains].sort((a, b) => Number(b === current) - Number(a === current));
  const names = inOrder.slice(0, MAX_STREAMS).join();
  useEffect(() => {
    // Pages in the background would use up the connections that the visible page needs.
    if (!isVisible || names === "") return;
    const stop = new AbortController();
    for (const chain of names.split(",")) void follow(queries, chain, stop.signal);
    return () => stop.abort();
  }, [queries, isVisible, names]);
}

async function follow(queries: QueryClient, chain: string, signal: AbortSignal): Promise<void> {
  for (let failures = 1; !signal.aborted; failures++) {
    let failure: unknown = null;
    try {
      for await (const { event } of quarry.stream(
        { chain, subscriptions: [{ type: "blocks" }] },
        { signal },
      )) {
        failures = 0;
        STREAMED_CHAINS.add(chain);
        REORGS.note(chain, event);
        if (event === "block" || event === "rollback")
          refresh(queries, { queryKey: statusQuery().queryKey, exact: true });
      }
    } catch (error) {
      failure = error;
    } finally {
      STREAMED_CHAINS.delete(chain);
    }
    const delay = streamRetryDelay(failure, Math.max(1, failures));
    // Without a stream, the status is polled.
    if (delay === null) return;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden);
  useEffect(() => {
    const changed = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  }, []);
  return isVisible;
}
