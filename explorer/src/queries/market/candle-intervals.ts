import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../format/time.ts";

/** Candle lengths in seconds, keyed by the API's names. */
export const CANDLE_SECONDS = {
  "1m": MINUTE_SECONDS,
  "5m": 5 * MINUTE_SECONDS,
  "15m": 15 * MINUTE_SECONDS,
  "1h": HOUR_SECONDS,
  "4h": 4 * HOUR_SECONDS,
  "1d": DAY_SECONDS,
} as const;

export type CandleInterval = keyof typeof CANDLE_SECONDS;
export const CANDLE_INTERVALS = [
  "1m",
  "5m",
  "15m",
  "1h",
  "4h",
  "1d",
] as const satisfies readonly CandleInterval[];
