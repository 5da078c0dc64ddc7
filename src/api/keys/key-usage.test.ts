import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { KeyUsage } from "./key-usage.ts";

/** Makes a clock that is set to this time. */
function clockAt(time: string): ManualClock {
  const clock = new ManualClock();
  clock.stepWall(Date.parse(time) - clock.now());
  return clock;
}

describe("the usage of a key", () => {
  it("is counted by calendar month, in UTC", () => {
    const clock = clockAt("2026-12-31T23:59:59.500Z");
    const usage = new KeyUsage(clock);
    usage.add("a", { requests: 1 });
    usage.add("a", { requests: 1, sqlQueries: 1 });
    usage.add("a", { sqlSeconds: 0.5 });
    expect([usage.month, usage.resetsAt, usage.secondsLeft]).toEqual([
      "2026-12",
      Date.parse("2027-01-01T00:00:00Z") / 1000,
      1,
    ]);
    expect(usage.of("a")).toEqual({ requests: 2, sqlQueries: 1, sqlSeconds: 0.5 });
    expect(usage.of("b")).toEqual({ requests: 0, sqlQueries: 0, sqlSeconds: 0 });
    clock.stepWall(500);
    expect([usage.month, usage.of("a").requests]).toEqual(["2027-01", 0]);
    usage.add("a", { requests: 1 });
    expect([usage.of("a").requests, usage.ownIn("2026-12").get("a")?.requests]).toEqual([1, 2]);
  });

  it("includes what others counted this month, and continues a predecessor's counts", () => {
    const clock = clockAt("2026-11-30T12:00:00Z");
    const usage = new KeyUsage(clock);
    const counted = (requests: number) => new Map([["a", { requests, sqlQueries: 0, sqlSeconds: 0 }]]);
    usage.add("a", { requests: 1 });
    usage.resume("2026-11", counted(10));
    usage.setOthers("2026-11", counted(100));
    expect(usage.of("a").requests).toBe(111);
    usage.setOthers("2026-11", counted(200));
    expect([usage.of("a").requests, usage.ownIn("2026-11").get("a")?.requests]).toEqual([211, 11]);
    clock.stepWall(24 * 3600 * 1000);
    expect(usage.of("a").requests).toBe(0);
  });

  it("is forgotten only when its month is over", () => {
    const clock = clockAt("2026-11-30T12:00:00Z");
    const usage = new KeyUsage(clock);
    usage.add("a", { requests: 1 });
    usage.forget("2026-11");
    expect(usage.countedMonths).toEqual(["2026-11"]);
    clock.stepWall(24 * 3600 * 1000);
    usage.forget("2026-11");
    expect(usage.countedMonths).toEqual([]);
  });
});
