import type { Candle } from "@quarry/sdk";
import { useCallback, useState } from "react";

interface ActiveCandle {
  /** Start of the candle in unix seconds. */
  time: number;
  by: "pointer" | "keyboard";
}

/** Returns the candle under the pointer or selected with the keyboard, and the functions that change it. */
export function useActiveCandle(candles: readonly Candle[] | undefined) {
  const [active, setActive] = useState<ActiveCandle | null>(null);
  const point = useCallback((time: number | null, isByPointer: boolean) => {
    setActive((before) => {
      // With each new candle, the chart reports the pointer again even if it is still. The keyboard takes
      // precedence over these reports.
      if (before?.by === "keyboard" && !isByPointer) return before;
      return time === null ? null : { time, by: "pointer" };
    });
  }, []);
  const step = (by: -1 | 1) =>
    // Keys may be pressed faster than the chart renders.
    setActive((before) => {
      const index = candles?.findIndex(({ timestamp_open }) => timestamp_open === before?.time) ?? -1;
      const next = candles?.[index === -1 ? candles.length - 1 : index + by];
      return next === undefined ? before : { time: next.timestamp_open, by: "keyboard" };
    });
  const leave = () => setActive((before) => (before?.by === "keyboard" ? null : before));
  return {
    candle: candles?.find(({ timestamp_open }) => timestamp_open === active?.time),
    isByKeyboard: active?.by === "keyboard",
    point,
    step,
    leave,
  };
}
