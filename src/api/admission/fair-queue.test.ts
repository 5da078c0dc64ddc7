import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { FairQueue, type FairQueueLimits } from "./fair-queue.ts";

const caller = (client: string, signal = new AbortController().signal) => ({ client, kind: "k", signal });
const a = caller("a");

/** Makes a queue in which one client may always take all slots, unless the limits say otherwise. */
function queueOf(
  limits: { running: number; waiting: number; waitMs: number } & Partial<FairQueueLimits>,
  clock = new ManualClock(),
) {
  return new FairQueue({ clientShare: 2, clientWaiting: limits.waiting, ...limits }, clock);
}

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

/** Returns `ran`, or the code of the error. */
function outcomeOf(running: Promise<void>): Promise<string> {
  return running.then(
    () => "ran",
    ({ code }) => code,
  );
}

describe("FairQueue", () => {
  it("runs and queues tasks up to its limits, in order, and rejects the rest", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 1, waitMs: 1000 }, clock);
    const [first, second, third] = [task(), task(), task()];
    const running = queue.run(a, first.run);
    const waiting = queue.run(a, second.run);
    await expect(queue.run(a, third.run)).rejects.toMatchObject({
      code: "busy",
      retryable: true,
      message:
        "Too many requests from this client: at most 1 of this kind may wait at once. Send the request again in 1 s.",
    });
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

  it("passes on a slot only when the work that the task left behind has ended", async () => {
    const queue = queueOf({ running: 1, waiting: 1, waitMs: 1000 });
    const left = task();
    const failing = queue.run(a, async (_signal, slot) => {
      slot.keepUntil(left.run().then(() => Promise.reject(new RangeError("killed"))));
      throw new RangeError("timeout");
    });
    const next = task();
    const waiting = queue.run(a, next.run);
    await expect(failing).rejects.toThrow("timeout");
    expect([queue.running, queue.waiting, next.started()]).toEqual([1, 1, false]);
    left.finish();
    await expect.poll(next.started).toBe(true);
    next.finish();
    await waiting;
    expect(queue.running).toBe(0);
  });

  it("passes on the slot of a task that fails", async () => {
    const queue = queueOf({ running: 1, waiting: 1, waitMs: 1000 });
    const failing = queue.run(a, async () => Promise.reject(new RangeError("x")));
    const next = queue.run(a, async () => "ran");
    await expect(failing).rejects.toThrow("x");
    expect(await next).toBe("ran");
    expect(await queue.run(a, async () => "free again")).toBe("free again");
  });

  it("removes tasks that wait too long or whose client disconnects, without losing slots", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 2, waitMs: 30 }, clock);
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

  it("lets a client have more slots while no other client is active", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 6, waiting: 9, waitMs: 10_000, clientShare: 2 / 3 }, clock);
    const many = Array.from({ length: 9 }, task);
    const started = () => many.filter((one) => one.started()).length;
    const running = many.slice(0, 8).map(({ run }) => queue.run(a, run));
    await clock.advance(0);
    expect(started()).toBe(4);
    await queue.run(caller("b"), async () => {});
    for (const { finish } of many.slice(0, 4)) finish();
    await clock.advance(0);
    // Two at a time, because the other client has just been active.
    expect(started()).toBe(6);
    await clock.advance(1_000);
    expect(started()).toBe(6);
    running.push(queue.run(a, many[8]?.run ?? (async () => {})));
    await clock.advance(0);
    // The waiting tasks start before the new one.
    expect(many.map((one) => one.started())).toEqual([...Array(8).fill(true), false]);
    for (const { finish } of many) finish();
    await Promise.all(running);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it("lets the client with the fewest running tasks go first", async () => {
    const queue = queueOf({ running: 2, waiting: 9, waitMs: 1000 });
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

  it("keeps running and waiting places for other clients, and says which limit was reached", async () => {
    const queue = queueOf({ running: 3, waiting: 4, waitMs: 1000, clientShare: 2 / 3, clientWaiting: 2 });
    const running = task();
    const taken = Array.from({ length: 4 }, () => queue.run(a, running.run));
    expect([queue.running, queue.waiting, queue.clients]).toEqual([2, 2, 1]);
    await expect(queue.run(a, running.run)).rejects.toMatchObject({ code: "busy" });
    expect(await queue.run(caller("b"), async () => "ran")).toBe("ran");
    const others = ["b", "c", "d"].map((client) => queue.run(caller(client), running.run));
    await expect(queue.run(caller("c"), running.run)).rejects.toMatchObject({
      code: "overloaded",
      message: expect.stringContaining(
        "it runs at most 3 requests of this kind at once, and queues at most 4",
      ),
    });
    running.finish();
    await Promise.all([...taken, ...others]);
    expect([queue.running, queue.waiting, queue.clients, queue.rejected]).toEqual([0, 0, 0, 2]);
  });

  it("gives the newest place of the client with the most to a client with few when it is full", async () => {
    const queue = queueOf({ running: 1, waiting: 5, waitMs: 1000, clientWaiting: 3 });
    const [first, order] = [task(), [] as string[]];
    const running = queue.run(a, first.run);
    const wait = (client: string, name: string) =>
      queue
        .run(caller(client), async () => void order.push(name))
        .catch(({ code, message }) => `${code} ${message}`);
    const waiting = ["b 0", "c 0", "b 1", "c 1", "b 2"].map((name) => wait(name.slice(0, 1), name));
    expect(queue.waiting).toBe(5);
    const fresh = wait("d", "d 0");
    expect(await waiting[4]).toMatch(/^overloaded .* those of this client are the most or take the longest/);
    // Every client with two or more has more than `d` would have; the newest of those of `b` is older.
    const second = wait("e", "e 0");
    expect(await Promise.race([waiting[2], waiting[3]])).toContain("overloaded");
    expect(await wait("d", "d 1")).toContain("overloaded");
    first.finish();
    await Promise.all([running, fresh, second, ...waiting]);
    expect(order.sort()).toHaveLength(5);
    expect(order).toEqual(expect.arrayContaining(["b 0", "c 0", "d 0", "e 0"]));
    expect([queue.running, queue.waiting, queue.clients, queue.rejected]).toEqual([0, 0, 0, 3]);
  });

  it("gives a place of a client with slow tasks to one with short tasks when it is full", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 4, waitMs: 60_000 }, clock);
    const quick = () => queue.run(caller("quick"), () => clock.sleep(10));
    const slow = (client: string) => outcomeOf(queue.run(caller(client), () => clock.sleep(5_000)));
    const begun = quick();
    await clock.advance(10);
    await begun;
    const known = slow("known");
    await clock.advance(5_000);
    expect(await known).toBe("ran");
    // Each has one task: one runs, and four fill the queue.
    const clients = [...["known", "b", "c", "d", "e"].map(slow)];
    expect([queue.running, queue.waiting]).toEqual([1, 4]);
    // The known client runs and has nothing to wait for, so a new one gives way. A further slow one does not.
    const admitted = quick();
    expect(await slow("f")).toBe("overloaded");
    await clock.advance(60_000);
    await admitted;
    expect((await Promise.all(clients)).sort()).toEqual(["overloaded", "ran", "ran", "ran", "ran"]);
  });

  it("gives a place of a client that is not known to one known for short tasks when it is full", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 4, waitMs: 60_000 }, clock);
    const quick = (client: string) => outcomeOf(queue.run(caller(client), () => clock.sleep(10)));
    const begun = quick("known");
    await clock.advance(10);
    expect(await begun).toBe("ran");
    const unknown = ["a", "b", "c", "d", "e"].map(quick);
    expect(await quick("f")).toBe("overloaded");
    const known = quick("known");
    await clock.advance(1_000);
    expect([await known, (await Promise.all(unknown)).sort()]).toEqual([
      "ran",
      ["overloaded", "ran", "ran", "ran", "ran"],
    ]);
  });

  it("serves a known client in turn with those that use a new address for each task", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 100, waitMs: 60_000 }, clock);
    const end = 20_000;
    let addresses = 0;
    const waits: number[] = [];
    const changing = async () => {
      while (clock.monotonic() < end) {
        const address = caller(`address ${addresses++}`);
        await queue.run(address, () => clock.sleep(10)).catch(() => undefined);
      }
    };
    const known = async () => {
      while (clock.monotonic() < end) {
        const sinceMs = clock.monotonic();
        await queue.run(caller("known"), async () => void waits.push(clock.monotonic() - sinceMs));
        await clock.sleep(100);
      }
    };
    const all = Promise.all([known(), ...Array.from({ length: 50 }, changing)]);
    await clock.advance(end + 10_000);
    await all;
    expect(waits.length).toBeGreaterThan(50);
    expect(Math.max(...waits.slice(2))).toBeLessThanOrEqual(500);
  });

  it("serves a client with short tasks before clients that take up its slots", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 2, waiting: 100, waitMs: 10_000 }, clock);
    const end = 40_000;
    const waits: number[] = [];
    const slow = async (client: string) => {
      while (clock.monotonic() < end) {
        await queue.run(caller(client), () => clock.sleep(1_000)).catch(() => undefined);
      }
    };
    const quick = async () => {
      while (clock.monotonic() < end) {
        const sinceMs = clock.monotonic();
        await queue.run(caller("quick"), async () => void waits.push(clock.monotonic() - sinceMs));
        await clock.sleep(1_000);
      }
    };
    // A round of thirty clients takes fifteen seconds, longer than a request may wait.
    const all = Promise.all([quick(), ...Array.from({ length: 30 }, (_, i) => slow(`slow ${i}`))]);
    all.catch(() => undefined);
    await clock.advance(end + 20_000);
    await all;
    expect(waits.length).toBeGreaterThan(15);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
  });

  it("serves a client with short tasks before clients that use a new address for each slow task", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 2, waiting: 100, waitMs: 10_000 }, clock);
    const end = 60_000;
    const waits: number[] = [];
    let addresses = 0;
    const slow = async () => {
      while (clock.monotonic() < end) {
        const address = caller(`address ${addresses++}`);
        await queue.run(address, () => clock.sleep(1_000)).catch(() => undefined);
      }
    };
    const quick = async () => {
      while (clock.monotonic() < end) {
        const sinceMs = clock.monotonic();
        await queue.run(caller("quick"), () => {
          waits.push(clock.monotonic() - sinceMs);
          return clock.sleep(100);
        });
        await clock.sleep(900);
      }
    };
    const all = Promise.all([quick(), ...Array.from({ length: 50 }, slow)]);
    all.catch(() => undefined);
    await clock.advance(end + 30_000);
    await all;
    expect(waits.length).toBeGreaterThan(25);
    // One of the two slots is free at the latest after the second that a slow task takes.
    expect(Math.max(...waits.slice(5))).toBeLessThanOrEqual(1_000);
  });

  it("lets clients take turns in one place, however many tasks each has", async () => {
    const queue = queueOf({ running: 1, waiting: 9, waitMs: 1000 });
    const order: string[] = [];
    const tasks = ["many", "many", "many", "few", "few", "one"].map((client, i) =>
      queue.run(caller(client), async () => {
        order.push(`${client} ${i}`);
        await new Promise(setImmediate);
      }),
    );
    await Promise.all(tasks);
    expect(order).toEqual(["many 0", "few 3", "one 5", "many 1", "few 4", "many 2"]);
  });

  it("says after a long wait whether the client's own tasks or others took its place", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 1, waiting: 2, waitMs: 30 }, clock);
    const first = task();
    const running = queue.run(a, first.run);
    const waiting = ["a", "b"].map((client) => queue.run(caller(client), async () => "never"));
    const outcomes = Promise.allSettled(waiting);
    await clock.advance(30);
    const codes = (await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.code);
    expect(codes).toEqual(["busy", "overloaded"]);
    first.finish();
    await running;
  });

  it("serves a client with several requests at once as often as those that send one after another", async () => {
    const clock = new ManualClock();
    const queue = queueOf({ running: 2, clientShare: 1, waiting: 20, waitMs: 10_000 }, clock);
    const runs = new Map<string, number>();
    let isOver = false;
    const repeat = async (client: string) => {
      while (!isOver) {
        await queue.run(caller(client), () => clock.sleep(500));
        runs.set(client, (runs.get(client) ?? 0) + 1);
      }
    };
    const all = ["a", "b", "c", "d", "two", "two"].map(repeat);
    for (let i = 0; i < 120; i++) await clock.advance(500);
    isOver = true;
    for (let i = 0; i < 6; i++) await clock.advance(500);
    await Promise.all(all);
    expect(queue.rejected).toBe(0);
    const counts = [...runs.values()];
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(4);
  });
});
