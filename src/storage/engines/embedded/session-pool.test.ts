import { describe, expect, it } from "vitest";
import { SessionPool } from "./session-pool.ts";

const LIMITS = { maxWaiting: 100, own: 1 };
const user = (name: string, share = 0.5) => ({ name, share });

/** Starts runs that end on request, and records their starts. */
function runsOn(pool: SessionPool<number>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (label: string, by?: ReturnType<typeof user>) =>
    pool.use(
      async () => {
        started.push(label);
        await new Promise<void>((resolve) => ends.set(label, resolve));
      },
      { user: by },
    );
  const end = async (label: string) => {
    ends.get(label)?.();
    await turn();
  };
  return { started, run, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("SessionPool", () => {
  it("gives a user no more than its share, and others the rest at once", async () => {
    const { started, run, end } = runsOn(new SessionPool([1, 2, 3, 4, 5, 6, 7], LIMITS));
    const greedy = Array.from({ length: 10 }, (_, i) => run(`greedy ${i}`, user("greedy")));
    await turn();
    expect(started).toEqual(["greedy 0", "greedy 1", "greedy 2"]);
    const good = run("good", user("good"));
    await turn();
    expect(started.at(-1)).toBe("good");
    // While another user is active, the greedy one may have two sessions.
    await end("greedy 0");
    expect(started.at(-1)).toBe("good");
    await end("greedy 1");
    expect(started.at(-1)).toBe("greedy 3");
    await end("good");
    await good;
    for (let i = 2; i < 10; i++) await end(`greedy ${i}`);
    await Promise.all(greedy);
  });

  it("keeps a session for the service itself, which goes first", async () => {
    const { started, run, end } = runsOn(new SessionPool([1, 2, 3], LIMITS));
    const runs = ["a", "b", "c"].map((name) => run(name, user(name)));
    await turn();
    expect(started).toEqual(["a", "b"]);
    runs.push(run("own 1"), run("own 2"));
    await turn();
    expect(started).toEqual(["a", "b", "own 1"]);
    await end("a");
    expect(started).toEqual(["a", "b", "own 1", "own 2"]);
    await end("own 1");
    expect(started.at(-1)).toBe("c");
    for (const label of ["b", "c", "own 2"]) await end(label);
    await Promise.all(runs);
  });

  it("lets users take turns: the one with the fewest sessions goes first", async () => {
    const { started, run, end } = runsOn(new SessionPool([1, 2, 3, 4, 5], LIMITS));
    const runs = ["a 1", "a 2", "a 3", "a 4"].map((label) => run(label, user("a", 0.75)));
    runs.push(run("b 1", user("b")));
    await turn();
    expect(started).toEqual(["a 1", "a 2", "a 3", "b 1"]);
    runs.push(run("c 1", user("c")));
    await end("a 1");
    expect(started.at(-1)).toBe("c 1");
    for (const label of ["a 2", "a 3", "b 1", "c 1", "a 4"]) await end(label);
    await Promise.all(runs);
  });

  it("forgets a caller that stops waiting, and closes when every session is idle", async () => {
    const pool = new SessionPool([1], { maxWaiting: 1 });
    const { run, end } = runsOn(pool);
    const running = run("running", user("a", 1));
    const stop = new AbortController();
    const waiting = pool.use(async () => "never", { signal: stop.signal, user: user("a", 1) });
    await expect(pool.use(async () => "never", { user: user("b", 1) })).rejects.toMatchObject({
      code: "busy",
    });
    stop.abort(new RangeError("gone"));
    await expect(waiting).rejects.toThrow("gone");
    const closed = pool.close();
    await expect(pool.use(async () => "never")).rejects.toMatchObject({ code: "not-ready" });
    await end("running");
    await Promise.all([running, closed]);
  });
});
