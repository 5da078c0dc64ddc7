import { useCallback, useRef, useState } from "react";
import type { LoadedCandles } from "./use-candles.ts";

/** Older candles are asked for when so few are left before the oldest seen. */
const NEAR = 40;
/** How long a move must have ended before the time that is seen counts. */
const SETTLED_MS = 300;

/** The time that is seen, once it is no longer moved; near its beginning older candles are asked for. */
export function useVisibleRange(shown: LoadedCandles) {
  const latest = useRef(shown);
  latest.current = shown;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [range, setRange] = useState({ from: 0, until: 0 });
  const move = useCallback(({ from, to }: { from: number; to: number }) => {
    if (from < NEAR) latest.current.loadOlder();
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
