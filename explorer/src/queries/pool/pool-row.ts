/** What identifies a pool to users: its tokens, protocol and fee. */
export interface PoolRow {
  pool_address: string;
  protocol: string;
  fee: number | null;
  token_0_address: string;
  token_1_address: string;
}
