import { describe, expect, it } from "vitest";
import { momentOf } from "../../lib/async/clock.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { EndpointTraffic } from "./traffic.ts";

describe("EndpointTraffic.outage", () => {
  it("begins with the first request that failed, once it has failed for long enough", async () => {
    const clock = new ManualClock();
    const traffic = new EndpointTraffic(clock);
    const since = momentOf(clock);
    await clock.advance(900);
    traffic.failed("HTTP 502", "other", since);
    expect(traffic.outage(1_000, 5_000)).toBeNull();
    await clock.advance(100);
    traffic.failed("HTTP 503", "other");
    expect(traffic.outage(1_000, 5_000)).toBe("HTTP 503, since 2023-11-14T22:13:20Z");
    traffic.usable();
    expect(traffic.outage(1_000, 5_000)).toBeNull();
  });

  it("is silence when a request has no response, unless later requests had one", async () => {
    const clock = new ManualClock();
    const traffic = new EndpointTraffic(clock);
    const slow = traffic.begin();
    await clock.advance(4_999);
    expect(traffic.outage(1_000, 5_000)).toBeNull();
    await clock.advance(1);
    expect(traffic.outage(1_000, 5_000)).toBe("no response since 2023-11-14T22:13:20Z");
    traffic.responded(10);
    expect(traffic.outage(1_000, 5_000)).toBeNull();
    traffic.end(slow);
    expect(traffic.outage(1_000, 5_000)).toBeNull();
  });

  it("is not postponed by a wall clock that steps back", async () => {
    const clock = new ManualClock();
    const traffic = new EndpointTraffic(clock);
    traffic.failed("HTTP 502", "other");
    clock.stepWall(-60_000);
    await clock.advance(1_000);
    expect(traffic.outage(1_000, 5_000)).toBe("HTTP 502, since 2023-11-14T22:13:20Z");
  });

  it("waits longer for an endpoint that is usually slow", async () => {
    const clock = new ManualClock();
    const traffic = new EndpointTraffic(clock);
    traffic.responded(2_000);
    await clock.advance(1);
    traffic.begin();
    await clock.advance(9_999);
    expect(traffic.outage(1_000, 5_000)).toBeNull();
    await clock.advance(1);
    expect(traffic.outage(1_000, 5_000)).toMatch(/^no response since/);
  });
});

describe("EndpointTraffic.takeSummary", () => {
  it("covers the failures since the last one", () => {
    const traffic = new EndpointTraffic(new ManualClock());
    traffic.begin();
    traffic.begin();
    expect(traffic.takeSummary()).toBeNull();
    traffic.begin();
    traffic.failed("late", "timeout");
    traffic.countBadBlock("invalid");
    traffic.responded(12);
    const summary = "1 of 1 requests failed (timeouts: 1, rate limits: 0); invalid blocks: 1; missing: 0";
    expect(traffic.takeSummary()).toBe(`${summary}; average latency: 12 ms`);
    expect(traffic.takeSummary()).toBeNull();
  });
});
