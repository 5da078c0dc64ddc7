import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

/** Queries with a request that began before their last refresh. */
const OUTDATED = new WeakSet<Query>();

/**
 * Refetches queries after their data has changed. The response to a request in flight may be older than the
 * change, so its query is refetched once more afterwards. The request is not cancelled: if it took longer
 * than a block, the query would never get a response.
 */
export function refresh(queries: QueryClient, filters: QueryFilters): void {
  for (const query of queries.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) {
    if (OUTDATED.has(query)) continue;
    OUTDATED.add(query);
    const again = () => {
      OUTDATED.delete(query);
      refresh(queries, { predicate: (each) => each === query });
    };
    void query.promise?.then(again, again);
  }
  void queries.invalidateQueries(filters, { cancelRefetch: false });
}
