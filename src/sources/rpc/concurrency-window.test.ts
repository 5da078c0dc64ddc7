import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { ConcurrencyWindow } from "./concurrency-window.ts";

describe("ConcurrencyWindow", () => {
  it("admits requests up to its limit, and the waiting ones in order", async () => {
    const window = new ConcurrencyWindow(2, 8, new ManualClock());
    const order: number[] = [];
    await window.enter(undefined);
    await window.enter(undefined);
    const third = window.enter(undefined).then(() => order.push(3));
    const fourth = window.enter(undefined).then(() => order.push(4));
    await Promise.resolve();
    expect(order).toEqual([]);
    window.leave();
    await third;
    expect(order).toEqual([3]);
    window.leave();
    await fourth;
    expect(order).toEqual([3, 4]);
  });

  it("grows by one per window of good responses up to its maximum, and halves on congestion", () => {
    const clock = new ManualClock();
    const window = new ConcurrencyWindow(4, 6, clock);
    for (let i = 0; i < 5; i++) window.widen();
    expect(window.limit).toBe(5);
    for (let i = 0; i < 50; i++) window.widen();
    expect(window.limit).toBe(6);
    window.halve(clock.monotonic());
    expect(window.limit).toBe(3);
  });

  it("halves once for requests that were in progress together, and never below one", async () => {
    const clock = new ManualClock();
    const window = new ConcurrencyWindow(8, 8, clock);
    const startedAt = clock.monotonic();
    await clock.advance(1);
    window.halve(startedAt);
    window.halve(startedAt);
    expect(window.limit).toBe(4);
    for (let i = 0; i < 5; i++) window.halve(clock.monotonic() + 1);
    expect(window.limit).toBe(1);
  });

  it("drops a waiting request that is aborted, without losing capacity", async () => {
    const window = new ConcurrencyWindow(1, 1, new ManualClock());
    await window.enter(undefined);
    const abort = new AbortController();
    const waiting = window.enter(abort.signal);
    abort.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    window.leave();
    await window.enter(undefined);
    expect(window.load).toBe(1);
  });
});
