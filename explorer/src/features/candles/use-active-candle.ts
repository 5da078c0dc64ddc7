import type { Candle } from "@quarry/sdk";
import { useCallback, useState } from "react";

interface Pointed {
  /** When the candle begins, unix seconds. */
  time: number;
  by: "pointer" | "keys";
}

/** Which candle is pointed at, by the pointer or step by step with the keyboard. */
export function useActiveCandle(candles: readonly Candle[] | undefined) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const point = useCallback((time: number | null, isByPointer: boolean) => {
    setPointed((before) => {
      // The chart tells of a pointer that rests, too, whenever a candle comes: keys that came after it count more.
      if (before?.by === "keys" && !isByPointer) return before;
      return time === null ? null : { time, by: "pointer" };
    });
  }, []);
  const step = (by: -1 | 1) =>
    // Keys may come faster than they are shown.
    setPointed((before) => {
      const place = candles?.findIndex(({ timestamp_open }) => timestamp_open === before?.time) ?? -1;
      const next = candles?.[place === -1 ? candles.length - 1 : place + by];
      return next === undefined ? before : { time: next.timestamp_open, by: "keys" };
    });
  const leave = () => setPointed((before) => (before?.by === "keys" ? null : before));
  return {
    candle: candles?.find(({ timestamp_open }) => timestamp_open === pointed?.time),
    isByKeys: pointed?.by === "keys",
    point,
    step,
    leave,
  };
}
