/** The state of an indexer, for `/v1/status`. */
export interface IndexState {
  head: number | null;
  finalized: number | null;
  /** Why indexing does not advance; null while it does. */
  message: string | null;
  /**
   * Why no block was committed for much longer than the chain's block time; null while blocks are being
   * committed.
   */
  stalled: string | null;
  /** Why the disk has no space for more blocks; null while it has enough. */
  diskFull: string | null;
  /** Unix seconds of the newest rollback since the start; null before the first. */
  lastRollbackAt: number | null;
}

export function initialState(): IndexState {
  return { head: null, finalized: null, message: null, stalled: null, diskFull: null, lastRollbackAt: null };
}
