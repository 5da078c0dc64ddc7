import { isSearchResult, type SearchResult } from "../../queries/search/search-result.ts";

const KEY = "quarry.searches";
/** Maximum number of stored results, as many as users can take in at a glance. */
const MAX_RECENT = 8;

/** Returns the results last opened from the search in this browser, newest first. */
export function recentResults(): SearchResult[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isSearchResult).slice(0, MAX_RECENT) : [];
  } catch {
    // Storage is unavailable or contains something else, so there are no recent results.
    return [];
  }
}

export function addRecentResult(result: SearchResult): void {
  const others = recentResults().filter(({ chain, kind, id }) => {
    return chain !== result.chain || kind !== result.kind || id !== result.id;
  });
  // The volume is omitted, because it would be outdated when shown again.
  const recent = [{ ...result, volumeUsd: null }, ...others].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Storage is unavailable or full: the result is not remembered.
  }
}
