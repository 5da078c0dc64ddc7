/** The columns that identify a pool to users: its tokens, protocol and fee. */
export interface PoolRow {
  pool_address: string;
  protocol: string;
  fee: number | null;
  token_0_address: string;
  token_1_address: string;
  /** Separated by commas. */
  token_addresses: string;
}

export const POOL_ROW_COLUMNS = [
  "pool_address",
  "protocol",
  "fee",
  "token_0_address",
  "token_1_address",
  "token_addresses",
] as const satisfies readonly (keyof PoolRow)[];

type PoolTokens = readonly [string, string, ...string[]];

/** Returns the known tokens of a pool, without duplicates: the two that every pool has, then the others. */
export function tokensOf(
  row: Pick<PoolRow, "token_0_address" | "token_1_address" | "token_addresses">,
): PoolTokens {
  const pair = [row.token_0_address, row.token_1_address] as const;
  return [...pair, ...addressesIn(row.token_addresses).filter((token) => !pair.includes(token))];
}

/**
 * Splits a comma-separated list into distinct addresses. Skips unknown tokens, which are empty in the list.
 */
export function addressesIn(list: string): string[] {
  return [...new Set(list.split(",").filter((token) => token !== ""))];
}
