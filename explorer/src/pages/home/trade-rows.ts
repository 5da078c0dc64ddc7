import { useState } from "react";
import type { Trade } from "../../queries/market/market.ts";

/** A trade in its place of the list. */
export interface Placed {
  trade: Trade;
  isNew: boolean;
  key: string;
}

/**
 * Trades in their places. Only new ones are drawn anew; below them each place stays and takes on another trade, so that
 * nothing on the page moves (what moves counts as layout shift, and cannot be read).
 */
export function placed(trades: readonly Trade[], since: number): Placed[] {
  return trades.map((trade, place) => {
    const isNew = trade.record_index > since;
    return { trade, isNew, key: isNew ? `trade ${trade.record_index}` : `place ${place}` };
  });
}

interface Held {
  shown: readonly Trade[];
  /** What lies above it came with the last change. */
  since: number;
}

/** The newest trades, or those that were shown when they began to be held. */
export function usePausedTrades(trades: readonly Trade[], isHeld: boolean): Held {
  const [held, hold] = useState<Held>({ shown: trades, since: Number.POSITIVE_INFINITY });
  if (isHeld || held.shown === trades) return held;
  const next = { shown: trades, since: held.shown[0]?.record_index ?? 0 };
  hold(next);
  return next;
}
