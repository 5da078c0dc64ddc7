import { isBackingOff } from "./health.ts";

/** The properties by which an endpoint is chosen. Times are milliseconds on the monotonic clock. */
export interface Standing {
  /** The endpoint's chain id was requested and is correct. */
  isChecked: boolean;
  /** The endpoint can never be used. */
  isExcluded: boolean;
  backoffUntil: number;
  retryAt: number;
  /** Newest block that the endpoint is known to have; null if none is known yet. */
  newest: number | null;
  /**
   * Number of requests in progress and waiting, divided by the concurrency limit and multiplied by the
   * latency. Smaller is better.
   */
  load: number;
}

/**
 * Returns true for an endpoint that is neither excluded nor in backoff. Its chain may not have been checked
 * yet.
 */
export function isUsable(standing: Standing, now: number): boolean {
  return !standing.isExcluded && !isBackingOff(standing, now);
}

/** Returns true for a usable endpoint that is known to serve the right chain. */
export function isAvailable(standing: Standing, now: number): boolean {
  return standing.isChecked && isUsable(standing, now);
}

/**
 * Returns the endpoint to use next. Prefers endpoints that are not in backoff, then endpoints that are not
 * known to be behind the block, then the least loaded. If all are in backoff, returns the one whose backoff
 * ends first. Returns undefined if all are excluded.
 */
export function bestOf<T extends Standing>(
  endpoints: readonly T[],
  now: number,
  block?: number,
): T | undefined {
  const usable = endpoints.filter(({ isExcluded }) => !isExcluded);
  return usable.sort((a, b) => compare(rank(a, now, block), rank(b, now, block)))[0];
}

type Rank = [backoffUntil: number, behind: number, load: number];

function rank({ backoffUntil, retryAt, newest, load }: Standing, now: number, block?: number): Rank {
  const isBehind = block !== undefined && newest !== null && newest < block;
  const until = Math.max(backoffUntil, retryAt);
  return [until > now ? until : 0, isBehind ? 1 : 0, load];
}

function compare(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
