import { describe, expect, it } from "vitest";
import { ConcurrencyWindow } from "./concurrency-window.ts";

describe("ConcurrencyWindow", () => {
  it("admits up to its limit, the others in order as places come free", async () => {
    const window = new ConcurrencyWindow(2, 8);
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

  it("grows by one per window of good answers, up to its maximum, and halves on congestion", () => {
    const window = new ConcurrencyWindow(4, 6);
    for (let i = 0; i < 5; i++) window.widen();
    expect(window.limit).toBe(5);
    for (let i = 0; i < 50; i++) window.widen();
    expect(window.limit).toBe(6);
    window.cut(performance.now());
    expect(window.limit).toBe(3);
  });

  it("halves once for requests that were under way together, and never below one", () => {
    const window = new ConcurrencyWindow(8, 8);
    const startedAt = performance.now();
    window.cut(startedAt);
    window.cut(startedAt);
    expect(window.limit).toBe(4);
    for (let i = 0; i < 5; i++) window.cut(performance.now() + 1);
    expect(window.limit).toBe(1);
  });

  it("lets a waiting request go when it is aborted, without losing a place", async () => {
    const window = new ConcurrencyWindow(1, 1);
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
