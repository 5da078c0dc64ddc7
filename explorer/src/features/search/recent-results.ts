import { type Found, isSearchResult } from "../../queries/search/search-result.ts";

const KEY = "quarry.searches";
/** As many as are seen at a glance. */
const MOST = 8;

/** What was gone to last from the search, in this browser; the newest first. */
export function recentResults(): Found[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSearchResult).slice(0, MOST) : [];
  } catch {
    // Storage is closed to this page, or holds what is not ours: there is nothing recent.
    return [];
  }
}

export function remember(found: Found): void {
  const others = recentResults().filter(({ chain, kind, id }) => {
    return chain !== found.chain || kind !== found.kind || id !== found.id;
  });
  // Its volume will be another one when it is shown again.
  const kept = [{ ...found, volumeUsd: null }, ...others].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is closed or full: it is found again by searching.
  }
}
