import { useCallback, useRef, useState } from "react";
import type { LoadedCandles } from "./use-candles.ts";

/** Older candles load when fewer than this many are left before the visible range. */
const PRELOADED = 40;
/** Pause in scrolling after which the range is updated, in ms. */
const SETTLED_MS = 300;

/**
 * Returns the visible time range, updated when scrolling pauses. Loads older candles when the range nears the
 * oldest loaded candle.
 */
export function useVisibleRange(history: LoadedCandles) {
  const latest = useRef(history);
  latest.current = history;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [range, setRange] = useState({ from: 0, until: 0 });
  const move = useCallback(({ from, to }: { from: number; to: number }) => {
    if (from < PRELOADED) latest.current.loadOlder();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const candles = latest.current.candles ?? [];
      const first = candles[Math.max(0, Math.floor(from))];
      const last = candles[Math.min(candles.length - 1, Math.ceil(to))];
      setRange({ from: first?.timestamp_open ?? 0, until: last?.timestamp_close ?? 0 });
    }, SETTLED_MS);
  }, []);
  return { range, move };
}
