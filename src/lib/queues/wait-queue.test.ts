import { describe, expect, it } from "vitest";
import { ManualClock } from "../support/manual-clock.ts";
import { WaitQueue } from "./wait-queue.ts";

describe("WaitQueue", () => {
  it("serves callers in order of arrival", async () => {
    const queue = new WaitQueue<string>();
    const [first, second] = [queue.wait(undefined), queue.wait(undefined)];
    expect(queue.size).toBe(2);
    queue.next()?.serve("a");
    queue.next()?.serve("b");
    expect([await first, await second, queue.size]).toEqual(["a", "b", 0]);
    expect(queue.next()).toBeUndefined();
  });

  it("serves the caller of the lowest rank first, the oldest among equals", async () => {
    const queue = new WaitQueue<number, string>();
    const order: string[] = [];
    const waits = ["far", "near 1", "near 2"].map((tag) => queue.wait(tag).then(() => order.push(tag)));
    const rank = (tag: string) => (tag.startsWith("near") ? 0 : 1);
    for (let i = 0; i < 3; i++) queue.next(rank)?.serve(i);
    await Promise.all(waits);
    expect(order).toEqual(["near 1", "near 2", "far"]);
  });

  it("drops a caller whose signal aborts, with the signal's reason or an error of the queue's owner", async () => {
    const queue = new WaitQueue();
    const abort = new AbortController();
    const plain = queue.wait(undefined, { signal: abort.signal });
    const mapped = queue.wait(undefined, {
      signal: abort.signal,
      abortError: () => new RangeError("mapped"),
    });
    abort.abort(new TypeError("reason"));
    await expect(plain).rejects.toThrow("reason");
    await expect(mapped).rejects.toThrow("mapped");
    await expect(queue.wait(undefined, { signal: abort.signal })).rejects.toThrow("reason");
    expect(queue.size).toBe(0);
  });

  it("drops a caller that waited too long", async () => {
    const clock = new ManualClock();
    const queue = new WaitQueue<string>(clock);
    const late = queue.wait(undefined, { timeoutMs: 30, timeoutError: () => new RangeError("late") });
    const patient = queue.wait(undefined, { timeoutMs: 31, timeoutError: () => new RangeError("late") });
    const rejected = expect(late).rejects.toThrow("late");
    await clock.advance(30);
    await rejected;
    expect(queue.size).toBe(1);
    queue.serveAll("served");
    expect(await patient).toBe("served");
    expect(clock.pending).toBe(0);
  });

  it("rejects all callers at once", async () => {
    const queue = new WaitQueue();
    const waits = [queue.wait(undefined), queue.wait(undefined)];
    const rejected = Promise.all(waits.map((wait) => expect(wait).rejects.toThrow("closed")));
    queue.rejectAll(new RangeError("closed"));
    await rejected;
    expect(queue.size).toBe(0);
  });
});
