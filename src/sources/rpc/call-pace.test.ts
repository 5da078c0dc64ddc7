import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { CallPace } from "./call-pace.ts";

function testPace(callsPerSecond: number) {
  const clock = new ManualClock();
  const pace = new CallPace(callsPerSecond, clock);
  const start = clock.monotonic();
  const sent: [name: string, ms: number][] = [];
  const send = (name: string, calls: number, signal?: AbortSignal) =>
    pace
      .enter(calls, { isUrgent: name.startsWith("head"), signal })
      .then(() => void sent.push([name, clock.monotonic() - start]));
  return { clock, pace, sent, send };
}

describe("the pace of calls", () => {
  it("sends at most as many calls as the rate allows, and an urgent one first", async () => {
    const { clock, sent, send } = testPace(20);
    for (const name of ["a", "b", "c"]) void send(name, 4);
    await clock.advance(50);
    void send("head", 1);
    for (let i = 0; i < 20; i++) await clock.advance(50);
    expect(sent).toEqual([
      ["a", 0],
      ["head", 200],
      ["b", 250],
      ["c", 450],
    ]);
    void send("later", 4);
    await clock.advance(0);
    expect(sent.at(-1)).toEqual(["later", 1050]);
  });

  it("lets every second batch go in order, so that requests for heads do not take the whole rate", async () => {
    const { clock, sent, send } = testPace(20);
    for (const name of ["a", "b", "c"]) void send(name, 4);
    for (const name of ["head 1", "head 2", "head 3", "head 4"]) void send(name, 1);
    for (let i = 0; i < 30; i++) await clock.advance(50);
    expect(sent.map(([name]) => name)).toEqual(["a", "head 1", "b", "head 2", "c", "head 3", "head 4"]);
  });

  it("forgets batches whose request was aborted", async () => {
    const { clock, sent, send } = testPace(10);
    const stop = new AbortController();
    void send("a", 2);
    const aborted = send("b", 2, stop.signal);
    void send("c", 2);
    stop.abort(new Error("stopped"));
    await expect(aborted).rejects.toThrow("stopped");
    for (let i = 0; i < 5; i++) await clock.advance(100);
    expect(sent).toEqual([
      ["a", 0],
      ["c", 200],
    ]);
  });

  it.each([
    [0, Number.POSITIVE_INFINITY],
    [1, 1],
    [10, 2],
    [25, 6],
    [400, 100],
  ])("of %i per second allows batches of %i", (rate, calls) => {
    expect(testPace(rate).pace.maxBatchCalls).toBe(calls);
  });
});
