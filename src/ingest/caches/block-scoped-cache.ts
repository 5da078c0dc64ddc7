/**
 * A cache over rows that follows the chain block by block. While everything prepared is committed, any entry
 * may be dropped: it is reloaded when needed, and the rows stay the same.
 */
export interface BlockScopedCache {
  /**
   * True if the cache has more entries than its limit. It must then be cleared once everything prepared is
   * committed.
   */
  readonly isFull: boolean;
  /**
   * Begins a batch. Entries set from now on may come from any block up to `lastBlock`. `committedBlock` is
   * the newest committed block; -1: none.
   */
  advanceTo(lastBlock: number, committedBlock: number): void;
  /** Drops every entry that may come from a block above the given one, which is now the newest. */
  rollbackTo(block: BlockTime): void;
  clear(): void;
}

export interface BlockTime {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}
