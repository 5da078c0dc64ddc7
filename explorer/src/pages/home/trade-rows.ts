import { useState } from "react";
import type { Trade } from "../../queries/market/market.ts";

/** A row of the list of latest trades. */
export interface TradeRow {
  trade: Trade;
  isNew: boolean;
  key: string;
}

/**
 * The rows of the list. Only new trades get new elements; the rows below keep their element and show another
 * trade, so that nothing moves on the page: movement counts as layout shift and makes rows unreadable.
 */
export function tradeRows(trades: readonly Trade[], since: number): TradeRow[] {
  return trades.map((trade, index) => {
    const isNew = trade.record_index > since;
    return { trade, isNew, key: isNew ? `trade ${trade.record_index}` : `row ${index}` };
  });
}

interface ShownTrades {
  shown: readonly Trade[];
  /** Record index; trades above it arrived with the last update. */
  since: number;
}

/** The latest trades, or the trades shown when the list was paused. */
export function usePausedTrades(trades: readonly Trade[], isPaused: boolean): ShownTrades {
  const [current, setCurrent] = useState<ShownTrades>({ shown: trades, since: Number.POSITIVE_INFINITY });
  if (isPaused || current.shown === trades) return current;
  const next = { shown: trades, since: current.shown[0]?.record_index ?? 0 };
  setCurrent(next);
  return next;
}
