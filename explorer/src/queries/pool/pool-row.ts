/** What tells a pool from others: its tokens, where it is from, and what it takes. */
export interface PoolRow {
  pool_address: string;
  protocol: string;
  fee: number | null;
  token_0_address: string;
  token_1_address: string;
}
