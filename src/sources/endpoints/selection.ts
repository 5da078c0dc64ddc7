import { isBackingOff } from "./health.ts";

/** What the choice among endpoints depends on. Times are milliseconds of the monotonic clock. */
export interface Standing {
  /** Its chain id was requested and is right. */
  isChecked: boolean;
  /** It can never be used. */
  isExcluded: boolean;
  backoffUntil: number;
  retryAt: number;
  /** Newest block that it is known to have; null before the first. */
  newest: number | null;
  /** Requests in progress and waiting, weighted with the latency; smaller is better. */
  load: number;
}

/** Neither excluded nor backing off; its chain may still have to be checked. */
export function isUsable(standing: Standing, now: number): boolean {
  return !standing.isExcluded && !isBackingOff(standing, now);
}

/** Usable, and of the right chain: it may be trusted. */
export function isAvailable(standing: Standing, now: number): boolean {
  return standing.isChecked && isUsable(standing, now);
}

/**
 * The endpoint to use next: one that is not backing off, that has the block, the least loaded of those. When
 * all are backing off, the one whose backoff ends first. Undefined when all are excluded.
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
