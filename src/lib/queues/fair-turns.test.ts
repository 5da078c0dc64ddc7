import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setImmediate as nextIteration } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { FairTurns } from "./fair-turns.ts";

/**
 * Returns turns with their own clock, and a function that runs work, by default of one millisecond.
 *
 * @param rest called instead of a rest; default: rests end at once
 */
function testTurns(rest: (ms: number, end: () => void) => void = (_ms, end) => end()) {
  let nowMs = 0;
  const turns = new FairTurns(() => nowMs, rest);
  const served: string[] = [];
  const run = async (client: string, ms = 1) => {
    const turn = turns.next(client, client);
    if (turn !== null) await turn;
    // The work runs in several microtasks, and the time of each must count.
    for (let step = 0; step < 4; step++) {
      await Promise.resolve();
      nowMs += ms / 4;
    }
    served.push(client);
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { turns, served, run, pass };
}

describe("work on the event loop", () => {
  it("goes on at once while the loop has time left", async () => {
    const { turns, served, run } = testTurns();
    for (const client of "abaa") {
      expect(turns.next(client, client)).toBeNull();
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

  /** Runs so much short work of a client that its turns are known to be short. */
  async function runShort(client: string, run: (client: string, ms: number) => Promise<void>) {
    for (let i = 0; i < 60; i++) {
      await run(client, 0.5);
      await nextIteration();
    }
  }

  it("of a client with short turns waits for one long turn, however many clients have them", async () => {
    const { served, run } = testTurns();
    await runShort("s", run);
    served.length = 0;
    await run("x", 50);
    for (const client of "abcdefghij") for (const _ of [1, 2]) void run(client, 50);
    for (const _ of [1, 2, 3]) void run("s", 0.5);
    while (served.length < 8) await nextIteration();
    void run("s", 0.5);
    while (served.length < 10) await nextIteration();
    expect(served.join("")).toMatch(/^xsassbcde?s/);
  });

  it("of classes of clients gets equal time, so that many short turns do not stop the long ones", async () => {
    const { served, run } = testTurns();
    await runShort("s", run);
    served.length = 0;
    await run("x", 50);
    for (let i = 0; i < 1_000; i++) void run("s", 0.5);
    for (const client of "abcdefghij") void run(client, 50);
    while (served.length < 800) await nextIteration();
    expect(served.filter((client) => client !== "s").length).toBeGreaterThanOrEqual(7);
  });

  it("counts a turn that takes far longer than those before it only a little", async () => {
    const { served, run } = testTurns();
    await runShort("s", run);
    await run("x", 50);
    void run("s", 5_000);
    while (served.at(-1) !== "s") await nextIteration();
    served.length = 0;
    for (const client of "abcd") void run(client, 50);
    void run("s", 0.5);
    while (served.length < 5) await nextIteration();
    expect(served.join("")).toMatch(/^a?s/);
  });

  it("rests after a long turn: meanwhile, only clients with short turns are served", async () => {
    const rests: number[] = [];
    let end = () => {};
    const { served, run } = testTurns((ms, call) => {
      rests.push(ms);
      end = call;
    });
    await runShort("s", run);
    served.length = 0;
    await run("x", 50);
    for (const client of "ab") void run(client, 40);
    const iterate = async () => {
      for (let i = 0; i < 5; i++) await nextIteration();
    };
    await iterate();
    expect([served.join(""), rests]).toEqual(["xa", [20]]);
    void run("s", 0.5);
    await iterate();
    expect(served.join("")).toBe("xas");
    end();
    await iterate();
    expect([served.join(""), rests]).toEqual(["xasb", [20, 20]]);
  });

  it("of many new clients, whose kind is usually short, moves to its class when it proves long", async () => {
    const { turns, served, pass } = testTurns();
    const run = async (client: string, ms: number) => {
      await turns.next(client, "kind");
      pass(ms);
      served.push(client);
    };
    for (let i = 0; i < 60; i++) {
      await run("s", 1.5);
      await nextIteration();
    }
    served.length = 0;
    await run("s", 3);
    for (const client of "abcdefghij") for (let i = 0; i < 50; i++) void run(client, 40);
    // Each new client needs a turn before its turns are known to be long.
    while (served.length < 30) await nextIteration();
    served.length = 0;
    for (let i = 0; i < 5; i++) void run("s", 1.5);
    while (served.filter((client) => client === "s").length < 5) await nextIteration();
    expect(served.filter((client) => client !== "s").length).toBeLessThanOrEqual(3);
  });

  it("of a new client waits for those with long turns, because its own may be long", async () => {
    const { served, run } = testTurns();
    await run("x", 50);
    for (const client of "abcn") void run(client, 50);
    while (served.length < 5) await nextIteration();
    expect(served.join("")).toBe("xabcn");
  });

  it("that is no longer wanted makes room, and the rest keeps its order", async () => {
    const { turns, served, run } = testTurns();
    await run("x", 3);
    let most = 0;
    for (let i = 0; i < 1_000; i++) {
      if (i % 100 === 0) void run("ab"[(i / 100) % 2] ?? "");
      void turns.next(`left ${i % 7}`, "left", () => false);
      turns.noteUnwanted();
      most = Math.max(most, turns.waiting);
    }
    expect(most).toBeLessThanOrEqual(65);
    while (turns.waiting > 0) await nextIteration();
    expect(served.toSorted().join("")).toBe("aaaaabbbbbx");
  });

  it("that is reported as no longer wanted is removed, even if no more is added", async () => {
    const { turns, run } = testTurns();
    await run("x", 3);
    let isWanted = true;
    for (let i = 0; i < 1_000; i++) void turns.next("leaving", "kind", () => isWanted);
    for (let i = 0; i < 20; i++) void turns.next("staying", "kind");
    isWanted = false;
    for (let i = 0; i < 1_000; i++) turns.noteUnwanted();
    expect([turns.waiting, turns.waitingOf("staying")]).toEqual([20, 20]);
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

describe("clients that connect", () => {
  it("come before the next turn, and work that arrives meanwhile waits", async () => {
    const { turns, served, run } = testTurns();
    await run("x", 50);
    void run("a", 50);
    for (const client of "bcd") {
      turns.noteArrival();
      await nextIteration();
      void run(client);
    }
    expect([served.join(""), turns.waiting]).toEqual(["x", 4]);
    await nextIteration();
    expect(served.join("")).toBe("xa");
    await nextIteration();
    expect(served.join("")).toBe("xabcd");
  });

  it("come before the next turn even if no work waits", async () => {
    const { turns, run } = testTurns();
    await run("x", 50);
    turns.noteArrival();
    await nextIteration();
    const turn = turns.next("y", "y");
    expect(turn).not.toBeNull();
    await nextIteration();
    await turn;
  });

  it("delay turns for at most as long as the last ones took", async () => {
    const { turns, served, run, pass } = testTurns();
    await run("x", 50);
    void run("a", 50);
    const servedAfter: string[] = [];
    for (let iteration = 0; iteration < 8; iteration++) {
      turns.noteArrival();
      await nextIteration();
      servedAfter.push(served.join(""));
      pass(20);
    }
    expect(servedAfter).toEqual(["x", "x", "x", "xa", "xa", "xa", "xa", "xa"]);
  });

  it("do not delay work while the loop has time left", async () => {
    const { turns, run } = testTurns();
    await run("x");
    turns.noteArrival();
    await nextIteration();
    expect(turns.next("y", "y")).toBeNull();
  });

  it("are served after a few turns of heavy work, however many they are", async () => {
    const { turns, run, pass } = testTurns();
    let [heavyTurns, isOver] = [0, false];
    const turnsBefore: number[] = [];
    const server = createServer((socket) => {
      turns.noteArrival();
      socket.once("data", async () => {
        await run(`newcomer ${socket.remotePort}`, 0);
        turnsBefore.push(heavyTurns);
        isOver = turnsBefore.length === 50;
        socket.destroy();
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const work = async () => {
      while (!isOver) {
        await turns.next("heavy", "heavy");
        heavyTurns++;
        pass(50);
      }
    };
    await run("x", 50);
    const working = Array.from({ length: 20 }, work);
    for (let i = 0; i < 50; i++)
      connect(port, "127.0.0.1")
        .on("error", () => {})
        .write("x");
    await Promise.all(working);
    expect(turnsBefore.at(-1)).toBeLessThan(5);
  });
});
