import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { QueryLanes } from "./two-tier-admission.ts";

const asker = (signal = new AbortController().signal) => ({ client: "a", signal });
const LIMITS = { long: 1, quick: 1, quickMs: 40, waiting: 50, waitMs: 10_000 };

/** Takes so long, unless it is stopped. */
function taking(ms: number) {
  const seen = { starts: 0, stops: 0 };
  const run = async (signal: AbortSignal) => {
    seen.starts++;
    try {
      await sleep(ms, undefined, { signal });
      return "done";
    } catch {
      seen.stops++;
      throw signal.reason;
    }
  };
  return { run, seen };
}

describe("QueryLanes", () => {
  it("lets a long task go on in the long lane, from where it is", async () => {
    const lanes = new QueryLanes(LIMITS);
    const long = taking(150);
    expect(await lanes.run(asker(), long.run)).toBe("done");
    expect(long.seen).toEqual({ starts: 1, stops: 0 });
    expect(lanes.running).toBe(0);
  });

  it("lets quick tasks through while long ones run and wait", async () => {
    const lanes = new QueryLanes(LIMITS);
    const [first, second, third] = [taking(1500), taking(100), taking(100)];
    const order: string[] = [];
    const run = (name: string, { run: task }: ReturnType<typeof taking>) =>
      lanes.run(asker(), task).then(() => order.push(name));
    const long = [run("first", first), run("second", second), run("third", third)];
    await sleep(200);
    await run("quick", taking(1));
    await Promise.all(long);
    expect(order).toEqual(["quick", "first", "second", "third"]);
    expect([first.seen, second.seen, third.seen]).toEqual([
      { starts: 1, stops: 0 },
      { starts: 2, stops: 1 },
      { starts: 2, stops: 1 },
    ]);
    expect([lanes.running, lanes.waiting]).toEqual([0, 0]);
  });

  it("stops for good when its client leaves, and passes on why a task failed", async () => {
    const lanes = new QueryLanes(LIMITS);
    const client = new AbortController();
    const left = lanes.run(asker(client.signal), taking(60_000).run);
    client.abort(new RangeError("left"));
    await expect(left).rejects.toThrow("left");
    await expect(lanes.run(asker(), async () => Promise.reject(new RangeError("x")))).rejects.toThrow("x");
    expect([lanes.running, await lanes.run(asker(), taking(1).run)]).toEqual([0, "done"]);
  });

  it("refuses what finds no place to wait", async () => {
    const lanes = new QueryLanes({ ...LIMITS, waiting: 1, quickMs: 10_000 });
    const running = [taking(60), taking(60)].map(({ run }) => lanes.run(asker(), run));
    await expect(lanes.run(asker(), taking(1).run)).rejects.toMatchObject({ code: "busy" });
    await Promise.all(running);
    expect(lanes.refused).toBe(1);
  });
});
