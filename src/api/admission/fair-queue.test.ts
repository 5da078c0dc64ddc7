import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { FairQueue } from "./fair-queue.ts";

const caller = (client: string, signal = new AbortController().signal) => ({ client, signal });
const a = caller("a");

function task() {
  let finish = () => {};
  let started = false;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = async () => {
    started = true;
    await done;
  };
  return { run, finish: () => finish(), started: () => started };
}

describe("FairQueue", () => {
  it("runs and queues tasks up to its limits, in order, and rejects the rest", async () => {
    const clock = new ManualClock();
    const queue = new FairQueue({ running: 1, waiting: 1, waitMs: 1000 }, clock);
    const [first, second, third] = [task(), task(), task()];
    const running = queue.run(a, first.run);
    const waiting = queue.run(a, second.run);
    await expect(queue.run(a, third.run)).rejects.toMatchObject({ code: "busy", retryable: true });
    await clock.advance(0);
    expect([first.started(), second.started(), third.started()]).toEqual([true, false, false]);
    first.finish();
    await running;
    await clock.advance(0);
    expect(second.started()).toBe(true);
    second.finish();
    await waiting;
    expect(queue.rejected).toBe(1);
  });

  it("passes on the slot of a task that fails", async () => {
    const queue = new FairQueue({ running: 1, waiting: 1, waitMs: 1000 }, new ManualClock());
    const failing = queue.run(a, async () => Promise.reject(new RangeError("x")));
    const next = queue.run(a, async () => "ran");
    await expect(failing).rejects.toThrow("x");
    expect(await next).toBe("ran");
    expect(await queue.run(a, async () => "free again")).toBe("free again");
  });

  it("removes tasks that wait too long or whose client disconnects, without losing slots", async () => {
    const clock = new ManualClock();
    const queue = new FairQueue({ running: 1, waiting: 2, waitMs: 30 }, clock);
    const first = task();
    const running = queue.run(a, first.run);
    const client = new AbortController();
    const abandoned = queue.run(caller("b", client.signal), async () => "never");
    const late = queue.run(a, async () => "never");
    client.abort();
    await expect(abandoned).rejects.toThrow("client closed");
    const outcome = expect(late).rejects.toMatchObject({ code: "busy" });
    await clock.advance(29);
    expect(queue.waiting).toBe(1);
    await clock.advance(1);
    await outcome;
    first.finish();
    await running;
    expect(await queue.run(a, async () => "free")).toBe("free");
    await expect(queue.run(caller("b", client.signal), async () => "never")).rejects.toThrow("client closed");
    expect([queue.running, queue.waiting, clock.pending]).toEqual([0, 0, 0]);
  });

  it("lets the client with the fewest running tasks go first", async () => {
    const queue = new FairQueue({ running: 2, waiting: 9, waitMs: 1000 }, new ManualClock());
    const order: string[] = [];
    const started = [task(), task()];
    const running = started.map(({ run }) => queue.run(caller("many"), run));
    const waiting = ["many", "many", "one", "many", "other", "one"].map((name, i) =>
      queue.run(caller(name), async () => {
        order.push(`${name} ${i}`);
        await new Promise(setImmediate);
      }),
    );
    started[0]?.finish();
    await Promise.all(waiting);
    started[1]?.finish();
    await Promise.all(running);
    expect(order).toEqual(["one 2", "other 4", "one 5", "many 0", "many 1", "many 3"]);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });
});
