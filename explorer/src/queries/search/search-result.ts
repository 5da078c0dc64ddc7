import { ADDRESS, HASH } from "../../format/hex.ts";

const KINDS = ["token", "pool", "wallet", "transaction", "block"] as const;

/** A token, pool, wallet, transaction or block: anything with a page. */
export interface SearchResult {
  kind: (typeof KINDS)[number];
  chain: string;
  /** Address, hash or block number. */
  id: string;
  title: string;
  detail: string | null;
  /** 24-hour volume of a token or pool; null for other kinds, or if not requested. */
  volumeUsd: number | null;
  /** Set for a spam token and for a pool that contains one; lists hide them. */
  isSpam?: true;
}

/** Returns whether a value from the browser's storage is a search result of this version. */
export function isSearchResult(stored: unknown): stored is SearchResult {
  if (typeof stored !== "object" || stored === null) return false;
  const { kind, chain, id, title, detail, volumeUsd } = stored as Record<string, unknown>;
  const isNamed = typeof chain === "string" && typeof title === "string" && typeof id === "string";
  const isKnown = KINDS.some((each) => each === kind);
  const isDetailed = (detail === null || typeof detail === "string") && volumeUsd === null;
  return isNamed && isKnown && isDetailed && (ADDRESS.test(id) || HASH.test(id) || /^\d{1,15}$/.test(id));
}
