import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";

/** Formats a duration: `42s`, `5m 10s`, `3h 07m`, `12d 4h`. */
export function ageText(seconds: number): string {
  const whole = Math.round(seconds);
  const days = Math.floor(whole / DAY_SECONDS);
  const hours = Math.floor((whole % DAY_SECONDS) / HOUR_SECONDS);
  const minutes = Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS);
  const pad = (number: number) => String(number).padStart(2, "0");
  if (whole < MINUTE_SECONDS) return `${whole}s`;
  if (whole < HOUR_SECONDS) return `${minutes}m ${pad(whole % MINUTE_SECONDS)}s`;
  return days === 0 ? `${hours}h ${pad(minutes)}m` : `${days}d ${hours}h`;
}
