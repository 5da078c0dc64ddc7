import { describe, expect, it } from "vitest";
import { deferred } from "../../lib/support/deferred.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { TwoTierAdmission } from "./two-tier-admission.ts";

let kinds = 0;
/** Makes a caller whose requests are of a kind of their own, unless a kind is given. */
function caller(signal = new AbortController().signal, { client = "a", kind = `kind ${kinds}` } = {}) {
  kinds++;
  return { client, kind, signal };
}

const LIMITS = {
  long: 1,
  quick: 1,
  quickMs: 40,
  waiting: 50,
  waitMs: 10_000,
  clientShare: 1,
  clientWaiting: 50,
};

/** Makes a task that takes this long, unless its signal aborts, and counts its starts and stops. */
function taskOf(clock: ManualClock, ms: number) {
  const seen = { starts: 0, stops: 0 };
  const run = async (signal: AbortSignal) => {
    seen.starts++;
    try {
      await clock.sleep(ms, signal);
      return "done";
    } catch {
      seen.stops++;
      throw signal.reason;
    }
  };
  return { run, seen };
}

describe("TwoTierAdmission", () => {
  it("lets a long task continue in the long tier without a restart", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission(LIMITS, clock);
    const long = taskOf(clock, 150);
    const outcome = admission.run(caller(), long.run);
    await clock.advance(150);
    expect(await outcome).toBe("done");
    expect(long.seen).toEqual({ starts: 1, stops: 0 });
    expect([admission.running, clock.pending]).toEqual([0, 0]);
  });

  it("runs one task that stops late at a time, and leaves the other slots to others", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, long: 2 }, clock);
    const late = Array.from({ length: 3 }, () => taskOf(clock, 1_000));
    const running = late.map(({ run }, i) =>
      admission.run({ ...caller(undefined, { client: `late ${i}` }), stopsLate: true }, run),
    );
    const long = admission.run(caller(), taskOf(clock, 500).run);
    const quick = admission.run(caller(), taskOf(clock, 10).run);
    await clock.advance(LIMITS.quickMs + 10);
    expect(await quick).toBe("done");
    expect(admission.tiers.long).toMatchObject({ running: 2, waiting: 2 });
    await clock.advance(500);
    expect(await long).toBe("done");
    expect(late.map(({ seen }) => seen.starts)).toEqual([1, 0, 0]);
    await clock.advance(3_000);
    expect(await Promise.all(running)).toEqual(["done", "done", "done"]);
    expect(late.map(({ seen }) => seen)).toEqual(late.map(() => ({ starts: 1, stops: 0 })));
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("starts no other task that stops late until the work of the last one has ended", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, long: 2 }, clock);
    const { promise: ended, resolve: end } = deferred();
    const left = admission.run({ ...caller(), stopsLate: true }, async (_, slot) => slot.keepUntil(ended));
    const next = taskOf(clock, 10);
    const waiting = admission.run({ ...caller(), stopsLate: true }, next.run);
    await left;
    await clock.advance(1_000);
    expect(next.seen.starts).toBe(0);
    end();
    await clock.advance(10);
    expect(await waiting).toBe("done");
  });

  it("keeps the slot of a preempted task until the work that it left behind has ended", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, long: 0 }, clock);
    const { promise: ended, resolve: end } = deferred();
    const leaving = admission.run(caller(), async (signal, slot) => {
      slot.keepUntil(ended);
      await clock.sleep(1_000, signal);
    });
    const late = expect(leaving).rejects.toMatchObject({ code: "overloaded" });
    await clock.advance(LIMITS.quickMs);
    expect([admission.running, admission.waiting]).toEqual([1, 1]);
    const next = taskOf(clock, 1);
    const waiting = admission.run(caller(), next.run);
    await clock.advance(0);
    expect(next.seen.starts).toBe(0);
    end();
    await clock.advance(1);
    await waiting;
    expect(next.seen.starts).toBe(1);
    await clock.advance(LIMITS.waitMs);
    await late;
  });

  it("lets quick tasks through while long ones run and wait", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission(LIMITS, clock);
    const [first, second, third] = [taskOf(clock, 1500), taskOf(clock, 100), taskOf(clock, 100)];
    const order: string[] = [];
    const run = (name: string, { run: task }: ReturnType<typeof taskOf>) =>
      admission.run(caller(), task).then(() => order.push(name));
    const long = [run("first", first), run("second", second), run("third", third)];
    await clock.advance(200);
    const quick = run("quick", taskOf(clock, 1));
    await clock.advance(1);
    await quick;
    await clock.advance(2000);
    await Promise.all(long);
    expect(order).toEqual(["quick", "first", "second", "third"]);
    expect([first.seen, second.seen, third.seen]).toEqual([
      { starts: 1, stops: 0 },
      { starts: 2, stops: 1 },
      { starts: 2, stops: 1 },
    ]);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("stops a task when its client disconnects, and passes on why a task failed", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission(LIMITS, clock);
    const client = new AbortController();
    const abandoned = admission.run(caller(client.signal), taskOf(clock, 60_000).run);
    const outcome = expect(abandoned).rejects.toThrow("left");
    await clock.advance(0);
    client.abort(new RangeError("left"));
    await outcome;
    await expect(admission.run(caller(), async () => Promise.reject(new RangeError("x")))).rejects.toThrow(
      "x",
    );
    expect([admission.running, await admission.run(caller(), async () => "done")]).toEqual([0, "done"]);
  });

  it("rejects a task when the queue is full", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, waiting: 1, quickMs: 10_000 }, clock);
    const running = [taskOf(clock, 60), taskOf(clock, 60)].map(({ run }) => admission.run(caller(), run));
    await expect(admission.run(caller(), taskOf(clock, 1).run)).rejects.toMatchObject({ code: "busy" });
    await clock.advance(120);
    await Promise.all(running);
    expect(admission.rejected).toBe(1);
  });

  it("starts work in the long tier if it was slow, until it is quick", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission(LIMITS, clock);
    const run = (task: ReturnType<typeof taskOf>, client = "a") =>
      admission.run(caller(undefined, { client, kind: "same" }), task.run);
    const blocked = taskOf(clock, 500);
    const all = [run(blocked)];
    await clock.advance(40);
    const [slow, others] = [taskOf(clock, 100), taskOf(clock, 5)];
    all.push(run(slow), run(others, "b"));
    await clock.advance(10);
    expect([slow.seen.starts, others.seen.starts, admission.running, admission.waiting]).toEqual([
      0, 1, 1, 1,
    ]);
    await clock.advance(1000);
    expect(await Promise.all(all)).toEqual(["done", "done", "done"]);
    expect(slow.seen).toEqual({ starts: 1, stops: 0 });
    await Promise.all([run(taskOf(clock, 5)), clock.advance(5)]);
    const long = taskOf(clock, 500);
    const running = admission.run(caller(), long.run);
    await clock.advance(40);
    await Promise.all([run(taskOf(clock, 5)), clock.advance(5)]);
    await Promise.all([running, clock.advance(1000)]);
  });

  it("counts work as quick again after five seconds, even if others hold all long slots", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission(LIMITS, clock);
    const run = (ms: number) => admission.run(caller(undefined, { kind: "same" }), taskOf(clock, ms).run);
    const held = admission.run(caller(undefined, { client: "b" }), taskOf(clock, 60_000).run);
    await clock.advance(LIMITS.quickMs);
    // Slow once, for example because the engine was busy.
    const slow = expect(run(100)).rejects.toMatchObject({ code: "overloaded" });
    await clock.advance(1_000);
    const early = expect(run(5)).rejects.toMatchObject({ code: "overloaded" });
    await clock.advance(4_100);
    const quick = run(5);
    await clock.advance(5);
    expect(await quick).toBe("done");
    await clock.advance(60_000);
    await Promise.all([held, slow, early]);
  });

  it("serves clients with quick tasks before clients whose tasks are slow", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, quickMs: 1_000, waitMs: 10_000 }, clock);
    const end = 60_000;
    const slow = async (client: string) => {
      while (clock.monotonic() < end) {
        await admission.run(caller(undefined, { client }), taskOf(clock, 30_000).run).catch(() => undefined);
      }
    };
    const waits: number[] = [];
    const quick = async () => {
      // Before that, the service does not know yet whose tasks are slow.
      await clock.sleep(25_000);
      while (clock.monotonic() < end) {
        const sinceMs = clock.monotonic();
        const task = taskOf(clock, 900);
        await admission.run(caller(undefined, { client: "quick", kind: "quick" }), async (signal) => {
          waits.push(clock.monotonic() - sinceMs);
          return task.run(signal);
        });
      }
    };
    const all = Promise.all([quick(), ...Array.from({ length: 20 }, (_, i) => slow(`slow ${i}`))]);
    all.catch(() => undefined);
    await clock.advance(end + 60_000);
    await all;
    // The twenty clients take turns of a second each, and a request waits ten seconds at most.
    expect(waits.length).toBeGreaterThan(15);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
  });

  it("leaves places of both tiers to other clients", async () => {
    const clock = new ManualClock();
    const admission = new TwoTierAdmission({ ...LIMITS, long: 2, quick: 2, clientShare: 0.5 }, clock);
    const heavy = Array.from({ length: 10 }, () => taskOf(clock, 1000));
    const all = heavy.map((task) => admission.run(caller(), task.run));
    await clock.advance(200);
    expect(admission.running).toBe(2);
    const quick = taskOf(clock, 30);
    const long = taskOf(clock, 300);
    const others = [quick, long].map((task) => admission.run(caller(undefined, { client: "b" }), task.run));
    await clock.advance(0);
    expect(quick.seen.starts).toBe(1);
    await clock.advance(400);
    expect(await Promise.all(others)).toEqual(["done", "done"]);
    expect(long.seen).toEqual({ starts: 1, stops: 0 });
    await clock.advance(20_000);
    await Promise.allSettled(all);
    expect([admission.running, admission.waiting, admission.clients]).toEqual([0, 0, 0]);
  });
});
