import { ADDRESS, HASH } from "../../format/hex.ts";

const KINDS = ["token", "pool", "wallet", "transaction", "block"] as const;

/** Something that a page is about. */
export interface Found {
  kind: (typeof KINDS)[number];
  chain: string;
  /** Address, hash or number. */
  id: string;
  title: string;
  detail: string | null;
  /** Of a token or a pool in 24 hours; null where it was not asked. */
  volumeUsd: number | null;
}

/** Whether what was kept in a browser is of this form; an older or foreign one is not. */
export function isSearchResult(kept: unknown): kept is Found {
  if (typeof kept !== "object" || kept === null) return false;
  const { kind, chain, id, title, detail, volumeUsd } = kept as Record<string, unknown>;
  const isNamed = typeof chain === "string" && typeof title === "string" && typeof id === "string";
  const isKnown = KINDS.some((each) => each === kind);
  const isDetailed = (detail === null || typeof detail === "string") && volumeUsd === null;
  return isNamed && isKnown && isDetailed && (ADDRESS.test(id) || HASH.test(id) || /^\d{1,15}$/.test(id));
}
