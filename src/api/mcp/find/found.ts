/** A token, pool, wallet or transaction. */
export interface Found {
  kind: "token" | "pool" | "wallet" | "transaction";
  /** Address, 32-byte pool id or transaction hash. */
  id: string;
  symbol: string | null;
  name: string | null;
  /**
   * Volume in the 24 hours before the newest block; null if there is none, or if this is neither a token nor
   * a pool.
   */
  volume_usd_24h: number | null;
  /**
   * Why a token, or a token of a pool, is spam (see docs/verdicts.md); null if it is not, and for wallets and
   * transactions.
   */
  spam: string | null;
  detail: string | null;
}

export const FOUND_COLUMNS: readonly (keyof Found)[] = [
  "kind",
  "id",
  "symbol",
  "name",
  "volume_usd_24h",
  "spam",
  "detail",
];

export function found(kind: Found["kind"], id: string, facts: Partial<Found>): Found {
  return { kind, id, symbol: null, name: null, volume_usd_24h: null, spam: null, detail: null, ...facts };
}
