import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { statusQuery } from "../queries/chain/status.ts";

/**
 * Refetches live queries after each commit, of new blocks or of a reorg, and failed queries once the service
 * responds again.
 */
export function useLiveRefresh(): void {
  const queries = useQueryClient();
  const { data, isSuccess } = useQuery(statusQuery());
  const commits = data?.chains.map(({ chain, commit }) => `${chain} ${commit}`).join();
  useEffect(() => {
    if (commits === undefined) return;
    const isLive = (meta: Record<string, unknown> | undefined) => meta?.live === true;
    void queries.invalidateQueries({ predicate: ({ meta }) => isLive(meta) }, { cancelRefetch: false });
  }, [queries, commits]);
  useEffect(() => {
    if (isSuccess) void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
  }, [queries, isSuccess]);
}
