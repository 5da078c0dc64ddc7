/**
 * Reads the wait that a Retry-After header requests, in seconds or as a date. Returns it in milliseconds, or
 * null if there is no valid header.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === "") return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
