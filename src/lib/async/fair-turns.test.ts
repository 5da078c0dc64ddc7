import { setImmediate as nextIteration } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairTurns } from "./fair-turns.ts";

/** Turns on a clock of its own, and work that takes one millisecond. */
function testTurns() {
  let nowMs = 0;
  const turns = new FairTurns(() => nowMs);
  const served: string[] = [];
  const run = async (client: string, ms = 1) => {
    const turn = turns.next(client);
    if (turn !== null) await turn;
    // Work continues in several steps, each of which must count.
    for (let step = 0; step < 4; step++) {
      await Promise.resolve();
      nowMs += ms / 4;
    }
    served.push(client);
  };
  return { turns, served, run };
}

describe("work on the event loop", () => {
  it("goes on at once while the loop has time left", async () => {
    const { turns, served, run } = testTurns();
    for (const client of "abaa") {
      expect(turns.next(client)).toBeNull();
      await nextIteration();
    }
    for (const client of "abc") await run(client);
    expect([served.join(""), turns.waiting]).toEqual(["abc", 0]);
  });

  it("takes turns by client when the time is used, three milliseconds in each iteration", async () => {
    const { turns, served, run } = testTurns();
    await run("x", 3);
    for (const client of "aaaaabcb") void run(client);
    expect([turns.waiting, served.join("")]).toEqual([8, "x"]);
    for (const expected of ["xabc", "xabcaba", "xabcabaaa"]) {
      await nextIteration();
      expect(served.join("")).toBe(expected);
    }
    expect(turns.waiting).toBe(0);
  });

  it("that takes long runs once in each iteration", async () => {
    const { served, run } = testTurns();
    await run("x", 50);
    for (const client of "aab") void run(client, 50);
    for (const expected of ["xa", "xab", "xaba"]) {
      await nextIteration();
      expect(served.join("")).toBe(expected);
    }
  });

  it("cannot overtake work that waits", async () => {
    const { turns, served, run } = testTurns();
    await run("x", 3);
    void run("a", 3);
    void run("b", 3);
    await nextIteration();
    expect(served.join("")).toBe("xa");
    void run("c");
    expect(turns.waiting).toBe(2);
    await nextIteration();
    await nextIteration();
    expect(served.join("")).toBe("xabc");
  });
});
