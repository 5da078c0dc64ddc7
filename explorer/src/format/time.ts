import { UNKNOWN } from "./number.ts";

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

const STEPS = [
  { seconds: DAY_SECONDS, name: "d" },
  { seconds: HOUR_SECONDS, name: "h" },
  { seconds: MINUTE_SECONDS, name: "min" },
] as const;

/**
 * Formats the time since a timestamp in one unit: `4 s`, `12 min`, `3 h`, `5 d`. Both times are in unix
 * seconds.
 */
export function formatAge(timestamp: number, now: number): string {
  const seconds = Math.max(0, Math.floor(now - timestamp));
  const step = STEPS.find((each) => seconds >= each.seconds);
  return step === undefined ? `${seconds} s` : `${Math.floor(seconds / step.seconds)} ${step.name}`;
}

/** Formats a timestamp in UTC: `2026-11-22 14:05:09`. */
export function formatTime(timestamp: number): string {
  return isoTime(timestamp).slice(0, 19).replace("T", " ");
}

/** Formats a timestamp in ISO 8601: `2026-11-22T14:05:09.000Z`. */
export function isoTime(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString();
}

/** Converts an ISO 8601 time, the format of times in SQL answers, to unix seconds. */
export function parseTime(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}

/** Formats a duration: `850 ms`, `4.21 s`, `31.5 s`, `2 min 5 s`, `3 h 20 min`, `8 d 4 h`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return UNKNOWN;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return inTwoUnits(Math.round(ms / 1000));
}

function inTwoUnits(seconds: number): string {
  const units = [...STEPS, { seconds: 1, name: "s" }];
  const [large, small] = units.slice(units.findIndex((each) => seconds >= each.seconds));
  if (large === undefined || small === undefined) return `${seconds} s`;
  const rest = Math.floor((seconds % large.seconds) / small.seconds);
  return `${Math.floor(seconds / large.seconds)} ${large.name} ${rest} ${small.name}`;
}

/** Formats the median and the 95th percentile of ages in seconds: `0.3 / 0.9 s`, `8 s / 2 min`, `7 d / 8 d`. */
export function formatAges(ages: { p50: number; p95: number } | null | undefined): string {
  if (ages == null) return UNKNOWN;
  if (ages.p95 < 59.95) return `${ages.p50.toFixed(1)} / ${ages.p95.toFixed(1)} s`;
  return `${formatAge(0, ages.p50)} / ${formatAge(0, ages.p95)}`;
}
