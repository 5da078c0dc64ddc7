/** How reliable an endpoint currently is. Times are milliseconds on the monotonic clock. */
export interface Health {
  /** Number of faults in a row. Each fault doubles the next backoff. */
  readonly score: number;
  /** Other endpoints are preferred until this time. */
  readonly backoffUntil: number;
  /** Time until which no request may be sent, from Retry-After. */
  readonly retryAt: number;
  /** Time at which the endpoint last sent invalid data; -Infinity if never. */
  readonly invalidAt: number;
}

/**
 * An observation that a caller reports:
 *
 * - `ok`: verified data. Resets the score, unless the endpoint sent invalid data recently.
 * - `invalid`: a block that contradicts its own header, or a reported head that does not exist.
 * - `missing`: the endpoint lacks a block at or below its reported head.
 * - `failed`: a request failed.
 * - `timeout`, `unusable`: the caller gave up waiting, or could not use the response. The cause may have been
 *   reported already, so these do not extend a current backoff.
 */
export type HealthReport = "ok" | "invalid" | "missing" | "failed" | "timeout" | "unusable";

/** Lengths of the first and of the longest backoff. */
export interface BackoffLimits {
  minBackoffMs: number;
  maxBackoffMs: number;
}

export const HEALTHY: Health = { score: 0, backoffUntil: 0, retryAt: 0, invalidAt: Number.NEGATIVE_INFINITY };

/** Returns the health after a report. */
export function reported(health: Health, kind: HealthReport, now: number, limits: BackoffLimits): Health {
  switch (kind) {
    case "ok":
      return now - health.invalidAt > limits.maxBackoffMs ? { ...health, score: 0 } : health;
    case "invalid":
      return { ...backedOff(health, now, limits), invalidAt: now };
    case "missing":
    case "failed":
      return backedOff(health, now, limits);
    case "timeout":
    case "unusable":
      return isBackingOff(health, now) ? health : backedOff(health, now, limits);
  }
}

/**
 * Returns the health after a response with Retry-After. A rate limit is not a fault, so the score does not
 * change.
 */
export function rateLimited(health: Health, retryAt: number): Health {
  return { ...health, retryAt: Math.max(health.retryAt, retryAt) };
}

export function isBackingOff(health: Pick<Health, "backoffUntil" | "retryAt">, now: number): boolean {
  return Math.max(health.backoffUntil, health.retryAt) > now;
}

function backedOff(health: Health, now: number, { minBackoffMs, maxBackoffMs }: BackoffLimits): Health {
  const backoffMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** health.score);
  return { ...health, score: health.score + 1, backoffUntil: now + backoffMs };
}
