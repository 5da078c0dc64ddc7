import { QuarryError } from "@quarry/sdk";

/** Delay before a stream that failed or ended is opened again, in ms. It doubles after each failure. */
const FIRST_DELAY_MS = 30_000;

/**
 * Longest delay, in ms. It also limits Retry-After: a client that has too many streams may be able to open
 * one again much earlier.
 */
const MAX_DELAY_MS = 10 * 60_000;

/**
 * Returns the delay before a stream is opened again, in ms; null if the service would reject every retry,
 * e.g. because it is an old version or offers no streams.
 *
 * @param error null if the service ended the stream
 * @param failures number of failures since the last frame, at least 1
 */
export function streamRetryDelay(error: unknown, failures: number): number | null {
  const { status, retryAfterSeconds } = error instanceof QuarryError ? error : NO_ANSWER;
  if (status !== null && isFinal(status)) return null;
  const delay = FIRST_DELAY_MS * 2 ** (failures - 1);
  return Math.min(Math.max(delay, 1000 * (retryAfterSeconds ?? 0)), MAX_DELAY_MS);
}

const NO_ANSWER = { status: null, retryAfterSeconds: null };

const TOO_MANY_REQUESTS = 429;

function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}
