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

/** Formats a duration: `850 ms`, `4.21 s`, `31.5 s`, `2 min 5 s`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return UNKNOWN;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
