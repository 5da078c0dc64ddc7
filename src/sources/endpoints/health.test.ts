import { describe, expect, it } from "vitest";
import { HEALTHY, type Health, type HealthReport, isBackingOff, rateLimited, reported } from "./health.ts";

const LIMITS = { minBackoffMs: 1_000, maxBackoffMs: 60_000 };
const NOW = 1_700_000_000_000;

/**
 * Applies reports one after another, each after the previous backoff has ended. Returns the length of each
 * backoff, in seconds.
 */
function backoffsAfter(...kinds: HealthReport[]): number[] {
  let health: Health = HEALTHY;
  let now = NOW;
  return kinds.map((kind) => {
    now = Math.max(now, health.backoffUntil);
    const before = health.backoffUntil;
    health = reported(health, kind, now, LIMITS);
    return health.backoffUntil === before ? 0 : (health.backoffUntil - now) / 1_000;
  });
}

describe("the health of an endpoint", () => {
  it.each<[HealthReport[], number[]]>([
    [["ok"], [0]],
    [["invalid"], [1]],
    [["missing"], [1]],
    [["failed"], [1]],
    [["timeout"], [1]],
    [["unusable"], [1]],
    [Array(8).fill("missing"), [1, 2, 4, 8, 16, 32, 60, 60]],
    [
      ["missing", "failed", "timeout", "unusable", "invalid"],
      [1, 2, 4, 8, 16],
    ],
    [
      ["missing", "missing", "ok", "missing"],
      [1, 2, 0, 1],
    ],
    [
      ["invalid", "ok", "invalid", "ok", "invalid", "ok"],
      [1, 0, 2, 0, 4, 0],
    ],
  ])("after %j backs off for %j seconds", (kinds, seconds) => {
    expect(backoffsAfter(...kinds)).toEqual(seconds);
  });

  it("forgives invalid data after the longest backoff", () => {
    const invalid = reported(HEALTHY, "invalid", NOW, LIMITS);
    expect(reported(invalid, "ok", NOW + LIMITS.maxBackoffMs, LIMITS).score).toBe(1);
    expect(reported(invalid, "ok", NOW + LIMITS.maxBackoffMs + 1, LIMITS).score).toBe(0);
  });

  it.each<[HealthReport, number]>([
    ["timeout", 1],
    ["unusable", 1],
    ["failed", 2],
    ["missing", 2],
    ["invalid", 2],
  ])("%s during a backoff gives score %i", (kind, score) => {
    const failed = reported(HEALTHY, "failed", NOW, LIMITS);
    expect(reported(failed, kind, NOW + 500, LIMITS).score).toBe(score);
  });

  it("honours the latest Retry-After, which is not a fault", () => {
    const limited = rateLimited(rateLimited(HEALTHY, NOW + 900), NOW + 100);
    expect(limited).toMatchObject({ retryAt: NOW + 900, score: 0, backoffUntil: 0 });
    expect(isBackingOff(limited, NOW + 899)).toBe(true);
    expect(isBackingOff(limited, NOW + 900)).toBe(false);
    expect(reported(limited, "unusable", NOW, LIMITS)).toEqual(limited);
  });
});
