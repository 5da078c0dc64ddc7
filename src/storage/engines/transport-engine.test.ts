import { describe, expect, it } from "vitest";
import { sql } from "../../engine-sql/sql-text.ts";
import { engineOver } from "./transport-engine.ts";

/**
 * Behaves like chDB when a statement is killed before it has read anything: it ends without an error and
 * without rows.
 */
function killedEarly() {
  let end = () => {};
  const killed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = { rows: 0, rowsRead: null };
  return engineOver({
    read: () => killed.then(() => ({ bytes: new Uint8Array(), work })),
    open: () => killed.then(() => ({ chunks: (async function* () {})(), work })),
    streamWhileRunning: () => killed.then(() => work),
    execute: async () => {},
    insert: async () => {},
    kill: async () => end(),
    close: async () => {},
  });
}

async function rowsOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0;
  for await (const _ of pieces) rows++;
  return rows;
}

const statement = sql`SELECT 1`;

describe("a statement that is stopped", () => {
  it.each([
    ["query", (signal: AbortSignal) => killedEarly().query(statement, { signal })],
    ["stream", (signal: AbortSignal) => rowsOf(killedEarly().stream(statement, "CSV", { signal }))],
    [
      "stream of a small answer",
      (signal: AbortSignal) =>
        rowsOf(killedEarly().stream(statement, "CSV", { signal, whileRunning: true, maxBytes: 1 })),
    ],
    [
      "stream while it runs",
      (signal: AbortSignal) => rowsOf(killedEarly().stream(statement, "CSV", { signal, whileRunning: true })),
    ],
  ])("is rejected, even if it ends without an error: %s", async (_, run) => {
    const stop = new AbortController();
    const running = run(stop.signal);
    stop.abort(new RangeError("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("is rejected at its time limit", async () => {
    await expect(killedEarly().query(statement, { timeoutMs: 5 })).rejects.toThrow("its limit of 5 ms");
  });
});

describe("a write whose answer is lost", () => {
  it("is ended before the next one, once", async () => {
    const ended: string[] = [];
    const ids: string[] = [];
    const lost = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    const engine = engineOver({
      read: () => Promise.reject(lost),
      open: () => Promise.reject(lost),
      streamWhileRunning: () => Promise.reject(lost),
      execute: async ({ id, sql: text }) => {
        ids.push(id);
        if (text.includes("lost")) throw lost;
        if (text.includes("wrong")) throw new Error("Code: 60. DB::Exception: Unknown table");
      },
      insert: async ({ id }) => {
        ids.push(id);
        throw lost;
      },
      kill: async () => {},
      settle: async ({ ids }) => void ended.push(...ids),
      close: async () => {},
    });
    await expect(engine.execute(sql`lost`)).rejects.toMatchObject({ code: "unavailable", retryable: true });
    await expect(engine.insert("t", ["a"], [Buffer.from("x")])).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(engine.execute(sql`wrong`)).rejects.toMatchObject({ code: "engine" });
    await expect(engine.query(statement)).rejects.toMatchObject({ code: "unavailable" });
    await engine.execute(sql`fine`);
    expect(ended).toEqual([]);
    await engine.settleWrites?.();
    await engine.settleWrites?.();
    expect(ended).toEqual(ids.slice(0, 2));
  });
});

describe("a statement that does not stop", () => {
  it("is answered soon after its limit, and takes the room of others like it until its end", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const read = () => ended.then(() => ({ bytes: new Uint8Array(), work: { rows: 0, rowsRead: null } }));
    const never = async () => Promise.reject(new RangeError("unused"));
    const engine = engineOver({
      read,
      open: never,
      streamWhileRunning: never,
      execute: async () => {},
      insert: async () => {},
      kill: async () => {},
      close: async () => {},
    });
    const left: Promise<unknown>[] = [];
    const onAbandoned = (statement: Promise<unknown>) => void left.push(statement);
    const run = () => engine.query(statement, { timeoutMs: 5, blockRows: 1, onAbandoned });
    const answers = await Promise.allSettled([run(), run()]);
    for (const answer of answers) expect(answer).toMatchObject({ reason: { code: "timeout" } });
    expect(left).toHaveLength(2);
    expect(engine.abandoned?.running).toBe(2);
    const isFull = expect.objectContaining({ code: "not-ready", retryable: true });
    expect(() => engine.abandoned?.requireRoom()).toThrow(isFull);
    end();
    await Promise.allSettled(left);
    expect(await run()).toEqual([]);
    engine.abandoned?.requireRoom();
    expect([engine.abandoned?.running, engine.abandoned?.total]).toEqual([0, 2]);
  });
});
