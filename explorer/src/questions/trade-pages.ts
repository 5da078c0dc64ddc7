export const TRADES_PER_PAGE = 50;

/** The trade that a page begins behind. */
export interface Place {
  record_index: number;
  /** Unix seconds. */
  timestamp: number;
}
