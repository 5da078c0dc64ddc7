import { useState } from "react";
import type { Trade } from "../../queries/market/market.ts";

/** A row of the list of latest trades. */
export interface TradeRow {
  trade: Trade;
  isNew: boolean;
  key: string;
}

/**
 * Returns the rows of the list. Only new trades get new elements. The rows below keep their elements and show
 * other trades, so nothing moves on the page: rows that move are unreadable and count as layout shift.
 */
export function tradeRows(trades: readonly Trade[], since: number): TradeRow[] {
  return trades.map((trade, index) => {
    const isNew = trade.record_index > since;
    return { trade, isNew, key: isNew ? `trade ${trade.record_index}` : `row ${index}` };
  });
}

interface ShownTrades {
  shown: readonly Trade[];
  /** Trades with a higher record index arrived with the last update. */
  since: number;
}

/** Returns the latest trades, or the trades shown when the list was paused. */
export function usePausedTrades(trades: readonly Trade[], isPaused: boolean): ShownTrades {
  const [current, setCurrent] = useState<ShownTrades>({ shown: trades, since: Number.POSITIVE_INFINITY });
  if (isPaused || current.shown === trades) return current;
  const next = { shown: trades, since: current.shown[0]?.record_index ?? 0 };
  setCurrent(next);
  return next;
}
